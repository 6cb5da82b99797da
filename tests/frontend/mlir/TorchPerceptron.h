// A perceptron as torch-mlir writes it, in several styles.
#pragma once

#include "lib/frontend/Tensor.h"
#include "tests/frontend/Imported.h"

#include "fmt/format.h"
#include "llvm/ADT/StringExtras.h"

namespace spindle {

/// Nested lists, as a dense constant has them.
inline std::string denseText(const std::vector<float> &values, const Shape &shape, size_t d = 0,
                             size_t at = 0) {
  if (d == shape.size())
    return fmt::format("{:.8e}", values[at]);
  std::string text = "[";
  for (int64_t i = 0; i < shape[d]; ++i)
    text += (i ? ", " : "") + denseText(values, shape, d + 1, at * size_t(shape[d]) + size_t(i));
  return text + "]";
}

/// What a network ends in.
enum class Head { Logits, LogSoftmax, Softmax, LogOfSoftmax, ArgMax };
/// Habits of the exporter, which changed over the years.
struct Style {
  bool transposeByName = true; // linalg.transpose, else linalg.generic
  bool resources = false;      // weights behind the module
  bool asserts = true;
  int64_t batch = 1;
};

/// torch.nn.Sequential(Linear(4, 6), ReLU(), Linear(6, 3)) and a head.
struct TorchPerceptron {
  std::string text(Head head, const Style &style) const {
    int64_t n = style.batch;
    std::string body, resources;
    auto weights = [&](const char *name, const std::vector<float> &values, const Shape &shape) {
      std::string type = fmt::format("tensor<{}xf32>", toText(shape));
      if (style.resources)
        resources +=
            fmt::format("{}{}: \"0x04000000{}\"", resources.empty() ? "" : ",\n      ", name,
                        llvm::toHex(llvm::StringRef(reinterpret_cast<const char *>(values.data()),
                                                    values.size() * sizeof(float))));
      body += style.resources
                  ? fmt::format("    %{0} = arith.constant dense_resource<{0}> : {1}\n", name, type)
                  : fmt::format("    %{} = arith.constant dense<{}> : {}\n", name,
                                denseText(values, shape), type);
    };
    weights("w1", w1, {6, 4});
    weights("b1", b1, {6});
    weights("w2", w2, {3, 6});
    weights("b2", b2, {3});
    if (style.asserts)
      body += R"(    %true = arith.constant true
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    %dim = tensor.dim %arg0, %c1 : tensor<{n}x4xf32>
    %dim_i64 = arith.index_cast %dim : index to i64
    %c4_i64 = arith.constant 4 : i64
    %fits = arith.cmpi eq, %dim_i64, %c4_i64 : i64
    cf.assert %fits, "mismatching contracting dimension"
    cf.assert %true, "mismatched size for broadcast"
)";
    const char *transpose =
        style.transposeByName
            ? R"(    %t{k} = linalg.transpose ins(%w{k} : tensor<{o}x{i}xf32>) outs(%e{k} : tensor<{i}x{o}xf32>) permutation = [1, 0]
)"
            : R"(    %t{k} = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%w{k} : tensor<{o}x{i}xf32>) outs(%e{k} : tensor<{i}x{o}xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<{i}x{o}xf32>
)";
    auto linear = [&](const char *k, const char *from, const char *in, const char *out) {
      std::string layer = std::string("    %e{k} = tensor.empty() : tensor<{i}x{o}xf32>\n") +
                          transpose +
                          R"(    %d{k} = tensor.empty() : tensor<{n}x{o}xf32>
    %z{k} = linalg.fill ins(%zero : f32) outs(%d{k} : tensor<{n}x{o}xf32>) -> tensor<{n}x{o}xf32>
    %m{k} = linalg.matmul ins(%{from}, %t{k} : tensor<{n}x{i}xf32>, tensor<{i}x{o}xf32>) outs(%z{k} : tensor<{n}x{o}xf32>) -> tensor<{n}x{o}xf32>
    %y{k} = linalg.generic {indexing_maps = [#mapn, #mapb, #map], iterator_types = ["parallel", "parallel"]} ins(%m{k}, %b{k} : tensor<{n}x{o}xf32>, tensor<{o}xf32>) outs(%d{k} : tensor<{n}x{o}xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %s = arith.addf %in, %in_1 : f32
      linalg.yield %s : f32
    } -> tensor<{n}x{o}xf32>
)";
      for (auto [key, value] : {std::pair("{k}", k), std::pair("{from}", from),
                                std::pair("{i}", in), std::pair("{o}", out)})
        replaceAll(layer, key, value);
      body += layer;
    };
    linear("1", "arg0", "4", "6");
    body +=
        R"(    %r = linalg.generic {indexing_maps = [#mapn, #map], iterator_types = ["parallel", "parallel"]} ins(%y1 : tensor<{n}x6xf32>) outs(%d1 : tensor<{n}x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %c = arith.cmpf ugt, %in, %zero : f32
      %s = arith.select %c, %in, %zero : f32
      linalg.yield %s : f32
    } -> tensor<{n}x6xf32>
)";
    linear("2", "r", "6", "3");
    body += headText(head);
    std::string text = R"(#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1, d0)>
