#include "lib/frontend/nir/NirGraph.h"

#include "fmt/format.h"

namespace spindle {

namespace {

constexpr int deepestGraph = 16;      // graphs within graphs; a damaged file may contain itself
constexpr uint64_t mostNodes = 20000; // of all graphs; a small file may contain one many times

llvm::Expected<NirArray> readArray(const Hdf5Reader &file, const std::string &name) {
  NirArray array;
  SPINDLE_ASSIGN(Hdf5Kind kind, file.kind(name));
  if (kind == Hdf5Kind::Group || kind == Hdf5Kind::Other)
    return inputError(
        file.fileName(),
        fmt::format("'{}' holds neither numbers nor texts, expected a data set", name));
  array.type = kind == Hdf5Kind::Integers  ? NirType::Integers
               : kind == Hdf5Kind::Float32 ? NirType::Float32
               : kind == Hdf5Kind::Float64 ? NirType::Float64
                                           : NirType::Texts;
  SPINDLE_ASSIGN(array.extents, file.shape(name));
  llvm::Error error =
      array.type == NirType::Texts ? file.read(name, array.texts) : file.read(name, array.numbers);
  SPINDLE_RETURN_IF_ERROR(std::move(error));
  return array;
}

llvm::Expected<std::string> readText(const Hdf5Reader &file, const std::string &name) {
  std::vector<std::string> texts;
  SPINDLE_RETURN_IF_ERROR(file.read(name, texts));
  if (texts.size() != 1)
    return inputError(file.fileName(),
                      fmt::format("'{}' holds {} texts, expected one", name, texts.size()));
  return texts[0];
}

llvm::Expected<std::vector<NirEdge>> readEdges(const Hdf5Reader &file, const std::string &name) {
  std::vector<std::string> names;
  SPINDLE_ASSIGN(std::vector<uint64_t> extents, file.shape(name));
  bool isEmpty = !extents.empty() && extents[0] == 0; // h5py writes an empty list as floats
  if (!isEmpty && (extents.size() != 2 || extents[1] != 2))
    return inputError(file.fileName(),
                      fmt::format("'{}' is no list of pairs, expected two names per edge", name));
  if (!isEmpty)
    SPINDLE_RETURN_IF_ERROR(file.read(name, names));
  std::vector<NirEdge> edges;
  for (size_t i = 0; i + 1 < names.size(); i += 2)
    edges.push_back({names[i], names[i + 1]});
  return edges;
}

llvm::Expected<NirNode> readNode(const Hdf5Reader &file, const std::string &path,
                                 const std::string &name, int depth, uint64_t &nodes);

llvm::Error readGraph(const Hdf5Reader &file, const std::string &path, NirNode &node, int depth,
                      uint64_t &nodes) {
  if (depth > deepestGraph)
    return inputError(file.fileName(),
                      fmt::format("graphs are nested more than {} deep", deepestGraph));
  SPINDLE_ASSIGN(node.edges, readEdges(file, path + "/edges"));
  SPINDLE_ASSIGN(std::vector<std::string> names, file.members(path + "/nodes"));
  for (const std::string &name : names) {
    SPINDLE_ASSIGN(NirNode inner, readNode(file, path + "/nodes/" + name, name, depth + 1, nodes));
    node.nodes.push_back(std::move(inner));
  }
  return llvm::Error::success();
}

llvm::Error readArrays(const Hdf5Reader &file, const std::string &group, NirArrays &arrays,
                       llvm::ArrayRef<std::string> exceptions) {
  SPINDLE_ASSIGN(std::vector<std::string> names, file.members(group));
  for (const std::string &name : names) {
    if (llvm::is_contained(exceptions, name))
      continue;
    SPINDLE_ASSIGN(arrays[name], readArray(file, group + "/" + name));
  }
  return llvm::Error::success();
}

/// What does not matter for the network may be of any kind, and is left out where it is no array.
void readMetadata(const Hdf5Reader &file, const std::string &group, NirArrays &arrays) {
  if (!file.has(group))
    return;
  llvm::Expected<std::vector<std::string>> names = file.members(group);
  if (!names) {
    llvm::consumeError(names.takeError());
    return;
  }
  for (const std::string &name : *names)
    if (llvm::Expected<NirArray> array = readArray(file, group + "/" + name))
      arrays[name] = std::move(*array);
    else
      llvm::consumeError(array.takeError());
}

llvm::Expected<NirNode> readNode(const Hdf5Reader &file, const std::string &path,
                                 const std::string &name, int depth, uint64_t &nodes) {
  if (++nodes > mostNodes)
    return inputError(file.fileName(), fmt::format("has more than {} nodes, those of graphs within "
                                                   "graphs counted wherever they stand",
                                                   mostNodes));
  NirNode node;
  node.name = name;
  SPINDLE_ASSIGN(node.type, readText(file, path + "/type"));
  std::vector<std::string> exceptions{"type", "metadata"};
  if (node.isGraph()) {
    exceptions.insert(exceptions.end(), {"nodes", "edges"});
    SPINDLE_RETURN_IF_ERROR(readGraph(file, path, node, depth, nodes));
  }
  SPINDLE_RETURN_IF_ERROR(readArrays(file, path, node.parameters, exceptions));
  readMetadata(file, path + "/metadata", node.metadata);
  return node;
}

llvm::Error writeArrays(Hdf5Writer &file, const std::string &group, const NirArrays &arrays) {
  for (const auto &[name, array] : arrays) {
    std::string path = group + "/" + name;
    const std::vector<double> &numbers = array.numbers;
    llvm::Error error = array.type == NirType::Texts
                            ? file.writeArray(path, array.extents, array.texts)
                        : array.type == NirType::Integers
                            ? file.writeArray(path, array.extents,
                                              std::vector<int64_t>(numbers.begin(), numbers.end()))
                        : array.type == NirType::Float32
                            ? file.writeArray(path, array.extents,
                                              std::vector<float>(numbers.begin(), numbers.end()))
                            : file.writeArray(path, array.extents, numbers);
    SPINDLE_RETURN_IF_ERROR(std::move(error));
  }
  return llvm::Error::success();
}

llvm::Error writeNode(Hdf5Writer &file, const std::string &path, const NirNode &node) {
  SPINDLE_RETURN_IF_ERROR(file.writeArray(path + "/type", {}, std::vector{node.type}));
  SPINDLE_RETURN_IF_ERROR(writeArrays(file, path, node.parameters));
  SPINDLE_RETURN_IF_ERROR(writeArrays(file, path + "/metadata", node.metadata));
  if (!node.isGraph())
    return llvm::Error::success();
  std::vector<std::string> names;
  for (const auto &[from, to] : node.edges)
    names.insert(names.end(), {from, to});
  SPINDLE_RETURN_IF_ERROR(file.writeArray(path + "/edges", {node.edges.size(), 2}, names));
  for (const NirNode &inner : node.nodes)
    SPINDLE_RETURN_IF_ERROR(writeNode(file, path + "/nodes/" + inner.name, inner));
  return llvm::Error::success();
}

} // namespace

llvm::Error checkNirFile(const Hdf5Reader &file) {
  if (file.has("node/type"))
    return llvm::Error::success();
  return inputError(file.fileName(), "'node/type' is absent, this is no NIR file");
}

llvm::Expected<NirGraph> readNirGraph(const std::string &path) {
  SPINDLE_ASSIGN(Hdf5Reader file, Hdf5Reader::open(path));
  NirGraph graph;
  SPINDLE_RETURN_IF_ERROR(checkNirFile(file));
  if (file.has("version")) { // not in the oldest files
    SPINDLE_ASSIGN(graph.version, readText(file, "version"));
  }
  uint64_t nodes = 0;
  SPINDLE_ASSIGN(graph.root, readNode(file, "node", "", 0, nodes));
  if (!graph.root.isGraph())
    return inputError(path, fmt::format("holds a single node of type '{}', expected a NIRGraph",
                                        graph.root.type));
  SPINDLE_RETURN_IF_ERROR(verify(graph, path));
  return graph;
}

llvm::Error writeNirGraph(const std::string &path, const NirGraph &graph) {
  SPINDLE_RETURN_IF_ERROR(verify(graph, path));
  SPINDLE_ASSIGN(Hdf5Writer file, Hdf5Writer::create(path));
  SPINDLE_RETURN_IF_ERROR(file.writeArray("version", {}, std::vector{graph.version}));
  SPINDLE_RETURN_IF_ERROR(writeNode(file, "node", graph.root));
  return file.close();
}

} // namespace spindle
