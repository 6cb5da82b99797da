// Every error text of the MLIR import, and the binding of arguments.
#include "core/support/formats/Npz.h"
#include "tests/frontend/Imported.h"

#include "fmt/format.h"
#include "gmock/gmock.h"

namespace spindle {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;
using testing::StartsWith;

/// The error of a function with this body on %x, whose first line is line 2 of the file; constants
/// %z (zero), %w (2x2), %e (1x2 of 0.5).
std::string bodyError(const std::string &body) {
  std::string error =
      importBytes("net.mlir",
                  fmt::format(R"(func.func @main(%x: tensor<1x2xf32>) -> tensor<1x2xf32> {{
  {}
  return %y : tensor<1x2xf32>
}})",
                              body))
          .error;
  return error;
}

const char *kConstants = R"(%z = arith.constant dense<0.0> : tensor<1x2xf32>
  %s = arith.constant 0.0 : f32
  %w = arith.constant dense<1.0> : tensor<2x2xf32>
  )";

TEST(MlirErrors, Parsing) {
  EXPECT_THAT(importBytes("net.mlir", "func.func @main(").error,
              StartsWith("net.mlir:1:16: error: "));
  EXPECT_EQ(bodyError("%y = tensor.empty() : tensor<1x3xf32>"),
            "net.mlir:3:10: error: use of value '%y' expects different type than prior uses: "
            "'tensor<1x2xf32>' vs 'tensor<1x3xf32>'");
  EXPECT_THAT(
      bodyError(
          R"(%y = "tosa.reshape"(%x) {new_shape = array<i64: 1, 2>} : (tensor<1x2xf32>) -> tensor<1x2xf32>)"),
      MatchesRegex(
          "net.mlir:2:8: error: .* \\(perhaps written by a TOSA older than 1.0: export it with "
          "LLVM 20 or newer\\)"));
  EXPECT_THAT(importBytes("net.mlirbc", "no bytecode").error,
              StartsWith("net.mlirbc:1:1: error: "));
}

TEST(MlirErrors, DivisorsBelowOne) {
  for (const char *operation : {"mod", "floordiv", "ceildiv"})
    for (int divisor : {0, -1, -7})
      EXPECT_EQ(
          bodyError(
              std::string(kConstants) +
              fmt::format(
                  R"(%y = linalg.generic {{indexing_maps = [affine_map<(d0, d1) -> (d0, d1 {} {})>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}} ins(%x : tensor<1x2xf32>) outs(%z : tensor<1x2xf32>) {{
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }} -> tensor<1x2xf32>)",
                  operation, divisor)),
          fmt::format("net.mlir:5:8: error: 'd1 {} {}' divides by {}, expected a positive divisor: "
                      "correct it",
                      operation, divisor, divisor))
          << operation << " " << divisor;
}

TEST(MlirErrors, Functions) {
  const char *two =
      "func.func @a(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }\n"
      "func.func @b(%x: tensor<2xf32>) -> tensor<2xf32> { return %x : tensor<2xf32> }\n";
  EXPECT_EQ(importBytes("net.mlir", two).error,
            "net.mlir: error: which function is the network? choose one by "
            "model.function; there: a, b");
  ModelOptions options;
  options.function = "c";
  EXPECT_EQ(importBytes("net.mlir", two, options).error,
            "net.mlir: error: function 'c' is absent; there: a, b");
  EXPECT_EQ(
      importBytes("net.mlir", "").error,
      "net.mlir: error: which function is the network? choose one by model.function; there: none");
  options.function = "b";
  EXPECT_EQ(importBytes("net.mlir", two, options).error, "");
  EXPECT_EQ(importBytes(
                "net.mlir",
                "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> { return %x : tensor<?xf32> }")
                .error,
            "net.mlir:1:1: error: type tensor<?xf32> is not supported, expected a tensor of static "
            "shape");
  EXPECT_EQ(
      importBytes("net.mlir",
                  "func.func @main(%x: tensor<2xi8>) -> tensor<2xi8> { return %x : tensor<2xi8> }")
          .error,
      "net.mlir:1:1: error: argument 0 is the input, expected a tensor of f32");
  EXPECT_EQ(
      importBytes("net.mlir", "func.func @main(%x: tensor<2xf32>) { return }").error,
      "net.mlir:1:1: error: function 'main' has 1 blocks and 0 results, expected one of each");
}

