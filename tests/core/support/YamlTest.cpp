#include "core/support/formats/Yaml.h"
#include "core/support/formats/YamlText.h"

#include "fmt/format.h"
#include "tests/support/TemporaryFolder.h"
#include "gmock/gmock.h"

#include <functional>

using namespace spindle;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

YamlDocument parsed(const std::string &text) {
  return llvm::cantFail(YamlDocument::parse(text, "f.yaml"));
}

std::string parseError(const std::string &text) {
  auto document = YamlDocument::parse(text, "f.yaml");
  return document ? "no error" : toText(document.takeError());
}

/// The error of reading `text` with `read`, or `no error`.
std::string readError(const std::string &text, const std::function<void(YamlReader &)> &read,
                      const std::vector<std::string> &overrides = {}) {
  YamlDocument document = parsed(text);
  for (const std::string &assignment : overrides)
    llvm::cantFail(document.override(assignment));
  YamlReader reader(document);
  read(reader);
  llvm::Error error = reader.finish();
  return error ? toText(std::move(error)) : "no error";
}

std::string overrideError(const std::string &text, const std::string &assignment) {
  YamlDocument document = parsed(text);
  llvm::Error error = document.override(assignment);
  return error ? toText(std::move(error)) : "no error";
}

enum class Algorithm { Greedy, Random, Metis };

void readTile(YamlReader &reader) {
  YamlReader tile = reader.section("tile");
  int64_t rows = 128, columns = 128;
  tile.read("rows", rows, 1, 4096);
  tile.read("columns", columns, 1, 4096);
}

} // namespace

TEST(Yaml, ReadsEveryKindOfValue) {
  YamlDocument document = parsed("name: mesh\n"
                                 "rows: 010\n"
                                 "negative: -3\n"
                                 "scale: 2.5e-3\n"
                                 "whole: 4\n"
                                 "on: true\n"
                                 "algorithm: metis\n"
                                 "size: [32, 28]\n"
                                 "mean: 0.5\n"
                                 "std: [1, 2.5]\n"
                                 "layers: [conv1, conv2]\n"
                                 "tile: {rows: 5}\n"
                                 "links: [{bits: 32}, {bits: 64}]\n");
  YamlReader reader(document);
  std::string name;
  int64_t rows = 0, negative = 0;
  double scale = 0, whole = 0;
  bool on = false;
  Algorithm algorithm = Algorithm::Greedy;
  std::vector<int64_t> size;
  std::vector<double> mean, std;
  std::vector<std::string> layers;
  reader.read("name", name);
  reader.read("rows", rows);
  reader.read("negative", negative);
  reader.read("scale", scale);
  reader.read("whole", whole);
  reader.read("on", on);
  reader.readEnum("algorithm", algorithm, {"greedy", "random", "metis"});
  reader.read("size", size);
  reader.read("mean", mean);
  reader.read("std", std);
  reader.read("layers", layers);
  YamlReader tile = reader.section("tile");
  int64_t tileRows = 0, untouched = 42;
  tile.read("rows", tileRows);
  tile.read("columns", untouched);
  std::vector<int64_t> bits;
  for (YamlReader link : reader.sequence("links"))
    link.read("bits", bits.emplace_back());
  ASSERT_FALSE(static_cast<bool>(reader.finish()));

  EXPECT_EQ(name, "mesh");
  EXPECT_EQ(rows, 10); // not octal
  EXPECT_EQ(negative, -3);
  EXPECT_EQ(scale, 2.5e-3);
  EXPECT_EQ(whole, 4);
  EXPECT_TRUE(on);
  EXPECT_EQ(algorithm, Algorithm::Metis);
  EXPECT_THAT(size, ElementsAre(32, 28));
  EXPECT_THAT(mean, ElementsAre(0.5));
  EXPECT_THAT(std, ElementsAre(1, 2.5));
  EXPECT_THAT(layers, ElementsAre("conv1", "conv2"));
  EXPECT_EQ(tileRows, 5);
  EXPECT_EQ(untouched, 42);
  EXPECT_THAT(bits, ElementsAre(32, 64));
}

TEST(Yaml, AnEmptyFileKeepsEveryDefault) {
  EXPECT_EQ(readError("", readTile), "no error");
  EXPECT_EQ(readError("tile:\n", readTile), "no error");
}

