// NIR graphs for tests, made by hand.
#pragma once

#include "lib/frontend/nir/NirGraph.h"
#include "lib/frontend/nir/NirImport.h"

#include <numeric>

namespace spindle {

inline NirArray nirFloats(std::vector<uint64_t> extents, std::vector<double> numbers) {
  for (double &number : numbers)
    number = static_cast<float>(number);
  return {NirType::Float32, std::move(extents), std::move(numbers), {}};
}

inline NirArray nirIntegers(std::vector<uint64_t> extents, std::vector<double> numbers) {
  return {NirType::Integers, std::move(extents), std::move(numbers), {}};
}

inline NirArray nirText(const std::string &text) { return {NirType::Texts, {}, {}, {text}}; }

/// Values that differ from each other.
inline NirArray nirRamp(std::vector<uint64_t> extents) {
  NirArray array{NirType::Float32, extents, {}, {}};
  uint64_t count =
      std::accumulate(extents.begin(), extents.end(), uint64_t{1}, std::multiplies<>());
  for (uint64_t i = 0; i < count; ++i)
    array.numbers.push_back(0.25 * static_cast<double>(i % 7) - 0.5);
  return array;
}

inline NirNode nirPort(const std::string &name, const std::string &type,
                       const std::vector<double> &shape) {
  return {name, type, {{"shape", nirIntegers({shape.size()}, shape)}}, {}, {}, {}};
}

inline NirNode nirLif(const std::string &name, uint64_t neurons) {
  auto all = [&](double value) {
    return nirFloats({neurons}, std::vector<double>(neurons, value));
  };
  return {name,
          "LIF",
          {{"tau", all(0.002)}, {"r", all(1)}, {"v_leak", all(0)}, {"v_threshold", all(1)}},
          {},
          {},
          {}};
}

/// input → the nodes in turn → output.
inline NirGraph nirChain(const std::vector<double> &input, std::vector<NirNode> nodes,
                         const std::vector<double> &output) {
  NirGraph graph;
  graph.version = "1.0";
  graph.root.type = "NIRGraph";
  std::string last = "input";
  graph.root.nodes.push_back(nirPort("input", "Input", input));
  for (NirNode &node : nodes) {
    graph.root.edges.push_back({last, node.name});
    last = node.name;
    graph.root.nodes.push_back(std::move(node));
  }
  graph.root.nodes.push_back(nirPort("output", "Output", output));
  graph.root.edges.push_back({last, "output"});
  return graph;
}

inline std::string nirImported(mlir::MLIRContext &context, const NirGraph &graph,
                               const ModelOptions &options = {}) {
  auto module = importNirGraph(context, graph, "net.nir", options);
  if (!module)
    return toText(module.takeError());
  std::string text;
  llvm::raw_string_ostream stream(text);
  (*module)->print(stream);
  return text;
}

} // namespace spindle
