#include "lib/frontend/sanafe/HyperEdges.h"

#include "core/support/TextPlace.h"

#include "fmt/format.h"
#include "llvm/ADT/STLExtras.h"

namespace spindle::sanafe {

namespace {

using Members = std::map<std::string, Field>;

/// Attributes by name; those that a section gives for synapses or dendrites alone are among them.
llvm::Error collect(const Field &part, Members &members) {
  SPINDLE_ASSIGN(auto list, part.members());
  for (const auto &[key, value] : list) {
    if (key == "synapse" || key == "dendrite") {
      SPINDLE_RETURN_IF_ERROR(collect(value, members));
      continue;
    }
    members.insert_or_assign(key == "w" ? "weight" : key == "d" ? "delay" : key, value);
  }
  return llvm::Error::success();
}

llvm::Error checkKnown(const Members &members, llvm::ArrayRef<const char *> known) {
  for (auto [old, now] : {std::pair{"filters", "kernel_count"},
                          {"filter_width", "kernel_width"},
                          {"filter_height", "kernel_height"}})
    if (auto found = members.find(old); found != members.end())
      return found->second.fail(fmt::format("'{}' is a key of SANA-FE before version 2, where "
                                            "version 2 has '{}'; write the file for version 2",
                                            old, now));
  for (const auto &[key, value] : members)
    if (!llvm::is_contained(known, key))
      return value.fail(
          fmt::format("unknown attribute '{}' of an edge; edges here have a weight, and "
                      "take one step",
                      excerpt(key, 40)));
  return llvm::Error::success();
}

/// SANA-FE's own step from spike to membrane is the one that projections have here.
llvm::Error checkDelays(const Members &members) {
  auto found = members.find("delay");
  if (found == members.end())
    return llvm::Error::success();
  for (const Field &delay : found->second.elements()) {
    SPINDLE_ASSIGN(double steps, delay.number());
    if (steps != 0)
      return delay.fail(fmt::format("a delay of {} in dendrites, which are not simulated here; "
                                    "expected 0, for a spike takes a step in any case",
                                    steps));
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<double>> weightList(const Field &edge, const Members &members) {
  auto found = members.find("weight");
  if (found == members.end())
    return edge.fail(fmt::format("{} has no weight", edge.title()));
  std::vector<double> weights;
  if (!found->second.isList())
    return found->second.fail(
        "the weight is one value, expected a list: SANA-FE wants one for each "
        "connection");
  for (const Field &weight : found->second.elements()) {
    SPINDLE_ASSIGN(double value, weight.number());
    weights.push_back(value);
  }
  return weights;
}

llvm::Error checkRoom(const Field &edge, uint64_t count, uint64_t most) {
  if (count <= most)
    return llvm::Error::success();
  return edge.fail(
      fmt::format("{} makes {} connections, more than the {} that are left of the most "
                  "that are read",
                  edge.title(), count, most));
}

llvm::Error addDense(const Field &edge, const std::vector<double> &weights, uint32_t sources,
                     uint32_t targets, uint64_t most, std::vector<Edge> &edges) {
  uint64_t count = uint64_t(sources) * targets;
  SPINDLE_RETURN_IF_ERROR(checkRoom(edge, count, most));
  if (weights.size() < count)
    return edge.fail(
        fmt::format("{} has {} weights, expected one for each of {} x {} pairs, source "
                    "by source",
                    edge.title(), weights.size(), sources, targets));
  for (uint32_t source = 0; source < sources; ++source)
    for (uint32_t target = 0; target < targets; ++target)
      edges.push_back({source, target, weights[size_t(source) * targets + target]});
  return llvm::Error::success();
}

llvm::Error addSparse(const Field &edge, const Members &members, const std::vector<double> &weights,
                      uint32_t sources, uint32_t targets, std::vector<Edge> &edges) {
  auto found = members.find("source_target_pairs");
  if (found == members.end() || !found->second.isList())
    return edge.fail(fmt::format("{} is sparse and has no list source_target_pairs", edge.title()));
  std::vector<Field> pairs = found->second.elements();
  if (pairs.size() != weights.size())
    return edge.fail(
        fmt::format("{} has {} weights for {} pairs", edge.title(), weights.size(), pairs.size()));
  for (size_t k = 0; k < pairs.size(); ++k) {
    std::vector<Field> ends = pairs[k].elements();
    if (!pairs[k].isList() || ends.size() != 2)
      return pairs[k].fail("a pair is not two numbers, source and target");
    SPINDLE_ASSIGN(int64_t source, ends[0].called("the source").whole(0, int64_t(sources) - 1));
    SPINDLE_ASSIGN(int64_t target, ends[1].called("the target").whole(0, int64_t(targets) - 1));
    edges.push_back({static_cast<uint32_t>(source), static_cast<uint32_t>(target), weights[k]});
  }
  return llvm::Error::success();
}

struct Convolution {
  int64_t width = 0, height = 0, channels = 0, kernelWidth = 0, kernelHeight = 0, kernels = 1,
          strideX = 1, strideY = 1;
  int64_t outWidth() const { return (width - kernelWidth) / strideX + 1; }
  int64_t outHeight() const { return (height - kernelHeight) / strideY + 1; }
};

constexpr const char *kConvolutionKeys[] = {"input_width",  "input_height",  "input_channels",
                                            "kernel_width", "kernel_height", "kernel_count",
                                            "stride_width", "stride_height"};

llvm::Expected<Convolution> readConvolution(const Field &edge, const Members &members) {
  Convolution conv;
  int64_t *values[] = {&conv.width,        &conv.height,  &conv.channels, &conv.kernelWidth,
                       &conv.kernelHeight, &conv.kernels, &conv.strideX,  &conv.strideY};
  for (size_t k = 0; k < std::size(kConvolutionKeys); ++k) {
    auto found = members.find(kConvolutionKeys[k]);
    if (found != members.end()) {
      SPINDLE_ASSIGN(*values[k], found->second.whole(1, 1 << 20));
    } else if (*values[k] == 0) {
      return edge.fail(
          fmt::format("{} is a convolution without {}", edge.title(), kConvolutionKeys[k]));
    }
  }
  if (conv.kernelWidth > conv.width || conv.kernelHeight > conv.height)
    return edge.fail(fmt::format("{} has a kernel of {} x {}, larger than its input of {} x {}",
                                 edge.title(), conv.kernelWidth, conv.kernelHeight, conv.width,
                                 conv.height));
  return conv;
}

/// Neurons channel by channel, weights as [row][column][input channel][kernel].
llvm::Error addConvolution(const Field &edge, const Convolution &conv,
                           const std::vector<double> &weights, uint32_t sources, uint32_t targets,
                           uint64_t most, std::vector<Edge> &edges) {
  int64_t out = conv.outWidth() * conv.outHeight();
  if (conv.channels * conv.width * conv.height != sources || conv.kernels * out != targets)
    return edge.fail(
        fmt::format("{} goes from {} x {} x {} to {} x {} x {} neurons, and its groups "
                    "have {} and {}",
                    edge.title(), conv.channels, conv.height, conv.width, conv.kernels,
                    conv.outHeight(), conv.outWidth(), sources, targets));
  uint64_t kernel = uint64_t(conv.kernelWidth) * conv.kernelHeight;
  SPINDLE_RETURN_IF_ERROR(checkRoom(edge, kernel, most)); // the products below fit 64 bits
  SPINDLE_RETURN_IF_ERROR(checkRoom(edge, kernel * conv.channels, most));
  SPINDLE_RETURN_IF_ERROR(checkRoom(edge, kernel * conv.channels * targets, most));
  if (weights.size() < kernel * conv.channels * conv.kernels)
    return edge.fail(
        fmt::format("{} has {} weights, expected {}: rows, columns, input channels and "
                    "kernels, the last one fastest",
                    edge.title(), weights.size(), kernel * conv.channels * conv.kernels));
  for (int64_t k = 0; k < conv.kernels; ++k)
    for (int64_t y = 0; y < conv.outHeight(); ++y)
      for (int64_t x = 0; x < conv.outWidth(); ++x)
        for (int64_t c = 0; c < conv.channels; ++c)
          for (int64_t i = 0; i < conv.kernelHeight; ++i)
            for (int64_t j = 0; j < conv.kernelWidth; ++j)
              edges.push_back(
                  {static_cast<uint32_t>((c * conv.height + y * conv.strideY + i) * conv.width +
                                         x * conv.strideX + j),
                   static_cast<uint32_t>(k * out + y * conv.outWidth() + x),
                   weights[static_cast<size_t>(
                       ((i * conv.kernelWidth + j) * conv.channels + c) * conv.kernels + k)]});
  return llvm::Error::success();
}

} // namespace

llvm::Expected<double> weightOfEdge(const Field &attributes) {
  Members members;
  SPINDLE_RETURN_IF_ERROR(collect(attributes, members));
  SPINDLE_RETURN_IF_ERROR(checkKnown(members, {"weight", "delay"}));
  SPINDLE_RETURN_IF_ERROR(checkDelays(members));
  auto found = members.find("weight");
  if (found == members.end())
    return attributes.fail(fmt::format("{} has no weight", attributes.title()));
  return found->second.number();
}

llvm::Error addHyperEdge(const Field &attributes, uint32_t sources, uint32_t targets, uint64_t most,
                         std::vector<Edge> &edges) {
  Members members;
  SPINDLE_RETURN_IF_ERROR(collect(attributes, members));
  auto type = members.find("type");
  if (type == members.end() || !type->second.isScalar())
    return attributes.fail(fmt::format("{} joins groups and has no type, expected dense, sparse or "
                                       "conv2d",
                                       attributes.title()));
  SPINDLE_RETURN_IF_ERROR(checkDelays(members));
  SPINDLE_ASSIGN(std::vector<double> weights, weightList(attributes, members));
  const std::string &name = type->second.text();
  if (name == "dense") {
    SPINDLE_RETURN_IF_ERROR(checkKnown(members, {"type", "weight", "delay"}));
    return addDense(attributes, weights, sources, targets, most, edges);
  }
  if (name == "sparse") {
    SPINDLE_RETURN_IF_ERROR(
        checkKnown(members, {"type", "weight", "delay", "source_target_pairs"}));
    return addSparse(attributes, members, weights, sources, targets, edges);
  }
  if (name != "conv2d")
    return type->second.fail(
        fmt::format("the type is '{}', expected dense, sparse or conv2d", excerpt(name, 40)));
  std::vector<const char *> known = {"type", "weight", "delay"};
  known.insert(known.end(), std::begin(kConvolutionKeys), std::end(kConvolutionKeys));
  SPINDLE_RETURN_IF_ERROR(checkKnown(members, known));
  SPINDLE_ASSIGN(Convolution conv, readConvolution(attributes, members));
  return addConvolution(attributes, conv, weights, sources, targets, most, edges);
}

} // namespace spindle::sanafe
