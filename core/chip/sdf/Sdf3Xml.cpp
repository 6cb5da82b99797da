#include "core/chip/sdf/Sdf3Xml.h"

#include "core/chip/sdf/Sdf3Document.h"
#include "core/support/Decimal.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <utility>

namespace spindle {

namespace {

struct Port {
  bool isOutput;
  PerPhase<uint32_t> rate;
  bool isConnected = false;
};

/// Reads one file; the members are filled by the functions in order of the document.
class Sdf3Reader {
public:
  explicit Sdf3Reader(const Sdf3Document &from) : document(from) {}

  llvm::Expected<SdfApplication> read() {
    pugi::xml_node application = document.root().child("applicationGraph");
    if (!application)
      return inputError(document.file(),
                        "no sdf3/applicationGraph element; expected an SDF3 application");
    pugi::xml_node sdf = application.child("csdf");
    isCyclic = bool(sdf);
    if (!isCyclic)
      sdf = application.child("sdf");
    if (!sdf)
      return inputError(placeOf(application),
                        "no sdf and no csdf element, expected a synchronous or cyclo-static "
                        "data-flow graph");
    graph.name = application.attribute("name").as_string(sdf.attribute("name").as_string());
    SPINDLE_RETURN_IF_ERROR(document.checkName(application, "graph", graph.name));
    for (pugi::xml_node actor : sdf.children("actor"))
      SPINDLE_RETURN_IF_ERROR(addActor(actor));
    for (pugi::xml_node channel : sdf.children("channel"))
      SPINDLE_RETURN_IF_ERROR(addChannel(channel));
    pugi::xml_node properties = application.child(isCyclic ? "csdfProperties" : "sdfProperties");
    SPINDLE_RETURN_IF_ERROR(addProperties(properties, sdf));
    if (isCyclic)
      orderPhases();
    SPINDLE_RETURN_IF_ERROR(addConstraint(properties));
    return result;
  }

private:
  std::string placeOf(pugi::xml_node node) const { return document.placeOf(node); }