TEST(Yaml, UnknownKeySuggestsTheNearestOne) {
  EXPECT_EQ(readError("tile:\n  rows: 5\n\n  colums: 3\n", readTile),
            "f.yaml:4:3: error: unknown key 'colums' in tile (did you mean 'columns'?)");
  EXPECT_EQ(readError("tyle: {}\n", readTile),
            "f.yaml:1:1: error: unknown key 'tyle' (did you mean 'tile'?)");
  EXPECT_EQ(readError("tile: {voltage: 3}\n", readTile),
            "f.yaml:1:8: error: unknown key 'voltage' in tile, expected rows or columns");
}

TEST(Yaml, WrongTypesSayWhatIsThere) {
  EXPECT_EQ(readError("tile: {rows: many}\n", readTile),
            "f.yaml:1:14: error: rows is 'many', expected an integer");
  EXPECT_EQ(readError("tile: {rows: 1.5}\n", readTile),
            "f.yaml:1:14: error: rows is '1.5', expected an integer");
  EXPECT_EQ(readError("tile: {rows: [1]}\n", readTile),
            "f.yaml:1:14: error: rows is a list, expected an integer");
  EXPECT_EQ(readError("tile: {rows: 99999999999999999999}\n", readTile),
            "f.yaml:1:14: error: rows is '99999999999999999999', expected an integer");
  EXPECT_EQ(readError("tile: 5\n", readTile), "f.yaml:1:7: error: tile is '5', expected a mapping");
  EXPECT_EQ(readError("[1, 2]\n", readTile),
            "f.yaml:1:1: error: the file is a list, expected a mapping of keys");
  auto readFlag = [](YamlReader &reader) {
    bool flag = false;
    reader.read("flag", flag);
  };
  EXPECT_EQ(readError("flag: yes\n", readFlag),
            "f.yaml:1:7: error: flag is 'yes', expected true or false");
  auto readNumber = [](YamlReader &reader) {
    double number = 0;
    reader.read("number", number);
  };
  EXPECT_EQ(readError("number: .nan\n", readNumber),
            "f.yaml:1:9: error: number is '.nan', expected a number");
  EXPECT_EQ(readError("\nnumber:\n\n", readNumber),
            "f.yaml:2:1: error: number is empty, expected a number");
  auto readList = [](YamlReader &reader) {
    std::vector<int64_t> values;
    reader.read("list", values);
  };
  EXPECT_EQ(readError("list: [1, x]\n", readList),
            "f.yaml:1:11: error: list[1] is 'x', expected one integer");
  EXPECT_EQ(readError("list: {a: 1}\n", readList),
            "f.yaml:1:7: error: list is a mapping, expected a list of integers");
  auto readSequence = [](YamlReader &reader) { reader.sequence("links"); };
  EXPECT_EQ(readError("links: 3\n", readSequence),
            "f.yaml:1:8: error: links is '3', expected a list of mappings");
  EXPECT_EQ(readError("links: [{}, 3]\n", readSequence),
            "f.yaml:1:13: error: links[1] is '3', expected a mapping");
}

TEST(Yaml, RangesAreSaid) {
  EXPECT_EQ(readError("tile:\n  rows: 0\n", readTile),
            "f.yaml:2:9: error: rows is 0, expected 1 to 4096");
  auto read = [](YamlReader &reader) {
    int64_t steps = 1;
    double rate = 0;
    reader.read("steps", steps, 1);
    reader.read("rate", rate, 0, 1);
  };
  EXPECT_EQ(readError("steps: -2\n", read), "f.yaml:1:8: error: steps is -2, expected at least 1");
  EXPECT_EQ(readError("rate: 1.5\n", read), "f.yaml:1:7: error: rate is 1.5, expected 0 to 1");
  auto readMost = [](YamlReader &reader) {
    double rate = 0;
    reader.read("rate", rate, -std::numeric_limits<double>::infinity(), 1);
  };
  EXPECT_EQ(readError("rate: 2\n", readMost), "f.yaml:1:7: error: rate is 2, expected at most 1");
}

