#include "core/chip/sdf/Sdf3Xml.h"

#include "core/support/TextPlace.h"
#include "core/support/files/File.h"

#include "fmt/format.h"
#include "pugixml.hpp"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <fstream>
#include <map>

namespace spindle {

namespace {

struct Port {
  bool isOutput;
  PerPhase<uint32_t> rate;
};

/// Reads one file; the members are filled by the functions in order of the document.
class Sdf3Reader {
public:
  Sdf3Reader(const std::string &filePath, const std::string &fileText)
      : path(filePath), text(fileText) {}

  llvm::Expected<SdfGraph> read() {
    pugi::xml_document document;
    pugi::xml_parse_result result = document.load_buffer(text.data(), text.size());
    // Other encodings, which the file declares, are converted.
    size_t notUtf8 = result.encoding == pugi::encoding_utf8 ? findNotUtf8(text) : text.npos;
    if (notUtf8 != text.npos)
      return inputError(textPlace(path, text, notUtf8), "not UTF-8; save the file as UTF-8");
    if (!result)
      return inputError(placeAt(result.offset),
                        fmt::format("not valid XML: {}", lowerFirst(result.description())));
    pugi::xml_node application = document.child("sdf3").child("applicationGraph");
    if (!application)
      return inputError(path, "no sdf3/applicationGraph element; expected an SDF3 application");
    pugi::xml_node sdf = application.child("csdf");
    isCyclic = bool(sdf);
    if (!isCyclic)
      sdf = application.child("sdf");
    if (!sdf)
      return inputError(placeOf(application),
                        "no sdf and no csdf element, expected a synchronous or cyclo-static "
                        "data-flow graph");
    graph.name = application.attribute("name").as_string(sdf.attribute("name").as_string());
    SPINDLE_RETURN_IF_ERROR(checkName(application, "graph", graph.name));
    for (pugi::xml_node actor : sdf.children("actor"))
      SPINDLE_RETURN_IF_ERROR(addActor(actor));
    for (pugi::xml_node channel : sdf.children("channel"))
      SPINDLE_RETURN_IF_ERROR(addChannel(channel));
    SPINDLE_RETURN_IF_ERROR(
        addProperties(application.child(isCyclic ? "csdfProperties" : "sdfProperties"), sdf));
    if (isCyclic)
      orderPhases();
    return graph;
  }

private:
  std::string placeAt(ptrdiff_t offset) const {
    return textPlace(path, text, static_cast<size_t>(std::max<ptrdiff_t>(offset, 0)));
  }
  std::string placeOf(pugi::xml_node node) const { return placeAt(node.offset_debug()); }

  static std::string lowerFirst(std::string message) {
    if (!message.empty())
      message[0] = static_cast<char>(std::tolower(message[0]));
    return message;
  }

  /// A whole number in an attribute, at least `least`.
  template <typename Integer>
  llvm::Expected<Integer> number(pugi::xml_node node, const char *attribute, Integer least) const {
    llvm::StringRef value = node.attribute(attribute).as_string();
    Integer result = 0;
    if (value.getAsInteger(10, result) || result < least)
      return inputError(placeOf(node),
                        fmt::format("{} '{}', expected a whole number of at least {}", attribute,
                                    value.str(), least));
    return result;
  }

  /// Numbers of an attribute: one, or in a cyclo-static graph a list with one for each phase.
  template <typename Integer>
  llvm::Expected<PerPhase<Integer>> phases(pugi::xml_node node, const char *attribute,
                                           Integer least) const {
    if (!isCyclic) {
      SPINDLE_ASSIGN(Integer only, number<Integer>(node, attribute, least));
      return PerPhase<Integer>(only);
    }
    llvm::StringRef given = node.attribute(attribute).as_string();
    llvm::SmallVector<llvm::StringRef> entries;
    given.split(entries, ',');
    std::vector<Integer> numbers;
    for (llvm::StringRef entry : entries) {
      auto [first, second] = entry.split('*');
      uint64_t count = 1;
      Integer value = 0;
      bool isRepeated = entry.contains('*');
      if ((isRepeated ? second : first).trim().getAsInteger(10, value) ||
          (isRepeated && first.trim().getAsInteger(10, count)) || count == 0)
        return inputError(placeOf(node),
                          fmt::format("{} '{}', expected whole numbers with commas between them, "
                                      "as 1,0,18*32",
                                      attribute, given.take_front(80).str()));
      if (count > kMaximumPhases - numbers.size())
        return inputError(placeOf(node), fmt::format("{} '{}' has more than {} phases", attribute,
                                                     given.take_front(80).str(), kMaximumPhases));
      numbers.insert(numbers.end(), count, value);
    }
    return PerPhase<Integer>(std::move(numbers));
  }

  /// What the file leaves out: an actor does one phase at a time.
  void orderPhases() {
    std::vector<bool> isOrdered(graph.actors.size(), false);
    for (const SdfChannel &channel : graph.channels)
      if (channel.source == channel.target && channel.produce == 1 && channel.consume == 1 &&
          channel.initialTokens == 1)
        isOrdered[channel.source] = true;
    for (ActorId a = 0; a < graph.actors.size(); ++a)
      if (!isOrdered[a])
        graph.channels.push_back({a, a, 1, 1, 1, 0});
  }

  /// Of names that are written to files. References such as `&#xD800;` make what is no text of a
  /// file in UTF-8.
  llvm::Error checkName(pugi::xml_node node, const char *what, const std::string &name) const {
    if (findNotUtf8(name) == llvm::StringRef::npos)
      return llvm::Error::success();
    return inputError(placeOf(node), fmt::format("{} '{}', expected a name in UTF-8; leave out "
                                                 "references to what is no character",
                                                 what, name));
  }

