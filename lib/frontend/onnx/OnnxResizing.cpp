// ONNX operators that change the size of images: each dimension on its own, a linear map.
#include "lib/frontend/onnx/OnnxNode.h"

#include "fmt/format.h"

#include <algorithm>
#include <cmath>

namespace spindle {

namespace {

/// How positions of the output fall on positions of the input.
struct Sampling {
  std::string mode, transformation, nearest;
};

} // namespace

/// Position of output `o` among the inputs, as ONNX's coordinate transformations define it.
static double positionOf(const Sampling &sampling, int64_t o, double scale, int64_t in,
                         int64_t out) {
  if (sampling.transformation == "asymmetric")
    return double(o) / scale;
  if (sampling.transformation == "align_corners")
    return out == 1 ? 0 : double(o) * double(in - 1) / double(out - 1);
  if (sampling.transformation == "pytorch_half_pixel" && out == 1)
    return 0;
  double half = (double(o) + 0.5) / scale - 0.5;
  if (sampling.transformation != "half_pixel_symmetric")
    return half;
  double adjustment = double(out) / (scale * double(in));
  return double(in) / 2 * (1 - adjustment) + half;
}

static int64_t nearestTo(const std::string &rule, double position) {
  double down = std::floor(position);
  if (rule == "floor")
    return int64_t(down);
  if (rule == "ceil")
    return int64_t(std::ceil(position));
  if (rule == "round_prefer_ceil")
    return int64_t(std::floor(position + 0.5));
  return int64_t(std::ceil(position - 0.5));
}

static AxisMap resized(const Sampling &sampling, int64_t in, int64_t out, double scale) {
  AxisMap map(out);
  for (int64_t o = 0; o < out; ++o) {
    double position = positionOf(sampling, o, scale, in, out);
    if (sampling.mode == "nearest") {
      map[o].emplace_back(std::clamp<int64_t>(nearestTo(sampling.nearest, position), 0, in - 1),
                          1.0);
      continue;
    }
    double inside = std::clamp(position, 0.0, double(in - 1));
    int64_t left = std::min(int64_t(inside), in - 1);
    double share = inside - double(left);
    map[o].emplace_back(left, 1 - share);
    if (share > 0)
      map[o].emplace_back(left + 1, share);
  }
  return map;
}

/// Resizes to `sizes`, or by `scales` where those are given.
static llvm::Expected<Tensor> resizeTo(const OnnxNode &node, const Sampling &sampling,
                                       std::vector<double> scales, Shape sizes) {
  const Tensor &x = node.input(0);
  size_t rank = x.shape.size();
  if (!sizes.empty() && sizes.size() == rank && sizes[0] == node.builder.batch && rank >= 2)
    sizes[0] = 1;
  if ((scales.empty() ? sizes.size() : scales.size()) != rank)
    return node.refuse(fmt::format("scales or sizes must be one number for each dimension of {}",
                                   toText(x.shape)));
  bool givenSizes = scales.empty();
  Shape shape;
  for (size_t d = 0; d < rank; ++d) {
    double extent = double(x.shape[d]);
    double size = givenSizes ? double(sizes[d]) : std::floor(extent * scales[d]);
    constexpr double limit = 1 << 20;
    if (!(size >= 1 && size <= limit))
      return node.refuse(
          fmt::format("dimension {} gets {} elements, expected 1 to {}", d, size, int64_t(limit)));
    shape.push_back(int64_t(size));
  }
  SPINDLE_RETURN_IF_ERROR(node.builder.checkComputed(shape, x));
  std::vector<AxisMap> maps;
  for (size_t d = 0; d < rank; ++d)
    maps.push_back(resized(sampling, x.shape[d], shape[d],
                           givenSizes ? double(shape[d]) / double(x.shape[d]) : scales[d]));
  return node.builder.arrange(x, maps);
}

static llvm::Error checkSampling(const OnnxNode &node, const Sampling &sampling) {
  auto check = [&](const char *what, const std::string &found,
                   std::vector<std::string> known) -> llvm::Error {
    if (llvm::is_contained(known, found))
      return llvm::Error::success();
    std::string list;
    for (const std::string &word : known)
      list += (list.empty() ? "" : ", ") + word;
    return node.refuse(fmt::format("{} is '{}', expected one of {}", what, found, list));
  };
  SPINDLE_RETURN_IF_ERROR(check("mode", sampling.mode, {"nearest", "linear", "bilinear"}));
  SPINDLE_RETURN_IF_ERROR(check(
      "coordinate_transformation_mode", sampling.transformation,
      {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "asymmetric", "align_corners"}));
  return check("nearest_mode", sampling.nearest,
               {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"});
}

/// Operator set 10 has scales only; since 11 region of interest, scales, sizes.
static llvm::Expected<Tensor> resize(const OnnxNode &node) {
  bool old = node.opset < 11;
  Sampling sampling;
  SPINDLE_ASSIGN(sampling.mode, node.word("mode", "nearest"));
  SPINDLE_ASSIGN(sampling.transformation,
                 node.word("coordinate_transformation_mode", old ? "asymmetric" : "half_pixel"));
  SPINDLE_ASSIGN(sampling.nearest, node.word("nearest_mode", old ? "floor" : "round_prefer_floor"));
  SPINDLE_RETURN_IF_ERROR(checkSampling(node, sampling));
  SPINDLE_ASSIGN(int64_t antialias, node.integer("antialias", 0));
  SPINDLE_ASSIGN(std::string policy, node.word("keep_aspect_ratio_policy", "stretch"));
  SPINDLE_ASSIGN(Shape axes, node.integers("axes", {}));
  if (antialias != 0 || policy != "stretch" || !axes.empty())
    return node.refuse("antialias, keep_aspect_ratio_policy and axes are not supported");
  size_t scaleInput = old ? 1 : 2;
  Shape sizes;
  std::vector<double> scales;
  if (!old && node.has(3)) {
    SPINDLE_ASSIGN(sizes, node.constantIntegers(3));
  } else {
    SPINDLE_ASSIGN(scales, node.constantNumbers(scaleInput));
  }
  return resizeTo(node, sampling, std::move(scales), std::move(sizes));
}

/// Operator sets 7 (scales as attribute) to 9 (as input).
static llvm::Expected<Tensor> upsample(const OnnxNode &node) {
  Sampling sampling{"nearest", "asymmetric", "floor"};
  SPINDLE_ASSIGN(sampling.mode, node.word("mode", "nearest"));
  SPINDLE_RETURN_IF_ERROR(checkSampling(node, sampling));
  std::vector<double> scales;
  if (node.has(1)) {
    SPINDLE_ASSIGN(scales, node.constantNumbers(1));
  } else {
    SPINDLE_ASSIGN(scales, node.numbers("scales"));
  }
  return resizeTo(node, sampling, std::move(scales), {});
}

llvm::ArrayRef<OnnxOperator> onnxResizing() {
  static const OnnxOperator table[] = {
      {"Resize", 1, 4, resize},
      {"Upsample", 1, 2, upsample},
  };
  return table;
}

} // namespace spindle