TEST(Yaml, UnknownWordsListTheWords) {
  auto read = [](YamlReader &reader) {
    Algorithm algorithm = Algorithm::Greedy;
    reader.readEnum("algorithm", algorithm, {"greedy", "random", "metis"});
  };
  EXPECT_EQ(
      readError("algorithm: mtis\n", read),
      "f.yaml:1:12: error: algorithm is 'mtis', expected greedy, random or metis (did you mean "
      "'metis'?)");
}

TEST(Yaml, MissingKeysAreNamedAfterUnknownOnes) {
  auto read = [](YamlReader &reader) {
    YamlReader model = reader.section("model");
    std::string path;
    model.require("path");
    model.read("path", path);
  };
  EXPECT_EQ(readError("model: {}\n", read), "f.yaml:1:8: error: key 'path' is missing in model");
  EXPECT_EQ(readError("other: 1\nmodel: {}\n", read),
            "f.yaml:1:1: error: unknown key 'other', expected model");
  EXPECT_EQ(readError("model: {pth: x}\n", read),
            "f.yaml:1:9: error: unknown key 'pth' in model (did you mean 'path'?)");
  EXPECT_EQ(readError("", [](YamlReader &reader) { reader.require("model"); }),
            "f.yaml: error: key 'model' is missing");
}

TEST(Yaml, TheFirstErrorWinsAndFailRecordsOne) {
  EXPECT_EQ(readError("a: 1\nb: 2\n",
                      [](YamlReader &reader) {
                        reader.fail("b", "b is odd");
                        reader.fail("a", "a is odd");
                      }),
            "f.yaml:2:4: error: b is odd");
}

TEST(Yaml, SectionsReportTheirOwnUnknownKeys) {
  YamlDocument document = parsed("links: [{bits: 1}, {bots: 2}]\nlater: 1\n");
  YamlReader reader(document);
  std::vector<YamlReader> links = reader.sequence("links");
  int64_t bits = 0;
  for (YamlReader &link : links)
    link.read("bits", bits);
  EXPECT_FALSE(static_cast<bool>(links[0].finish()));
  EXPECT_EQ(toText(links[1].finish()),
            "f.yaml:1:21: error: unknown key 'bots' in links[1] (did you mean 'bits'?)");
}

TEST(Yaml, KeysComeInFileOrderAndAreKnown) {
  YamlDocument document = parsed("energy: {spike: 1, hop: 2}\n");
  YamlReader reader(document);
  YamlReader energy = reader.section("energy");
  EXPECT_THAT(energy.keys(), ElementsAre("spike", "hop"));
  EXPECT_FALSE(static_cast<bool>(reader.finish()));
}

TEST(Yaml, SaysWhereAMappingIs) {
  YamlDocument document =
      llvm::cantFail(YamlDocument::parse("a: {b: 1}\nc: [1]\nd: 2\n", "x.yaml"));
  YamlReader reader(document);
  EXPECT_TRUE(reader.isMapping("a"));
  for (const char *key : {"c", "d", "e"})
    EXPECT_FALSE(reader.isMapping(key));
}

TEST(Yaml, SyntaxErrorsHaveAPlace) {
  EXPECT_THAT(parseError("a: [1, 2\nb: 3\n"), HasSubstr("f.yaml:2:"));
  EXPECT_THAT(parseError("a: [1, 2\nb: 3\n"), HasSubstr("error: not valid YAML: "));
  EXPECT_EQ(parseError("a: 1\nb: 2\na: 3\n"),
            "f.yaml:3:1: error: key 'a' is there twice, first in line 1");
  EXPECT_EQ(parseError("x:\n  - {a: 1, a: 3}\n"),
            "f.yaml:2:12: error: key 'a' is there twice, first in line 2");
  EXPECT_EQ(parseError("[1, 2]: 3\n"), "f.yaml:1:1: error: a key is a list, expected a word");
  EXPECT_EQ(parseError("a: 1\n---\nb: 2\n"),
            "f.yaml: error: holds several YAML documents, expected one");
  EXPECT_THAT(parseError("a: &x [*x]\n"), HasSubstr("nested deeper than 64 levels"));
}

TEST(Yaml, MappingsHaveFewEnoughKeysToFindThemOneByOne) {
  std::string text = "b: 1\na:\n";
  for (int key = 0; key < 20000; ++key)
    text += "  k" + std::to_string(key) + ": 1\n";
  parsed(text);
  EXPECT_EQ(parseError(text + "  more: 1\n"),
            "f.yaml:20003:3: error: a mapping of more than 20000 keys");
}