#mapn = affine_map<(d0, d1) -> ({d0}, d1)>
#mapb = affine_map<(d0, d1) -> (d1)>
#mapr = affine_map<(d0, d1) -> (d0)>
#mapk = affine_map<(d0, d1) -> (d0, 0)>
module attributes {torch.debug_module_name = "Net"} {
  ml_program.global private mutable @global_seed(dense<0> : tensor<i64>) : tensor<i64>
  func.func @forward(%arg0: tensor<{n}x4xf32>) -> {result} {
    %zero = arith.constant 0.000000e+00 : f32
    %low = arith.constant 0xFF800000 : f32
    %c0_i64 = arith.constant 0 : i64
)" + body + "    return %result : {result}\n  }\n}\n";
    replaceAll(text, "{d0}", n == 1 ? "0" : "d0");
    replaceAll(text, "{result}", head == Head::ArgMax ? "tensor<{n}xi64>" : "tensor<{n}x3xf32>");
    replaceAll(text, "{n}", std::to_string(n));
    if (style.resources)
      text += "\n{-#\n  dialect_resources: {\n    builtin: {\n      " + resources +
              "\n    }\n  }\n#-}\n";
    return text;
  }

  std::vector<double> logits(const std::vector<double> &x) const {
    auto layer = [](const std::vector<float> &w, const std::vector<float> &b,
                    const std::vector<double> &in) {
      std::vector<double> out(b.begin(), b.end());
      for (size_t o = 0; o < out.size(); ++o)
        for (size_t i = 0; i < in.size(); ++i)
          out[o] += double(w[o * in.size() + i]) * in[i];
      return out;
    };
    std::vector<double> hidden = layer(w1, b1, x);
    for (double &value : hidden)
      value = std::max(value, 0.0);
    return layer(w2, b2, hidden);
  }

  static void replaceAll(std::string &text, llvm::StringRef key, llvm::StringRef value) {
    for (size_t at; (at = text.find(key.str())) != std::string::npos;)
      text.replace(at, key.size(), value.str());
  }

  /// aten._softmax and aten._log_softmax as they are decomposed; the maximum comes with its place.
  static std::string headText(Head head) {
    if (head == Head::Logits)
      return "    %result = tensor.cast %y2 : tensor<{n}x3xf32> to tensor<{n}x3xf32>\n";
    std::string maximum = R"(    %ri = tensor.empty() : tensor<{n}xi64>
    %rz = linalg.fill ins(%c0_i64 : i64) outs(%ri : tensor<{n}xi64>) -> tensor<{n}xi64>
    %rf = tensor.empty() : tensor<{n}xf32>
    %rl = linalg.fill ins(%low : f32) outs(%rf : tensor<{n}xf32>) -> tensor<{n}xf32>
    %most:2 = linalg.generic {indexing_maps = [#map, #mapr, #mapr], iterator_types = ["parallel", "reduction"]} ins(%y2 : tensor<{n}x3xf32>) outs(%rl, %rz : tensor<{n}xf32>, tensor<{n}xi64>) {
    ^bb0(%in: f32, %out: f32, %out_5: i64):
      %i = linalg.index 1 : index
      %j = arith.index_cast %i : index to i64
      %m = arith.maximumf %in, %out : f32
      %c = arith.cmpf ogt, %in, %out : f32
      %s = arith.select %c, %j, %out_5 : i64
      linalg.yield %m, %s : f32, i64
    } -> (tensor<{n}xf32>, tensor<{n}xi64>)
)";
    if (head == Head::ArgMax)
      return maximum + "    %result = tensor.cast %most#1 : tensor<{n}xi64> to tensor<{n}xi64>\n";
    std::string
        pair =
            R"(linalg.generic {indexing_maps = [#mapn, #mapk, #map], iterator_types = ["parallel", "parallel"]} ins({a}, {b} : tensor<{n}x3xf32>, tensor<{n}x1xf32>) outs(%d2 : tensor<{n}x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %v = arith.{op} %in, %in_1 : f32
      linalg.yield %v : f32
    } -> tensor<{n}x3xf32>
)",
        one =
            R"(linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins({a} : tensor<{n}x{w}xf32>) outs({e} : tensor<{n}x{w}xf32>) {
    ^bb0(%in: f32, %out: f32):
      %v = math.{op} %in : f32
      linalg.yield %v : f32
    } -> tensor<{n}x{w}xf32>
)";
    using Pairs = std::vector<std::pair<std::string, std::string>>;
    auto with = [](std::string text, const Pairs &pairs) {
      for (const auto &[key, value] : pairs)
        replaceAll(text, key, value);
      return text;
    };
    std::string text =
        maximum +
        "    %top = tensor.expand_shape %most#0 [[0, 1]] output_shape [{n}, 1] : "
        "tensor<{n}xf32> into tensor<{n}x1xf32>\n    %shift = " +
        with(pair, {{"{a}", "%y2"}, {"{b}", "%top"}, {"{op}", "subf"}}) + "    %power = " +
        with(one, {{"{a}", "%shift"}, {"{e}", "%d2"}, {"{w}", "3"}, {"{op}", "exp"}}) +
        R"(    %se = tensor.empty() : tensor<{n}x1xf32>
    %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<{n}x1xf32>) -> tensor<{n}x1xf32>
    %sum = linalg.generic {indexing_maps = [#map, #mapk], iterator_types = ["parallel", "reduction"]} ins(%power : tensor<{n}x3xf32>) outs(%sz : tensor<{n}x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %v = arith.addf %in, %out : f32
      linalg.yield %v : f32
    } -> tensor<{n}x1xf32>
)";
    if (head == Head::LogSoftmax)
      return text + "    %log = " +
             with(one, {{"{a}", "%sum"}, {"{e}", "%se"}, {"{w}", "1"}, {"{op}", "log"}}) +
             "    %result = " + with(pair, {{"{a}", "%shift"}, {"{b}", "%log"}, {"{op}", "subf"}});
    text += head == Head::Softmax ? "    %result = " : "    %share = ";
    text += with(pair, {{"{a}", "%power"}, {"{b}", "%sum"}, {"{op}", "divf"}});
    if (head == Head::LogOfSoftmax)
      text += "    %result = " +
              with(one, {{"{a}", "%share"}, {"{e}", "%d2"}, {"{w}", "3"}, {"{op}", "log"}});
    return text;
  }

  std::vector<float> w1 = randomFloats(24, 1), b1 = randomFloats(6, 2), w2 = randomFloats(18, 3),
                     b2 = randomFloats(3, 4);
};

} // namespace spindle
