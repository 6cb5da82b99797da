#include "core/chip/sdf/SdfArchitecture.h"

#include "core/chip/sdf/Sdf3Document.h"

#include <algorithm>

namespace spindle {

const SdfConnection *SdfArchitecture::between(SdfTileId source, SdfTileId target) const {
  auto found = std::find_if(connections.begin(), connections.end(), [&](const SdfConnection &each) {
    return each.source == source && each.target == target;
  });
  return found == connections.end() ? nullptr : &*found;
}

std::optional<SdfTileId> SdfArchitecture::find(const std::string &tileName) const {
  for (SdfTileId t = 0; t < tiles.size(); ++t)
    if (tiles[t].name == tileName)
      return t;
  return std::nullopt;
}

static llvm::Expected<SdfTile> readTile(const Sdf3Document &document, pugi::xml_node node) {
  SdfTile tile;
  tile.name = node.attribute("name").as_string();
  if (tile.name.empty())
    return inputError(document.placeOf(node), "tile without a name");
  SPINDLE_RETURN_IF_ERROR(document.checkName(node, "tile", tile.name));
  pugi::xml_node processor = node.child("processor");
  tile.processor = processor.attribute("type").as_string();
  if (tile.processor.empty())
    return inputError(document.placeOf(node),
                      fmt::format("tile '{}' has no processor with a type", tile.name));
  SPINDLE_RETURN_IF_ERROR(document.checkName(processor, "processor", tile.processor));
  if (pugi::xml_node arbitration = processor.child("arbitration")) {
    llvm::StringRef type = arbitration.attribute("type").as_string();
    if (type != "TDMA")
      return inputError(document.placeOf(arbitration),
                        fmt::format("arbitration '{}', expected TDMA", excerpt(type)));
    SPINDLE_ASSIGN(tile.wheel, document.number<uint64_t>(arbitration, "wheelsize", 1));
    if (tile.wheel > UINT32_MAX)
      return inputError(document.placeOf(arbitration),
                        fmt::format("wheelsize {}, expected at most {}", tile.wheel, UINT32_MAX));
  }
  struct Size {
    const char *element, *attribute;
    uint64_t &value;
  };
  for (const Size &size : {Size{"memory", "size", tile.memory},
                           {"networkInterface", "nrConnections", tile.connections},
                           {"networkInterface", "inBandwidth", tile.inBandwidth},
                           {"networkInterface", "outBandwidth", tile.outBandwidth}}) {
    pugi::xml_node element = node.child(size.element);
    if (!element)
      return inputError(document.placeOf(node),
                        fmt::format("tile '{}' has no {}", tile.name, size.element));
    SPINDLE_ASSIGN(size.value, document.number<uint64_t>(element, size.attribute, 0));
  }
  return tile;
}

static llvm::Expected<SdfConnection> readConnection(const Sdf3Document &document,
                                                    pugi::xml_node node,
                                                    const SdfArchitecture &architecture) {
  SdfConnection connection{node.attribute("name").as_string(), 0, 0};
  SPINDLE_RETURN_IF_ERROR(document.checkName(node, "connection", connection.name));
  for (auto [attribute, end] :
       {std::pair{"srcTile", &connection.source}, {"dstTile", &connection.target}}) {
    std::string name = node.attribute(attribute).as_string();
    std::optional<SdfTileId> tile = architecture.find(name);
    if (!tile)
      return inputError(
          document.placeOf(node),
          fmt::format("{} '{}' is not a tile of this architecture", attribute, excerpt(name)));
    *end = *tile;
  }
  SPINDLE_ASSIGN(connection.delay, document.number<uint64_t>(node, "delay", 0));
  if (connection.delay > UINT32_MAX)
    return inputError(document.placeOf(node),
                      fmt::format("delay {}, expected at most {}", connection.delay, UINT32_MAX));
  return connection;
}

llvm::Expected<SdfArchitecture> readSdf3Architecture(const std::string &path) {
  SPINDLE_ASSIGN(Sdf3Document document, Sdf3Document::read(path));
  pugi::xml_node graph = document.root().child("architectureGraph");
  if (!graph)
    return inputError(path, "no sdf3/architectureGraph element; expected an SDF3 architecture");
  SdfArchitecture architecture;
  architecture.name = graph.attribute("name").as_string();
  SPINDLE_RETURN_IF_ERROR(document.checkName(graph, "architecture", architecture.name));
  for (pugi::xml_node node : graph.children("tile")) {
    SPINDLE_ASSIGN(SdfTile tile, readTile(document, node));
    if (architecture.find(tile.name))
      return inputError(document.placeOf(node),
                        fmt::format("second tile '{}'; names must differ", tile.name));
    architecture.tiles.push_back(std::move(tile));
  }
  if (architecture.tiles.empty())
    return inputError(document.placeOf(graph), "no tile, expected at least one");
  for (pugi::xml_node node : graph.children("connection")) {
    SPINDLE_ASSIGN(SdfConnection connection, readConnection(document, node, architecture));
    architecture.connections.push_back(std::move(connection));
  }
  return architecture;
}

} // namespace spindle