TEST(Yaml, HostileTextEnds) {
  // yaml-cpp 0.7 does not pass by these signs.
  EXPECT_EQ(parseError(",a :&ax"),
            "f.yaml:1:1: error: not valid YAML: expected a value, a list or keys");
  std::string text = "a0: &a0 [1, 1]\n";
  for (int k = 1; k < 40; ++k)
    text += fmt::format("a{0}: &a{0} [*a{1}, *a{1}]\n", k, k - 1);
  EXPECT_EQ(parseError(text), "f.yaml: error: holds more than 1048576 values, aliases counted as "
                              "what they stand for");
}

TEST(Yaml, OverridesReplaceAndMakeKeys) {
  auto read = [](YamlReader &reader) {
    YamlReader emulation = reader.section("emulation");
    int64_t steps = 0;
    std::vector<int64_t> sizes;
    emulation.read("steps", steps);
    emulation.read("sizes", sizes);
    EXPECT_EQ(steps, 16);
    EXPECT_THAT(sizes, ElementsAre(1, 2));
  };
  std::vector<std::string> overrides = {"emulation.steps=8", "emulation.sizes=[1, 2]",
                                        "emulation.steps=16"};
  EXPECT_EQ(readError("emulation: {steps: 4}\n", read, overrides), "no error");
  EXPECT_EQ(readError("", read, overrides), "no error");
}

/// As if they had never been there; an empty value is an empty section.
TEST(Yaml, OverridesWithNullTakeKeysAway) {
  auto has = [](bool expected) {
    return [expected](YamlReader &reader) {
      EXPECT_EQ(reader.has("emulation"), expected);
      YamlReader emulation = reader.section("emulation");
      int64_t steps = 7;
      emulation.read("steps", steps);
      EXPECT_EQ(steps, 7);
    };
  };
  for (const char *null : {"null", "~", "Null", " null"}) {
    std::string whole = std::string("emulation=") + null,
                part = std::string("emulation.steps=") + null;
    EXPECT_EQ(readError("emulation: {steps: 4}\n", has(false), {whole}), "no error") << null;
    EXPECT_EQ(readError("emulation: {steps: 4}\n", has(false), {"emulation.steps=9", whole}),
              "no error");
    EXPECT_EQ(readError("emulation: {steps: 4}\n", has(true), {part}), "no error");
    EXPECT_EQ(readError("emulation: {steps: 4}\n", has(true), {whole, "emulation="}), "no error");
    for (const char *empty : {"", "emulation: 3\n", "emulation: [1]\n"})
      EXPECT_EQ(readError(empty, has(false), {part, whole}), "no error") << empty;
  }
  EXPECT_EQ(
      readError("tile: {rows: 4}\n", readTile, {"tile.rows=many", "tile.rows=null", "tile.rows=0"}),
      "--set tile.rows: error: rows is 0, expected 1 to 4096");
}

TEST(Yaml, ErrorsInOverridesNameTheOverride) {
  EXPECT_EQ(readError("tile: {rows: 4}\n", readTile, {"tile.rows=many"}),
            "--set tile.rows: error: rows is 'many', expected an integer");
  EXPECT_EQ(readError("tile: {rows: 4}\n", readTile, {"tile.colums=4"}),
            "--set tile.colums: error: unknown key 'colums' in tile (did you mean 'columns'?)");
  EXPECT_EQ(readError("", readTile, {"tile={rows: 0}"}),
            "--set tile: error: rows is 0, expected 1 to 4096");
  EXPECT_EQ(overrideError("", "steps"),
            "--set steps: error: expected KEY=VALUE with a dotted key, e.g. emulation.steps=16");
  EXPECT_EQ(overrideError("", "a..b=1"),
            "--set a..b: error: expected KEY=VALUE with a dotted key, e.g. emulation.steps=16");
  EXPECT_EQ(overrideError("chip: x.yaml\n", "chip.rows=1"),
            "--set chip.rows: error: 'chip' is 'x.yaml', not a mapping, and has no keys");
  EXPECT_EQ(overrideError("- 1\n", "a=1"), "--set a: error: f.yaml is a list, not a mapping");
  EXPECT_THAT(overrideError("", "a=[1"), HasSubstr("--set a"));
}