  llvm::Error addActor(pugi::xml_node node) {
    std::string name = node.attribute("name").as_string();
    auto id = static_cast<ActorId>(graph.actors.size());
    if (name.empty())
      return inputError(placeOf(node), "actor without a name");
    SPINDLE_RETURN_IF_ERROR(checkName(node, "actor", name));
    if (!actorIds.emplace(name, id).second)
      return inputError(placeOf(node), fmt::format("second actor '{}'; names must differ", name));
    graph.actors.push_back({name, 0});
    ports.emplace_back();
    for (pugi::xml_node port : node.children("port")) {
      llvm::StringRef type = port.attribute("type").as_string();
      if (type != "in" && type != "out")
        return inputError(placeOf(port),
                          fmt::format("port type '{}', expected in or out", type.str()));
      SPINDLE_ASSIGN(PerPhase<uint32_t> rate, phases<uint32_t>(port, "rate", 1));
      std::string portName = port.attribute("name").as_string();
      if (!ports[id].emplace(portName, Port{type == "out", rate}).second)
        return inputError(
            placeOf(port),
            fmt::format("second port '{}' of actor '{}'; names must differ", portName, name));
    }
    return llvm::Error::success();
  }

  llvm::Expected<ActorId> actorOf(pugi::xml_node node, const char *attribute) const {
    std::string name = node.attribute(attribute).as_string();
    auto found = actorIds.find(name);
    if (found == actorIds.end())
      return inputError(placeOf(node),
                        fmt::format("{} '{}' is not an actor of this graph", attribute, name));
    return found->second;
  }

  llvm::Expected<PerPhase<uint32_t>> rateOf(pugi::xml_node node, const char *attribute,
                                            ActorId actor, bool isOutput) const {
    std::string name = node.attribute(attribute).as_string();
    auto found = ports[actor].find(name);
    if (found == ports[actor].end() || found->second.isOutput != isOutput)
      return inputError(placeOf(node),
                        fmt::format("{} '{}' is not an {} port of actor '{}'", attribute, name,
                                    isOutput ? "output" : "input", graph.actors[actor].name));
    return found->second.rate;
  }

  llvm::Error addChannel(pugi::xml_node node) {
    SdfChannel channel{};
    SPINDLE_ASSIGN(channel.source, actorOf(node, "srcActor"));
    SPINDLE_ASSIGN(channel.target, actorOf(node, "dstActor"));
    SPINDLE_ASSIGN(channel.produce, rateOf(node, "srcPort", channel.source, true));
    SPINDLE_ASSIGN(channel.consume, rateOf(node, "dstPort", channel.target, false));
    if (node.attribute("initialTokens")) {
      SPINDLE_ASSIGN(channel.initialTokens, number<uint64_t>(node, "initialTokens", 0));
    }
    channelIds.emplace(node.attribute("name").as_string(), graph.channels.size());
    graph.channels.push_back(channel);
    return llvm::Error::success();
  }

  llvm::Error addProperties(pugi::xml_node properties, pugi::xml_node sdf) {
    std::vector<bool> timed(graph.actors.size(), false);
    for (pugi::xml_node node : properties.children("actorProperties")) {
      SPINDLE_ASSIGN(ActorId actor, actorOf(node, "actor"));
      pugi::xml_node processor; // SDF3 overwrites one default processor by the next
      for (pugi::xml_node each : node.children("processor"))
        if (llvm::StringRef(each.attribute("default").as_string()) == "true")
          processor = each;
      if (pugi::xml_node time = processor.child("executionTime")) {
        SPINDLE_ASSIGN(graph.actors[actor].executionTime, phases<uint64_t>(time, "time", 0));
        timed[actor] = true;
      }
    }
    for (size_t actor = 0; actor < timed.size(); ++actor)
      if (!timed[actor])
        return inputError(placeOf(sdf),
                          fmt::format("actor '{}' has no executionTime on a default processor",
                                      graph.actors[actor].name));
    for (pugi::xml_node node : properties.children("channelProperties")) {
      auto found = channelIds.find(node.attribute("channel").as_string());
      if (found == channelIds.end())
        return inputError(placeOf(node), fmt::format("channel '{}' is not a channel of this graph",
                                                     node.attribute("channel").as_string()));
      if (pugi::xml_node token = node.child("tokenSize")) {
        SPINDLE_ASSIGN(graph.channels[found->second].tokenBits, number<uint32_t>(token, "sz", 0));
      }
    }
    return llvm::Error::success();
  }

  const std::string &path, &text;
  SdfGraph graph;
  bool isCyclic = false; // cyclo-static
  std::map<std::string, ActorId> actorIds;
  std::vector<std::map<std::string, Port>> ports; // per actor
  std::map<std::string, size_t> channelIds;
};

} // namespace

bool isSdf3Xml(const std::string &path) {
  if (llvm::StringRef(path).ends_with_insensitive(".xml"))
    return true;
  llvm::Expected<std::ifstream> stream = openFile(path);
  char first = 0;
  if (!stream)
    llvm::consumeError(stream.takeError()); // said by the one who reads it
  else
    *stream >> first;
  return first == '<'; // what JSON and YAML do not begin with
}

llvm::Expected<SdfGraph> readSdf3Xml(const std::string &path) {
  SPINDLE_ASSIGN(std::string text, readFile(path));
  return Sdf3Reader(path, text).read();
}

} // namespace spindle