TEST(MlirErrors, UnsupportedOperations) {
  EXPECT_THAT(
      bodyError("%y = tosa.sigmoid %x : (tensor<1x2xf32>) -> tensor<1x2xf32>"),
      StartsWith(
          "net.mlir:2:8: error: operation 'tosa.sigmoid' is not supported; supported of this "
          "dialect: add, avg_pool2d, clamp, concat, const, const_shape, conv2d, "));
  EXPECT_EQ(bodyError(R"(%y = "torch.aten"(%x) : (tensor<1x2xf32>) -> tensor<1x2xf32>)"),
            "net.mlir:2:8: error: operation 'torch.aten' is not supported; expected operations of "
            "arith, math, "
            "tensor, linalg or tosa");
  EXPECT_EQ(bodyError("%y = math.exp %x : tensor<1x2xf32>"),
            "net.mlir:2:8: error: math.exp is supported only on constants");
  EXPECT_EQ(
      bodyError(
          std::string(kConstants) +
          R"(%y = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<1x2xf32>) outs(%z : tensor<1x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %c = arith.cmpf oeq, %in, %s : f32
    %r = arith.select %c, %s, %in : f32
    linalg.yield %r : f32
  } -> tensor<1x2xf32>)"),
      "net.mlir:8:10: error: a selection is supported only as a maximum or a minimum: "
      "x > c ? x : c");
  EXPECT_EQ(
      bodyError(
          std::string(kConstants) +
          R"(%y = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<1x2xf32>) outs(%z : tensor<1x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = arith.addf %in, %out : f32
    linalg.yield %r : f32
  } -> tensor<1x2xf32>)"),
      "net.mlir:5:8: error: a general reduction is not supported; use the named operations matmul, "
      "conv_2d and "
      "pooling_sum");
  EXPECT_EQ(bodyError("%y = tosa.clamp %x {min_val = -1.0 : f32, max_val = 6.0 : f32} : "
                      "(tensor<1x2xf32>) -> tensor<1x2xf32>"),
            "net.mlir:2:8: error: clamping to -1 … 6 is not supported, only a rectifier: zero to "
            "a positive number");
  EXPECT_EQ(
      bodyError(std::string(kConstants) + "%n = arith.constant dense<1.0> : tensor<1x2xf32>\n"
                                          "  %y = arith.maximumf %x, %n : tensor<1x2xf32>"),
      "net.mlir:6:8: error: clamping to 1 … inf is not supported, only a rectifier: zero to a "
      "positive number");
  EXPECT_EQ(bodyError(std::string(kConstants) +
                      "%i = tensor.empty() : tensor<1x2xf32>\n"
                      "  %y = linalg.matmul ins(%x, %w : tensor<1x2xf32>, tensor<2x2xf32>) outs(%i "
                      ": tensor<1x2xf32>) -> tensor<1x2xf32>"),
            "net.mlir:6:8: error: a tensor without values is read");
  EXPECT_EQ(bodyError("%i = tensor.empty() : tensor<2x2xf32>\n"
                      "  %o = arith.constant dense<0.0> : tensor<1x2xf32>\n"
                      "  %y = linalg.matmul ins(%x, %i : tensor<1x2xf32>, tensor<2x2xf32>) outs(%o "
                      ": tensor<1x2xf32>) -> tensor<1x2xf32>"),
            "net.mlir:4:8: error: a tensor without values is read");
  EXPECT_EQ(bodyError("%y = arith.constant dense_resource<absent> : tensor<1x2xf32>"),
            "net.mlir:2:8: error: resource 'absent' is absent or does not hold 1x2 floats");
  EXPECT_EQ(bodyError("%y = call @main(%x) : (tensor<1x2xf32>) -> tensor<1x2xf32>"),
            "net.mlir:2:8: error: calls are nested more than 64 deep");
}