TEST(Yaml, LoadNamesTheFile) {
  TemporaryFolder folder;
  std::string path = folder.write("chip.yaml", "tile: {rows: 0}\n");
  YamlDocument document = llvm::cantFail(YamlDocument::load(path));
  YamlReader reader(document);
  readTile(reader);
  EXPECT_EQ(toText(reader.finish()), path + ":1:14: error: rows is 0, expected 1 to 4096");
  EXPECT_EQ(reader.place("tile"), path + ":1:7");
  EXPECT_EQ(toText(YamlDocument::load(folder / "absent.yaml").takeError()),
            folder / "absent.yaml" + ": error: cannot open: No such file or directory");
}

TEST(Yaml, NumbersThatAreNoneOrTooLargeAreRefused) {
  auto read = [](YamlReader &reader) {
    double clock = 0;
    std::vector<double> scales;
    int64_t steps = 0;
    reader.read("clock", clock);
    reader.read("scales", scales);
    reader.read("steps", steps);
  };
  for (const char *text : {"1e999", "-1e999", ".inf", "inf", "nan", ".nan", "NaN", "1e", "0x"})
    EXPECT_EQ(readError(fmt::format("clock: {}\n", text), read),
              fmt::format("f.yaml:1:8: error: clock is '{}', expected a number", text));
  EXPECT_EQ(readError("scales: [1, 1e999]\n", read),
            "f.yaml:1:13: error: scales[1] is '1e999', expected one number");
  for (const char *text : {"9223372036854775808", "1e3", "1.0", "-9223372036854775809"})
    EXPECT_EQ(readError(fmt::format("steps: {}\n", text), read),
              fmt::format("f.yaml:1:8: error: steps is '{}', expected an integer", text));
}

TEST(Yaml, WhatIsNotUtf8IsRefusedWithItsPlace) {
  EXPECT_EQ(parseError("name: small\nchip: gr\xfc\xdf.yaml\n"),
            "f.yaml:2:9: error: not UTF-8; save the file as UTF-8");
  EXPECT_EQ(parseError("größe: 1\n"), "no error");
  EXPECT_EQ(overrideError("", "chip=gr\xfc\xdf.yaml"),
            "--set chip:1:3: error: not UTF-8; save the file as UTF-8");
}

TEST(Yaml, KeysOfManyWordsAreRefused) {
  std::string key = "a";
  for (int word = 1; word < 64; ++word)
    key += ".a";
  EXPECT_EQ(overrideError("", key + "=1"), "no error");
  EXPECT_THAT(overrideError("", key + ".a=1"),
              testing::EndsWith("error: a key of 65 words, expected at most 64"));
}

TEST(Yaml, NoWordIsNearToWhatIsNone) {
  std::vector<std::string> words = {"columns"};
  EXPECT_EQ(suggestion("colums", words), " (did you mean 'columns'?)");
  words = {std::string(kLongestWord, 'c')}; // near to both
  EXPECT_NE(suggestion(std::string(kLongestWord - 1, 'c'), words), "");
  EXPECT_EQ(suggestion(std::string(kLongestWord + 1, 'c'), words), "");
}

// The whole of another file was quoted, in many lines.
TEST(Yaml, ValuesInErrorsAreShortAndInOneLine) {
  std::string text = "<sdf3>\n";
  for (int i = 0; i < 100; ++i)
    text += "  <actor name='a'/>\n";
  EXPECT_EQ(readError(text, readTile),
            "f.yaml:1:1: error: the file is '<sdf3> <actor name='a'/> <actor name='a'/> <actor "
            "name='a'/> <actor name='a'/> <…', expected a mapping of keys");
  for (const char *document : {"\"a\\nb\": 1\n", "\"a\\nb\": 1\n\"a\\nb\": 2\n",
                               "tile: \"a\\nb\"\n", "tile: {rows: \"\\n\"}"}) {
    std::string error = parseError(document);
    error = error == "no error" ? readError(document, readTile) : error;
    EXPECT_THAT(error, testing::AllOf(HasSubstr("error: "), testing::Not(HasSubstr("\n"))));
  }
}