  /// Numbers of an attribute: one, or in a cyclo-static graph a list with one for each phase.
  template <typename Integer>
  llvm::Expected<PerPhase<Integer>> phases(pugi::xml_node node, const char *attribute,
                                           Integer least) const {
    if (!isCyclic) {
      SPINDLE_ASSIGN(Integer only, document.number<Integer>(node, attribute, least));
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
        return inputError(
            placeOf(node),
            fmt::format("{} '{}', expected whole numbers up to {} with commas between "
                        "them, as 1,0,18*32",
                        attribute, given.take_front(80).str(),
                        std::numeric_limits<Integer>::max()));
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

  llvm::Error addActor(pugi::xml_node node) {
    std::string name = node.attribute("name").as_string();
    auto id = static_cast<ActorId>(graph.actors.size());
    if (name.empty())
      return inputError(placeOf(node), "actor without a name");
    SPINDLE_RETURN_IF_ERROR(document.checkName(node, "actor", name));
    if (!actorIds.emplace(name, id).second)
      return inputError(placeOf(node), fmt::format("second actor '{}'; names must differ", name));
    graph.actors.push_back({name, 0});
    ports.emplace_back();
    result.processors.emplace_back();
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

  /// Of a port that a channel is connected to: the only one.
  llvm::Expected<PerPhase<uint32_t>> connect(pugi::xml_node node, const char *attribute,
                                             ActorId actor, bool isOutput) {
    std::string name = node.attribute(attribute).as_string();
    auto found = ports[actor].find(name);
    if (found == ports[actor].end() || found->second.isOutput != isOutput)
      return inputError(placeOf(node),
                        fmt::format("{} '{}' is not an {} port of actor '{}'", attribute, name,
                                    isOutput ? "output" : "input", graph.actors[actor].name));
    if (std::exchange(found->second.isConnected, true))
      return inputError(placeOf(node),
                        fmt::format("second channel at port '{}' of actor '{}'; give each channel "
                                    "a port of its own",
                                    name, graph.actors[actor].name));
    return found->second.rate;
  }

  llvm::Error addChannel(pugi::xml_node node) {
    SdfChannel channel{};
    SPINDLE_ASSIGN(channel.source, actorOf(node, "srcActor"));
    SPINDLE_ASSIGN(channel.target, actorOf(node, "dstActor"));
    SPINDLE_ASSIGN(channel.produce, connect(node, "srcPort", channel.source, true));
    SPINDLE_ASSIGN(channel.consume, connect(node, "dstPort", channel.target, false));
    if (node.attribute("initialTokens")) {
      SPINDLE_ASSIGN(channel.initialTokens, document.number<uint64_t>(node, "initialTokens", 0));
    }
    std::string name = node.attribute("name").as_string();
    if (!channelIds.emplace(name, graph.channels.size()).second && !name.empty())
      return inputError(placeOf(node), fmt::format("second channel '{}'; names must differ", name));
    graph.channels.push_back(channel);
    return llvm::Error::success();
  }

  llvm::Error addProperties(pugi::xml_node properties, pugi::xml_node sdf) {
    std::vector<bool> timed(graph.actors.size(), false), told(timed);
    for (pugi::xml_node node : properties.children("actorProperties")) {
      SPINDLE_ASSIGN(ActorId actor, actorOf(node, "actor"));
      if (told[actor])
        return inputError(placeOf(node), fmt::format("second actorProperties of actor '{}'; give "
                                                     "all of them in one element",
                                                     graph.actors[actor].name));
      told[actor] = true;
      pugi::xml_node processor; // SDF3 overwrites one default processor by the next
      for (pugi::xml_node each : node.children("processor")) {
        SPINDLE_RETURN_IF_ERROR(addProcessor(actor, each));
        if (llvm::StringRef(each.attribute("default").as_string()) == "true")
          processor = each;
      }
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
    std::set<size_t> toldChannels;
    for (pugi::xml_node node : properties.children("channelProperties")) {
      auto found = channelIds.find(node.attribute("channel").as_string());
      if (found == channelIds.end())
        return inputError(placeOf(node), fmt::format("channel '{}' is not a channel of this graph",
                                                     node.attribute("channel").as_string()));
      if (!toldChannels.insert(found->second).second)
        return inputError(placeOf(node), fmt::format("second channelProperties of channel '{}'; "
                                                     "give all of them in one element",
                                                     found->first));
      if (pugi::xml_node token = node.child("tokenSize")) {
        SPINDLE_ASSIGN(graph.channels[found->second].tokenBits,
                       document.number<uint32_t>(token, "sz", 0));
      }
    }
    return llvm::Error::success();
  }

  /// On which kinds of tiles the actor runs: only those with a type and a time.
  llvm::Error addProcessor(ActorId actor, pugi::xml_node node) {
    SdfProcessor processor;
    processor.type = node.attribute("type").as_string();
    pugi::xml_node time = node.child("executionTime");
    if (processor.type.empty() || !time)
      return llvm::Error::success();
    SPINDLE_RETURN_IF_ERROR(document.checkName(node, "processor", processor.type));
    SPINDLE_ASSIGN(processor.executionTime, phases<uint64_t>(time, "time", 0));
    if (pugi::xml_node state = node.child("memory").child("stateSize")) {
      SPINDLE_ASSIGN(processor.stateBits, document.number<uint64_t>(state, "max", 0));
    }
    result.processors[actor].push_back(std::move(processor));
    return llvm::Error::success();
  }

  llvm::Error addConstraint(pugi::xml_node properties) {
    pugi::xml_node node =
        properties.child("graphProperties").child("timeConstraints").child("throughput");
    if (!node)
      return llvm::Error::success();
    llvm::StringRef text = llvm::StringRef(node.child_value()).trim();
    if (!readDecimal(text, result.throughput) ||
        !(result.throughput >= 0 && result.throughput < 1e300))
      return inputError(placeOf(node), fmt::format("throughput '{}', expected iterations per time "
                                                   "unit, a number of at least 0",
                                                   excerpt(text)));
    return llvm::Error::success();
  }

  const Sdf3Document &document;
  SdfApplication result;
  SdfGraph &graph = result.graph;
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

llvm::Expected<SdfApplication> readSdf3Application(const std::string &path) {
  SPINDLE_ASSIGN(Sdf3Document document, Sdf3Document::read(path));
  return Sdf3Reader(document).read();
}

llvm::Expected<SdfGraph> readSdf3Xml(const std::string &path) {
  SPINDLE_ASSIGN(SdfApplication application, readSdf3Application(path));
  return std::move(application.graph);
}

} // namespace spindle