TEST(MlirErrors, LoopsOfLinalg) {
  auto generic = [](const char *maps, const char *operands, const char *result,
                    const char *more = "") {
    return bodyError(fmt::format(
        R"({}{}%t = linalg.generic {{indexing_maps = [{}], iterator_types = ["parallel", "parallel"]}} {} {{
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }} -> {}
  %y = tensor.empty() : tensor<1x2xf32>)",
        kConstants, more, maps, operands, result));
  };
  EXPECT_EQ(
      generic("affine_map<(d0, d1) -> (d0, d0)>, affine_map<(d0, d1) -> (d0, d1)>",
              "ins(%w : tensor<2x2xf32>) outs(%w : tensor<2x2xf32>)", "tensor<2x2xf32>"),
      "net.mlir:5:8: error: an operand that is indexed by more than single loops is not supported");
  EXPECT_EQ(generic("affine_map<(d0, d1) -> (0, d1)>, affine_map<(d0, d1) -> (d0, d1)>",
                    "ins(%x : tensor<1x2xf32>) outs(%w : tensor<2x2xf32>)", "tensor<2x2xf32>"),
            "net.mlir:5:8: error: broadcasting an activation of 1x2 to 2x2 is not supported");
  EXPECT_EQ(generic("affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>",
                    "ins(%w : tensor<2x2xf32>) outs(%v : tensor<2xf32>)", "tensor<2xf32>",
                    "%v = arith.constant dense<0.0> : tensor<2xf32>\n  "),
            "net.mlir:6:8: error: a result that is not indexed by each loop once is not supported");
  EXPECT_EQ(bodyError(R"(%e = tensor.empty() : tensor<0x2xf32>
  %t = linalg.copy ins(%e : tensor<0x2xf32>) outs(%e : tensor<0x2xf32>) -> tensor<0x2xf32>
  %y = tensor.empty() : tensor<1x2xf32>)"),
            "net.mlir:3:8: error: shapes must be static and not empty");
  EXPECT_EQ(
      bodyError(
          std::string(kConstants) +
          R"(%t:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<1x2xf32>) outs(%z, %z : tensor<1x2xf32>, tensor<1x2xf32>) {
  ^bb0(%in: f32, %out: f32, %out2: f32):
    linalg.yield %in, %in : f32, f32
  } -> (tensor<1x2xf32>, tensor<1x2xf32>)
  %y = tensor.empty() : tensor<1x2xf32>)"),
      "net.mlir:5:10: error: 'linalg.generic' has 2 results, expected one");
}

