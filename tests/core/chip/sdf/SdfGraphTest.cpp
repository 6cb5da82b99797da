#include "core/chip/sdf/SdfGraph.h"

#include "core/support/files/File.h"
#include "gmock/gmock.h"

#include <filesystem>

namespace spindle {
namespace {

using testing::HasSubstr;

std::string written(const std::string &name, const std::string &text) {
  std::string path = testing::TempDir() + name;
  EXPECT_FALSE(bool(writeFile(path, text)));
  return path;
}

SdfGraph example() {
  return {"chain",
          {{"source", 7}, {"sink \"quoted\"", uint64_t(1) << 60}},
          {{0, 1, 2, 3, 5, 32}, {1, 1, 1, 1, 1, 0}}};
}

TEST(SdfGraph, SurvivesAFile) {
  std::string path = testing::TempDir() + "graph.json";
  ASSERT_FALSE(bool(writeSdfGraph(path, example())));
  auto read = readSdfGraph(path);
  ASSERT_TRUE(bool(read)) << toText(read.takeError());
  EXPECT_EQ(*read, example());
}

TEST(SdfGraph, VerifyNamesTheFault) {
  SdfGraph graph = example();
  EXPECT_FALSE(bool(verify(graph)));
  graph.channels[1].target = 2;
  EXPECT_EQ(toText(verify(graph)),
            "data-flow graph 'chain': error: channel 1 has target 2, but the "
            "graph has 2 actors");
  graph.channels[1].target = 1;
  graph.channels[0].consume = 0;
  EXPECT_EQ(toText(verify(graph)), "data-flow graph 'chain': error: channel 0 (source -> sink "
                                   "\"quoted\") has consume rate 0, expected at least 1");
}

TEST(SdfGraph, FaultsOfAFileNameTheFile) {
  SdfGraph graph = example();
  graph.channels[0].source = 9;
  std::string path = testing::TempDir() + "faulty.json";
  ASSERT_FALSE(bool(writeSdfGraph(path, graph)));
  EXPECT_EQ(toText(readSdfGraph(path).takeError()),
            path + ": error: channel 0 has source 9, but the graph has 2 actors");
}

TEST(SdfGraph, RefusesNumbersThatAreNotWholeOrFit) {
  for (const char *number :
       {"-1", "1.5", "4294967296", "1e+30", "18446744073709551615", "null", "true"}) {
    std::string path =
        written("number.json", std::string(R"({"format": "spindle-sdf-graph", "version": 1,
      "name": "g", "actors": [{"name": "a", "execution_time": 1}], "channels": [{"source": )") +
                                   number + R"(, "target": 0, "produce": 1,
      "consume": 1, "initial_tokens": 1, "token_bits": 0}]})");
    EXPECT_THAT(toText(readSdfGraph(path).takeError()),
                testing::AllOf(HasSubstr(path),
                               HasSubstr(std::string("channels[0].source is ") + number),
                               HasSubstr("expected a whole number from 0 to 4294967295")));
  }
}

TEST(SdfGraph, RefusesOtherFiles) {
  EXPECT_THAT(toText(readSdfGraph(written("other.json", "{}")).takeError()),
              HasSubstr("not a spindle-sdf-graph file"));
}

TEST(SdfGraph, DotNamesActorsRatesAndTokens) {
  std::string path = testing::TempDir() + "graph.dot";
  ASSERT_FALSE(bool(writeSdfDot(path, example())));
  std::string dot = *readFile(path);
  EXPECT_THAT(dot, HasSubstr("a0 [label=\"source\\n7\"];"));
  EXPECT_THAT(dot, HasSubstr("a1 [label=\"sink \\\"quoted\\\"\\n1152921504606846976\"];"));
  EXPECT_THAT(dot, HasSubstr("a0 -> a1 [taillabel=\"2\", headlabel=\"3\", label=\"5\"];"));
}

/// An SDF3 file of two actors with `channel` as the attributes of its only channel.
std::string sdf3(const std::string &channel, const std::string &ports,
                 const std::string &properties) {
  return "<sdf3 type=\"sdf\" version=\"1.0\">\n<applicationGraph name=\"g\">\n<sdf name=\"g\" "
         "type=\"G\">\n"
         "<actor name=\"a\" type=\"A\">" +
         ports +
         "</actor>\n"
         "<actor name=\"b\" type=\"B\"><port name=\"in\" type=\"in\" rate=\"3\"/></actor>\n"
         "<channel name=\"c\" " +
         channel + "/>\n</sdf>\n<sdfProperties>\n" + properties +
         "</sdfProperties>\n</applicationGraph>\n</sdf3>\n";
}
const std::string goodChannel =
    "srcActor=\"a\" srcPort=\"out\" dstActor=\"b\" dstPort=\"in\" initialTokens=\"4\"";
const std::string goodPorts = "<port name=\"out\" type=\"out\" rate=\"2\"/>";
std::string timeOf(const std::string &actor, const std::string &time) {
  return "<actorProperties actor=\"" + actor +
         "\"><processor type=\"slow\"><executionTime time=\"99\"/>"
         "</processor><processor type=\"fast\" default=\"true\"><executionTime time=\"" +
         time + "\"/></processor></actorProperties>\n";
}
const std::string goodProperties = timeOf("a", "5") + timeOf("b", "6") +
                                   "<channelProperties channel=\"c\"><tokenSize sz=\"8\"/>"
                                   "</channelProperties>\n";

std::string sdf3Error(const std::string &text) {
  std::string path = written("graph.xml", text), folder = testing::TempDir();
  std::string error = toText(readSdfGraph(path).takeError());
  return error.rfind(folder, 0) == 0 ? error.substr(folder.size()) : error;
}

TEST(Sdf3Xml, ReadsRatesTokensAndTheTimeOfTheDefaultProcessor) {
  auto graph = readSdfGraph(written("good.xml", sdf3(goodChannel, goodPorts, goodProperties)));
  ASSERT_TRUE(bool(graph)) << toText(graph.takeError());
  EXPECT_EQ(*graph, (SdfGraph{"g", {{"a", 5}, {"b", 6}}, {{0, 1, 2, 3, 4, 8}}}));
}

// SDF3 overwrites one default processor by the next one of an actor.
TEST(Sdf3Xml, TheLastOfSeveralDefaultProcessorsCounts) {
  auto processor = [](const std::string &time, const char *marked) {
    return "<processor type=\"t" + time + "\"" + marked + "><executionTime time=\"" + time +
           "\"/></processor>";
  };
  auto timeOfA = [&](const std::string &processors) {
    std::string properties =
        "<actorProperties actor=\"a\">" + processors + "</actorProperties>" + timeOf("b", "6");
    auto graph = readSdfGraph(written("default.xml", sdf3(goodChannel, goodPorts, properties)));
    EXPECT_TRUE(bool(graph)) << toText(graph.takeError());
    return graph->actors[0].executionTime.total();
  };
  const char *marked = " default=\"true\"";
  EXPECT_EQ(timeOfA(processor("8", marked) + processor("4", marked)), 4u);
  EXPECT_EQ(timeOfA(processor("4", marked) + processor("8", marked) + processor("9", "")), 8u);
  EXPECT_EQ(timeOfA(processor("8", " default=\"false\"") + processor("4", marked)), 4u);
}

TEST(Sdf3Xml, IsKnownByItsContentToo) {
  std::string text = sdf3(goodChannel, goodPorts, goodProperties);
  for (const char *name : {"graph.XML", "graph.sdf", "graph"})
    EXPECT_TRUE(bool(readSdfGraph(written(name, "\n " + text)))) << name;
}

TEST(Sdf3Xml, ErrorsNameThePlace) {
  struct Case {
    std::string text, error;
  };
  auto channel = [](const std::string &attributes) {
    return sdf3(attributes, goodPorts, goodProperties);
  };
  auto port = [](const std::string &ports) { return sdf3(goodChannel, ports, goodProperties); };
  for (const Case &c : {
           Case{"<sdf3", "graph.xml:1:5: error: not valid XML: error parsing start element tag"},
           Case{"<sdf3/>",
                "graph.xml: error: no sdf3/applicationGraph element; expected an SDF3 application"},
           Case{"<sdf3>\n<applicationGraph name=\"g\"/></sdf3>",
                "graph.xml:2:2: error: no sdf and no csdf element, expected a "
                "synchronous or cyclo-static data-flow graph"},
           Case{channel("srcActor=\"x\" srcPort=\"out\" dstActor=\"b\" dstPort=\"in\""),
                "graph.xml:6:2: error: srcActor 'x' is not an actor of this graph"},
           Case{channel("srcActor=\"a\" srcPort=\"o\" dstActor=\"b\" dstPort=\"in\""),
                "graph.xml:6:2: error: srcPort 'o' is not an output port of actor 'a'"},
           Case{channel("srcActor=\"a\" srcPort=\"out\" dstActor=\"a\" dstPort=\"out\""),
                "graph.xml:6:2: error: dstPort 'out' is not an input port of actor 'a'"},
           Case{channel(goodChannel.substr(0, goodChannel.size() - 2) + "-1\""),
                "graph.xml:6:2: error: initialTokens '-1', expected a whole number from 0 to "
                "18446744073709551615"},
           Case{port("<port name=\"out\" type=\"out\" rate=\"1,2\"/>"),
                "graph.xml:4:27: error: rate '1,2', expected a whole number from 1 to 4294967295"},
           Case{port("<port name=\"out\" type=\"out\" rate=\"4294967296\"/>"),
                "graph.xml:4:27: error: rate '4294967296', expected a whole number from 1 to "
                "4294967295"},
           Case{port("<port name=\"out\" type=\"sideways\" rate=\"1\"/>"),
                "graph.xml:4:27: error: port type 'sideways', expected in or out"},
           Case{port(goodPorts + goodPorts),
                "graph.xml:4:65: error: second port 'out' of actor 'a'; names must differ"},
           Case{port(goodPorts + "</actor><actor name=\"a\">"),
                "graph.xml:4:73: error: second actor 'a'; names must differ"},
           Case{port(goodPorts + "</actor><actor>"), "graph.xml:4:73: error: actor without a name"},
           Case{sdf3(goodChannel, goodPorts, timeOf("a", "5")),
                "graph.xml:3:2: error: actor 'b' has no executionTime on a default processor"},
           Case{sdf3(goodChannel, goodPorts, timeOf("z", "5")),
                "graph.xml:9:2: error: actor 'z' is not an actor of this graph"},
           Case{channel(goodChannel + "/>\n<channel name=\"d\" " +
                        goodChannel.substr(goodChannel.find("srcActor"))),
                "graph.xml:7:2: error: second channel at port 'out' of actor 'a'; give each "
                "channel a port of its own"},
           Case{sdf3(goodChannel + "/>\n<channel name=\"c\" srcActor=\"a\" srcPort=\"o\" "
                                   "dstActor=\"a\" dstPort=\"i\"",
                     goodPorts + "<port name=\"o\" type=\"out\" rate=\"1\"/>"
                                 "<port name=\"i\" type=\"in\" rate=\"1\"/>",
                     goodProperties),
                "graph.xml:7:2: error: second channel 'c'; names must differ"},
           Case{sdf3(goodChannel, goodPorts, goodProperties + timeOf("a", "5")),
                "graph.xml:12:2: error: second actorProperties of actor 'a'; give all of them in "
                "one element"},
           Case{sdf3(goodChannel, goodPorts,
                     goodProperties + "<channelProperties channel=\"c\"/>\n<channelProperties "
                                      "channel=\"c\"/>"),
                "graph.xml:12:2: error: second channelProperties of channel 'c'; give all of them "
                "in one element"},
           Case{sdf3(goodChannel, goodPorts, goodProperties + "<channelProperties channel=\"d\"/>"),
                "graph.xml:12:2: error: channel 'd' is not a channel of this graph"},
       })
    EXPECT_EQ(sdf3Error(c.text), c.error);
}

/// The graph with a third actor of this name.
std::string sdf3With(const std::string &name) {
  return sdf3(goodChannel, goodPorts + "</actor><actor name=\"" + name + "\">",
              goodProperties + timeOf(name, "1"));
}

TEST(Sdf3Xml, NamesThatAreNotUtf8AreRefused) {
  EXPECT_EQ(sdf3Error(sdf3With("gr\xfc\xdf")),
            "graph.xml:4:87: error: not UTF-8; save the file as UTF-8");
  // Half of a pair of UTF-16, which is no character by itself.
  const std::string replaced = "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd";
  EXPECT_EQ(sdf3Error(sdf3With("&#xD800;")),
            "graph.xml:4:73: error: actor '" + replaced +
                "', expected a name in UTF-8; leave out references to what is no character");
  EXPECT_EQ(sdf3Error("<sdf3><applicationGraph name=\"&#xD800;\"><sdf/></applicationGraph></sdf3>"),
            "graph.xml:1:8: error: graph '" + replaced +
                "', expected a name in UTF-8; leave out references to what is no character");
}

TEST(Sdf3Xml, DeclaredEncodingsBecomeUtf8) {
  auto graph = readSdfGraph(written(
      "latin.xml", "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n" + sdf3With("gr\xfc\xdf")));
  ASSERT_TRUE(bool(graph)) << toText(graph.takeError());
  EXPECT_EQ(graph->actors[1].name, "grüß");
  std::string path = testing::TempDir() + "latin.dot";
  ASSERT_FALSE(bool(writeSdfDot(path, *graph)));
  EXPECT_THAT(*readFile(path), HasSubstr("a1 [label=\"grüß\\n1\"];"));
}

TEST(Sdf3Xml, SaysThatAnArchitectureIsNoApplication) {
  EXPECT_THAT(sdf3Error("<sdf3><architectureGraph name=\"g\"/></sdf3>"),
              HasSubstr("no sdf3/applicationGraph element"));
}

/// The file of two actors as a cyclo-static one; `rate` is that of the source.
std::string csdf3(const std::string &rate, const std::string &time) {
  std::string text = sdf3(goodChannel, "<port name=\"out\" type=\"out\" rate=\"" + rate + "\"/>",
                          timeOf("a", time) + timeOf("b", "6"));
  for (const char *word :
       {"type=\"sdf\"", "<sdf ", "</sdf>", "<sdfProperties", "</sdfProperties"}) {
    std::string cyclic = word;
    cyclic.insert(cyclic.find("sdf"), "c");
    text.replace(text.find(word), std::string(word).size(), cyclic);
  }
  return text;
}

TEST(Sdf3Xml, ReadsPhasesOfCycloStaticGraphs) {
  auto graph = readSdfGraph(written("good.xml", csdf3("1,0, 3*2", "4,0,2*7,9")));
  ASSERT_TRUE(bool(graph)) << toText(graph.takeError());
  std::vector<uint32_t> rates{1, 0, 2, 2, 2};
  std::vector<uint64_t> times{4, 0, 7, 7, 9};
  EXPECT_EQ(*graph, (SdfGraph{"g",
                              {{"a", times}, {"b", 6}},
                              {{0, 1, rates, 3, 4, 0}, {0, 0, 1, 1, 1, 0}, {1, 1, 1, 1, 1, 0}}}));
  EXPECT_FALSE(bool(verify(*graph)));
}

TEST(Sdf3Xml, WrongPhasesAreRefused) {
  std::string expected =
      "expected whole numbers up to 4294967295 with commas between them, as 1,0,18*32";
  for (const char *wrong : {"", "1,", "1,,2", "-1", "1;2", "2*", "*2", "0*5", "1.5", "2*3*4",
                            "4294967296", "99999999999999999999*1"})
    EXPECT_EQ(sdf3Error(csdf3(wrong, "5")),
              std::string("graph.xml:4:") + "27: error: rate '" + wrong + "', " + expected);
  EXPECT_EQ(sdf3Error(csdf3("65536*1,1", "5")),
            "graph.xml:4:27: error: rate '65536*1,1' has more than 65536 phases");
  // Found by fuzzing: a port that never passes a token.
  EXPECT_EQ(sdf3Error(csdf3("0", "5")),
            "graph.xml: error: channel 0 (a -> b) has produce rate 0, expected at least 1");
  EXPECT_EQ(sdf3Error(csdf3("0,2*0", "5")), "graph.xml: error: channel 0 (a -> b) has produce rate "
                                            "0 in all phases, expected at least 1");
  // Lists belong to cyclo-static graphs.
  EXPECT_EQ(sdf3Error(sdf3(goodChannel, "<port name=\"out\" type=\"out\" rate=\"1,2\"/>",
                           goodProperties)),
            "graph.xml:4:27: error: rate '1,2', expected a whole number from 1 to 4294967295");
}

TEST(SdfGraph, PhasesComeBackFromAFile) {
  SdfGraph graph{"g",
                 {{"a", std::vector<uint64_t>{1, 0, 5}}, {"b", 6}},
                 {{0, 1, std::vector<uint32_t>{2, 0, 1}, std::vector<uint32_t>{0, 3}, 4, 8},
                  {0, 0, 1, 1, 1, 0},
                  {1, 1, 1, 1, 1, 0}}};
  std::string path = testing::TempDir() + "phases.json";
  ASSERT_FALSE(bool(writeSdfGraph(path, graph)));
  const std::string rates = "[\n    2,\n    0,\n    1\n   ]";
  EXPECT_THAT(*readFile(path), HasSubstr("\"produce\": " + rates));
  auto read = readSdfGraph(path);
  ASSERT_TRUE(bool(read)) << toText(read.takeError());
  EXPECT_EQ(*read, graph);
  ASSERT_FALSE(bool(writeSdfDot(testing::TempDir() + "phases.dot", graph)));
  EXPECT_THAT(*readFile(testing::TempDir() + "phases.dot"),
              HasSubstr("a0 -> a1 [taillabel=\"2,0,1\", headlabel=\"0,3\", label=\"4\"];"));
  for (auto [list, message] :
       {std::pair{"[]",
                  "channels[0].produce is a list, expected a number, or a list of 1 to 65536"},
        {"[1, -2]", "channels[0].produce[1] is -2"}}) {
    std::string text = *readFile(path);
    text.replace(text.find(rates), rates.size(), list);
    EXPECT_THAT(toText(readSdfGraph(written("wrong.json", text)).takeError()), HasSubstr(message));
  }
}

} // namespace
} // namespace spindle