TEST(MlirErrors, ConstantsAndPadding) {
  EXPECT_EQ(
      bodyError(
          "%c = arith.constant dense<> : tensor<0xf32>\n  %y = tensor.empty() : tensor<1x2xf32>"),
      "net.mlir:2:8: error: a constant without elements is not supported");
  EXPECT_EQ(bodyError("%c = arith.constant dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>\n"
                      "  %y = tensor.empty() : tensor<1x2xf32>"),
            "net.mlir:2:8: error: a constant of other elements than floats is not supported");
  EXPECT_EQ(bodyError(R"(%one = arith.constant 1.0 : f32
  %t = tensor.pad %x low[0, 1] high[0, 0] {
  ^bb0(%i: index, %j: index):
    %k = arith.addf %one, %one : f32
    tensor.yield %k : f32
  } : tensor<1x2xf32> to tensor<1x3xf32>
  %y = tensor.empty() : tensor<1x2xf32>)"),
            "net.mlir:3:8: error: padding is supported only with one constant");
  EXPECT_EQ(bodyError(R"(%t = tensor.pad %x low[0, 1] high[0, 0] {
  ^bb0(%i: index, %j: index):
    %n = func.call @of(%j) : (index) -> f32
    %k = arith.constant 0.0 : f32
    tensor.yield %k : f32
  } : tensor<1x2xf32> to tensor<1x3xf32>
  %y = tensor.empty() : tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}
func.func private @of(%i: index) -> f32 {
  %k = arith.constant 0.0 : f32
  return %k : f32
}
func.func private @rest(%y: tensor<1x2xf32>) -> tensor<1x2xf32> {)"),
            "net.mlir:4:10: error: reads the index of an element, expected tensors and numbers");
  EXPECT_EQ(bodyError(R"(%low = arith.constant 0xFF800000 : f32
  %t = tensor.pad %x low[0, 1] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %low : f32
  } : tensor<1x2xf32> to tensor<1x3xf32>
  %w = arith.constant dense<1.0> : tensor<3x2xf32>
  %z = arith.constant dense<0.0> : tensor<1x2xf32>
  %y = linalg.matmul ins(%t, %w : tensor<1x3xf32>, tensor<3x2xf32>) outs(%z : tensor<1x2xf32>) -> tensor<1x2xf32>)"),
            "net.mlir:9:8: error: padding with the lowest number is supported only before a "
            "maximum");
  EXPECT_EQ(bodyError(R"(%w = arith.constant dense<1.0> : tensor<2xf32>
  %z = arith.constant dense<0.0> : tensor<1x2xf32>
  %y = linalg.matmul indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k)>, affine_map<(i, j, k) -> (i, j)>] ins(%x, %w : tensor<1x2xf32>, tensor<2xf32>) outs(%z : tensor<1x2xf32>) -> tensor<1x2xf32>)"),
            "net.mlir:4:8: error: a matrix product with broadcasting is not supported");
  EXPECT_EQ(
      bodyError(
          R"(%b = tensor.expand_shape %x [[0], [1, 2]] output_shape [1, 1, 2] : tensor<1x2xf32> into tensor<1x1x2xf32>
  %w = arith.constant dense<1.0> : tensor<1x3x2xf32>
  %z = arith.constant dense<0.0> : tensor<1x1x3xf32>
  %m = linalg.batch_matmul indexing_maps = [affine_map<(b, i, j, k) -> (b, i, k)>, affine_map<(b, i, j, k) -> (b, j, k)>, affine_map<(b, i, j, k) -> (b, i, j)>] ins(%b, %w : tensor<1x1x2xf32>, tensor<1x3x2xf32>) outs(%z : tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
  %y = tensor.empty() : tensor<1x2xf32>)"),
      "net.mlir:5:8: error: a batched matrix product with other maps than its own is not "
      "supported");
  EXPECT_EQ(bodyError(R"(%i = arith.constant 0 : index
  %t = tensor.extract_slice %x[0, %i] [1, 1] [1, 1] : tensor<1x2xf32> to tensor<1x1xf32>
  %y = tensor.empty() : tensor<1x2xf32>)"),
            "net.mlir:3:8: error: a slice with computed bounds is not supported");
  EXPECT_EQ(bodyError("%y = func.call @out(%x) : (tensor<1x2xf32>) -> tensor<1x2xf32>\n  return %y "
                      ": tensor<1x2xf32>\n}\n"
                      "func.func private @out(tensor<1x2xf32>) -> tensor<1x2xf32>\n"
                      "func.func private @rest(%y: tensor<1x2xf32>) -> tensor<1x2xf32> {"),
            "net.mlir:2:8: error: call of 'out', which has no body or not one result");
}

/// Whatever the text is: a module or one line of error, never a crash.
TEST(MlirErrors, DamagedText) {
  std::string text = R"(func.func @main(%x: tensor<1x2x4x4xf32>) -> tensor<1x3xf32> {
  %z = arith.constant 0.0 : f32
  %k = arith.constant dense<[[[[0.5]], [[1.0]]]]> : tensor<1x2x1x1xf32>
  %d = arith.constant dense<0.25> : tensor<16x3xf32>
  %0 = tensor.empty() : tensor<1x1x4x4xf32>
  %f = linalg.fill ins(%z : f32) outs(%0 : tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32>
  %c = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%x, %k : tensor<1x2x4x4xf32>, tensor<1x2x1x1xf32>) outs(%f : tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32>
  %r = linalg.max ins(%c, %f : tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>) outs(%0 : tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32>
  %v = tensor.collapse_shape %r [[0], [1, 2, 3]] : tensor<1x1x4x4xf32> into tensor<1x16xf32>
  %s = arith.constant dense<0.0> : tensor<1x3xf32>
  %y = linalg.matmul ins(%v, %d : tensor<1x16xf32>, tensor<16x3xf32>) outs(%s : tensor<1x3xf32>) -> tensor<1x3xf32>
  return %y : tensor<1x3xf32>
})";
  ASSERT_EQ(importBytes("net.mlir", text).error, "");
  CounterRandom random(1);
  for (int round = 0; round < 150; ++round) {
    std::string damaged = text;
    const std::string digits = "0123456789x%<>[](){}";
    damaged[random.below(uint32_t(text.size()))] = digits[random.below(uint32_t(digits.size()))];
    Imported model = importBytes("net.mlir", damaged);
    if (!model.module) {
      EXPECT_THAT(model.error,
                  AllOf(StartsWith("net.mlir"), HasSubstr(" error: "), Not(HasSubstr("\n"))));
    }
  }
}

/// MLIR 22 reads a comma that is not there as part of the permutation, and past its end.
TEST(MlirErrors, CrashesOfTheParserAreErrors) {
  for (const char *permutation : {"[1 0]", " 1, 0]", "[1, 0", "[]", "[0, 0]", "[7, 1]"}) {
    std::string error = importBytes("net.mlir", fmt::format(R"(
func.func @net(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {{
  %0 = tensor.empty() : tensor<3x2xf32>
  %t = linalg.transpose ins(%x : tensor<2x3xf32>) outs(%0 : tensor<3x2xf32>) permutation = {}
  return %t : tensor<3x2xf32>
}})",
                                                            permutation))
                            .error;
    EXPECT_THAT(error, AllOf(StartsWith("net.mlir"), HasSubstr(" error: "), Not(HasSubstr("\n"))))
        << permutation;
  }
}

TEST(MlirErrors, TosaDetails) {
  EXPECT_EQ(importBytes("net.mlir", R"(func.func @main(%x: tensor<1x1x2xf32>) -> tensor<1x1x2xf32> {
  %w = "tosa.const"() <{values = dense<1.0> : tensor<1x2x2xf32>}> : () -> tensor<1x2x2xf32>
  %one = "tosa.const"() <{values = dense<1.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %zp = tosa.add %one, %one : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %y = tosa.matmul %x, %w, %zp, %zp : (tensor<1x1x2xf32>, tensor<1x2x2xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x1x2xf32>
  return %y : tensor<1x1x2xf32>
})")
                .error,
            "net.mlir:5:8: error: zero points other than zero are not supported, the network must "
            "be float");
}

TEST(MlirErrors, SnnFiles) {
  EXPECT_EQ(
      importBytes("net.mlir", R"(func.func @main(%x: !snn.current<2xf32>) -> !snn.current<2xf32> {
  %y = snn.integrator %x : !snn.current<2xf32> -> !snn.current<2xf32>
  return %y : !snn.current<2xf32>
})")
          .error,
      "net.mlir:2:8: error: operation 'snn.integrator' is not part of an ANN graph; expected "
      "synapse operations "
      "of the snn dialect, snn.relu and constants");
  EXPECT_EQ(
      importBytes("net.mlir",
                  R"(func.func @main(%x: tensor<2xf32>, %w: tensor<2x2xf32>) -> tensor<2xf32> {
  %y = snn.dense %x, %w : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
})")
          .error,
      "net.mlir:1:1: error: function 'main' has 2 arguments and 1 results, expected one of each");
}

/// y = relu(x a) b + c with a 2x3, b 3x2, c 1x2, the input at a chosen position.
class Binding : public testing::Test {
protected:
  std::string error(std::vector<NpzMember> members, const char *mark = "") {
    ModelOptions options;
    options.arguments = folder / "w.npz";
    llvm::cantFail(writeNpz(options.arguments, members));
    std::string text = fmt::format(
        R"(func.func @main(%a: tensor<2x3xf32>, %x: tensor<1x2xf32> {}, %b: tensor<3x2xf32>, %c: tensor<1x2xf32>) -> tensor<1x2xf32> {{
  %z = arith.constant dense<0.0> : tensor<1x3xf32>
  %h = linalg.matmul ins(%x, %a : tensor<1x2xf32>, tensor<2x3xf32>) outs(%z : tensor<1x3xf32>) -> tensor<1x3xf32>
  %r = arith.maximumf %h, %z : tensor<1x3xf32>
  %y = linalg.matmul ins(%r, %b : tensor<1x3xf32>, tensor<3x2xf32>) outs(%c : tensor<1x2xf32>) -> tensor<1x2xf32>
  return %y : tensor<1x2xf32>
}})",
        mark);
    model = importBytes("net.mlir", text, options);
    for (size_t at; (at = model.error.find(options.arguments)) != std::string::npos;)
      model.error.replace(at, options.arguments.size(), "w.npz");
    return model.error;
  }
  /// x = (1, -1): h = a₀ - a₁.
  void expectRight() {
    std::vector<double> expected = {c[0], c[1]};
    for (int m = 0; m < 3; ++m)
      for (int o = 0; o < 2; ++o)
        expected[o] += std::max(0.0, double(a[m]) - a[3 + m]) * b[2 * m + o];
    expectNear(model({1, -1}), expected);
  }
  TemporaryFolder folder;
  Imported model;
  std::vector<float> a = {3, 1, 5, 1, 2, 2}, b = {1, 2, 3, 4, 5, 6}, c = {7, 8};
  NpyArray npyA = makeNpy({2, 3}, a), npyB = makeNpy({3, 2}, b), npyC = makeNpy({1, 2}, c);
};

TEST_F(Binding, ByNameInAnyOrder) {
  EXPECT_EQ(error({{"arg3", npyC}, {"arg0", npyA}, {"arg2", npyB}}), "");
  expectRight();
  EXPECT_EQ(
      error({{"arg0", npyA}, {"arg00", npyA}, {"arg2", npyB}}),
      "w.npz: error: arrays leave 2 arguments without value [arg1, arg3], expected one, the input");
  EXPECT_EQ(error({{"arg0", npyA}, {"arg1", npyC}, {"arg2", npyB}}, "{secret.secret}"),
            "w.npz: error: array 'arg1' belongs to the argument marked as input");
}

TEST_F(Binding, InOrder) {
  EXPECT_EQ(error({{"a", npyA}, {"b", npyB}, {"c", npyC}}, "{secret.secret}"), "");
  expectRight();
  EXPECT_EQ(error({{"a", npyA}, {"b", npyB}, {"c", npyC}}), "");
  expectRight();
  EXPECT_EQ(error({{"a", npyA}}),
            "w.npz: error: holds 1 arrays, function 'main' takes 3 beside the input");
  EXPECT_EQ(error({{"a", npyA}, {"b", npyA}, {"c", npyC}}, "{secret.secret}"),
            "w.npz: error: array 'b' is 2x3, argument 2 is 3x2; it is transposed, store it in the "
            "order of the argument");
  EXPECT_EQ(error({{"a", npyA}, {"b", npyC}, {"c", npyC}}, "{secret.secret}"),
            "w.npz: error: array 'b' is 1x2, argument 2 is 3x2");
}

TEST_F(Binding, AFunctionWithoutArgumentsHasNoInput) {
  ModelOptions options;
  options.arguments = folder / "w.npz";
  llvm::cantFail(writeNpz(options.arguments, {{"a", npyA}}));
  EXPECT_EQ(importBytes("net.mlir", R"(func.func @main() -> tensor<1x2xf32> {
  %y = arith.constant dense<0.0> : tensor<1x2xf32>
  return %y : tensor<1x2xf32>
})",
                        options)
                .error,
            "net.mlir:1:1: error: function 'main' has no arguments, expected one at least, the "
            "input");
}

} // namespace
} // namespace spindle
