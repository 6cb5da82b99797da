#include "hw/program/Golden.h"
#include "hw/program/ProgramFile.h"

#include "gmock/gmock.h"

#include <cmath>
#include <limits>
#include <numeric>

using namespace spindle;
using namespace spindle::hls;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

const ElementType f64{ElementType::Kind::Float, 64}, f32{ElementType::Kind::Float, 32},
    i32{ElementType::Kind::Integer, 32}, i8{ElementType::Kind::Integer, 8},
    i1{ElementType::Kind::Integer, 1}, indexType{ElementType::Kind::Index, 64};

KernelArray number(double value) { return makeFloats(f64, {}, {value}); }
KernelArray integer(ElementType type, int64_t value) { return makeIntegers(type, {}, {value}); }

llvm::Expected<Values> tryRun(const std::string &text, const Values &inputs,
                              const std::string &function = "f") {
  auto context = makeProgramContext();
  auto module = llvm::cantFail(parseProgram(*context, text, "f.mlir"));
  return runGolden(*module, function, inputs);
}

Values run(const std::string &text, const Values &inputs) {
  auto values = tryRun(text, inputs);
  EXPECT_TRUE(bool(values)) << toText(values.takeError());
  return values ? std::move(*values) : Values();
}

std::string errorOf(const std::string &text, const Values &inputs,
                    const std::string &function = "f") {
  auto values = tryRun(text, inputs, function);
  return values ? "no error" : toText(values.takeError());
}

/// The one result of a function on scalars.
KernelArray resultOf(const std::string &text, std::vector<KernelArray> arguments) {
  Values after = run(text, {std::move(arguments), {}});
  return after.results.empty() ? makeArray(i1, {0}) : after.results[0];
}

/// `op` on pairs of integers.
std::vector<int64_t> onPairs(const std::string &op, ElementType type, const std::vector<int64_t> &a,
                             const std::vector<int64_t> &b) {
  std::string t = type.text(), m = "memref<" + std::to_string(a.size()) + "x" + t + ">";
  std::string text = "func.func @f(%a: " + m + ", %b: " + m + ") {\n  affine.for %i = 0 to " +
                     std::to_string(a.size()) + " {\n    %x = affine.load %a[%i] : " + m +
                     "\n    %y = affine.load %b[%i] : " + m + "\n    %r = " + op +
                     " %x, %y : " + t + "\n    affine.store %r, %a[%i] : " + m +
                     "\n  }\n  return\n}";
  std::vector<int64_t> shape = {static_cast<int64_t>(a.size())};
  Values after = run(text, {{makeIntegers(type, shape, a), makeIntegers(type, shape, b)}, {}});
  return toIntegers(after.arguments[0]);
}

int64_t onIntegers(const std::string &op, ElementType type, int64_t a, int64_t b) {
  return onPairs(op, type, {a}, {b})[0];
}

double onFloats(const std::string &op, double a, double b) {
  std::string text = "func.func @f(%a: f64, %b: f64) -> f64 {\n  %r = " + op +
                     " %a, %b : f64\n  return %r : f64\n}";
  return toDoubles(resultOf(text, {number(a), number(b)}))[0];
}

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

TEST(Golden, ScalesAVector) {
  Values after = run(R"(
    func.func @f(%x: memref<5xf64>, %s: f64) {
      affine.for %i = 0 to 5 {
        %v = affine.load %x[%i] : memref<5xf64>
        %p = arith.mulf %v, %s : f64
        affine.store %p, %x[%i] : memref<5xf64>
      }
      return
    })",
                     {{makeFloats(f64, {5}, {1, 2, 3, 4, 5}), number(0.1)}, {}});
  EXPECT_THAT(toDoubles(after.arguments[0]), ElementsAre(0.1, 0.2, 3 * 0.1, 0.4, 0.5));
  EXPECT_THAT(toDoubles(after.arguments[1]), ElementsAre(0.1));
}

TEST(Golden, MultipliesMatricesOfAnyShape) {
  // Bounds from the shapes, rectangular so that no two strides are the same.
  Values after = run(R"(
    func.func @f(%a: memref<?x?xi32>, %b: memref<?x?xi32>, %c: memref<?x?xi32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %n = memref.dim %a, %c0 : memref<?x?xi32>
      %k = memref.dim %a, %c1 : memref<?x?xi32>
      %m = memref.dim %b, %c1 : memref<?x?xi32>
      affine.for %i = 0 to %n {
        affine.for %j = 0 to %m {
          affine.for %l = 0 to %k {
            %x = affine.load %a[%i, %l] : memref<?x?xi32>
            %y = affine.load %b[%l, %j] : memref<?x?xi32>
            %z = affine.load %c[%i, %j] : memref<?x?xi32>
            %p = arith.muli %x, %y : i32
            %s = arith.addi %z, %p : i32
            affine.store %s, %c[%i, %j] : memref<?x?xi32>
          }
        }
      }
      return
    })",
                     {{makeIntegers(i32, {2, 3}, {1, 2, 3, 4, 5, 6}),
                       makeIntegers(i32, {3, 2}, {1, -1, 0, 2, 5, 7}), makeArray(i32, {2, 2})},
                      {}});
  EXPECT_THAT(toIntegers(after.arguments[2]), ElementsAre(16, 24, 34, 48));
}

TEST(Golden, TensorsAreValuesAndTheirResultsArguments) {
  Values inputs{{makeFloats(f32, {2, 2}, {1, 2, 3, 4}), makeFloats(f32, {2, 2}, {0, 1, 1, 0})}, {}};
  Values after = run(R"(
    func.func @f(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
      %zero = arith.constant dense<0.0> : tensor<2x2xf32>
      %c0 = arith.constant 0 : index
      %nine = arith.constant 9.0 : f32
      %p = linalg.matmul ins(%a, %b : tensor<2x2xf32>, tensor<2x2xf32>) outs(%zero : tensor<2x2xf32>) -> tensor<2x2xf32>
      %q = tensor.insert %nine into %a[%c0, %c0] : tensor<2x2xf32>
      return %p, %q : tensor<2x2xf32>, tensor<2x2xf32>
    })",
                     inputs);
  ASSERT_EQ(after.arguments.size(), 4u);
  EXPECT_EQ(after.arguments[0], inputs.arguments[0]);
  EXPECT_THAT(toDoubles(after.arguments[2]), ElementsAre(2, 1, 4, 3));
  EXPECT_THAT(toDoubles(after.arguments[3]), ElementsAre(9, 2, 3, 4));
}

TEST(Golden, RunsTosa) {
  Values after =
      run(R"(
    func.func @f(%a: tensor<1x2x2xf32>, %b: tensor<1x2x1xf32>) -> tensor<1x2x1xf32> {
      %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
      %p = tosa.matmul %a, %b, %zp, %zp : (tensor<1x2x2xf32>, tensor<1x2x1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x1xf32>
      %r = tosa.clamp %p {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
      return %r : tensor<1x2x1xf32>
    })",
          {{makeFloats(f32, {1, 2, 2}, {1, 2, 3, 4}), makeFloats(f32, {1, 2, 1}, {1, 2})}, {}});
  EXPECT_THAT(toDoubles(after.arguments[2]), ElementsAre(5, 6));
}

TEST(Golden, CallsLoopsAndSeveralResults) {
  Values after = run(R"(
    func.func private @twice(%x: i32) -> i32 {
      %y = arith.addi %x, %x : i32
      return %y : i32
    }
    func.func @f(%n: index, %b: i1) -> (i32, f64, i1) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %one = arith.constant 1 : i32
      %half = arith.constant 0.5 : f64
      %p = scf.for %i = %c0 to %n step %c1 iter_args(%x = %one) -> i32 {
        %y = func.call @twice(%x) : (i32) -> i32
        scf.yield %y : i32
      }
      return %p, %half, %b : i32, f64, i1
    })",
                     {{integer(indexType, 10), integer(i1, 1)}, {}});
  EXPECT_THAT(toIntegers(after.results[0]), ElementsAre(1024));
  EXPECT_THAT(toDoubles(after.results[1]), ElementsAre(0.5));
  EXPECT_EQ(after.results[2].at(0), 1u);
}

TEST(Golden, OtherFunctionsOfTheFileDoNotMatter) {
  EXPECT_THAT(toIntegers(resultOf("func.func @g(%x: i32, %n: i32) -> i32 {\n"
                                  "  %r = math.ipowi %x, %n : i32\n  return %r : i32\n}\n"
                                  "func.func private @f(%x: i32) -> i32 {\n  return %x : i32\n}",
                                  {integer(i32, 5)})),
              ElementsAre(5));
}

TEST(Golden, MemoryOfItsOwnStartsAsZeros) {
  const char *text = R"(
    func.func @f(%i: index) -> i32 {
      %m = memref.alloc() : memref<100xi32>
      %v = memref.load %m[%i] : memref<100xi32>
      %one = arith.constant 1 : i32
      %w = arith.addi %v, %one : i32
      memref.store %w, %m[%i] : memref<100xi32>
      %r = memref.load %m[%i] : memref<100xi32>
      return %r : i32
    })";
  auto context = makeProgramContext();
  auto module = llvm::cantFail(parseProgram(*context, text, "f.mlir"));
  Golden golden = llvm::cantFail(Golden::compile(*module, "f"));
  EXPECT_THAT(golden.results(), ElementsAre(GoldenType{i32, false, {}}));
  EXPECT_THAT(golden.arguments(), ElementsAre(GoldenType{indexType, false, {}}));
  for (int64_t i = 0; i < 3; ++i)
    EXPECT_THAT(toIntegers(llvm::cantFail(golden.run({integer(indexType, i)})).results[0]),
                ElementsAre(1));
}

/// Of types that fill whole bytes and of those that do not: bits of i1, bytes of the others.
TEST(Golden, ContentsBesideTheTextAreRead) {
  struct Contents {
    const char *type, *bytes;
    std::vector<int64_t> numbers;
  };
  for (const auto &[type, bytes, numbers] :
       {Contents{"i1", "05", {1, 0, 1, 0}}, Contents{"i3", "01070203", {1, -1, 2, 3}},
        Contents{"i8", "01FF0280", {1, -1, 2, -128}},
        Contents{"i24", "010000FFFFFF000080010000", {1, 0xFFFFFF, 0x800000, 1}}}) {
    std::string vector = "memref<4x" + std::string(type) + ">",
                text = "memref.global \"private\" constant @m : " + vector +
                       " = dense_resource<m>\nfunc.func @f(%x: " + vector +
                       ") {\n  %m = memref.get_global @m : " + vector +
                       "\n  memref.copy %m, %x : " + vector + " to " + vector + "\n  return\n}\n" +
                       "{-# dialect_resources: { builtin: { m: \"0x04000000" + bytes +
                       "\" } } #-}\n";
    ElementType element = *parseElementType(type);
    Values after = run(text, {{makeIntegers(element, {4}, {0, 0, 0, 0})}, {}});
    std::vector<int64_t> mask = toIntegers(after.arguments.at(0));
    EXPECT_EQ(mask, toIntegers(makeIntegers(element, {4}, numbers))) << type;
  }
  EXPECT_THAT(
      errorOf("memref.global \"private\" constant @m : memref<4xi24> = dense_resource<m>\n"
              "func.func @f() -> index {\n  %m = memref.get_global @m : memref<4xi24>\n"
              "  %i = memref.extract_aligned_pointer_as_index %m : memref<4xi24> -> index\n"
              "  return %i : index\n}\n"
              "{-# dialect_resources: { builtin: { m: \"0x040000000100\" } } #-}\n",
              {}),
      HasSubstr("f.mlir:1:1: error: the program cannot be compiled for golden values: the contents "
                "of constant array 'm' are not in the file"));
}

TEST(Golden, ProductsAndSumsAreRoundedApart) {
  // (1 + 2⁻²⁷)² − (1 + 2⁻²⁶) is 2⁻⁵⁴ exactly, but 0 when the square is rounded.
  double a = 1 + 0x1p-27, c = -(1 + 0x1p-26);
  ASSERT_EQ(std::fma(a, a, c), 0x1p-54);
  for (const char *flags : {"", " fastmath<fast>", " fastmath<contract>"}) {
    std::string text = std::string("func.func @f(%a: f64, %c: f64) -> f64 {\n") +
                       "  %p = arith.mulf %a, %a" + flags + " : f64\n" +
                       "  %s = arith.addf %p, %c" + flags + " : f64\n  return %s : f64\n}";
    EXPECT_EQ(toDoubles(resultOf(text, {number(a), number(c)}))[0], 0);
  }
}

TEST(Golden, SumsKeepTheirOrder) {
  std::string text = R"(
    func.func @f(%x: memref<64xf32>) -> f32 {
      %zero = arith.constant 0.0 : f32
      %s = affine.for %i = 0 to 64 iter_args(%sum = %zero) -> f32 {
        %v = affine.load %x[%i] : memref<64xf32>
        %n = arith.addf %sum, %v fastmath<reassoc> : f32
        affine.yield %n : f32
      }
      return %s : f32
    })";
  std::vector<double> values;
  float expected = 0;
  for (int i = 0; i < 64; ++i) {
    values.push_back(static_cast<float>(std::pow(-1.7, i % 40)));
    expected += static_cast<float>(values.back());
  }
  Values after = run(text, {{makeFloats(f32, {64}, values)}, {}});
  EXPECT_THAT(toDoubles(after.results[0]), ElementsAre(double(expected)));
}

TEST(Golden, DivisionIsDefinedForAllNumbers) {
  EXPECT_EQ(onIntegers("arith.divsi", i8, 7, 0), -1);
  EXPECT_EQ(onIntegers("arith.divsi", i8, -128, -1), -128);
  EXPECT_EQ(onIntegers("arith.divui", i8, 7, 0), -1);
  EXPECT_EQ(onIntegers("arith.remsi", i8, -7, 0), -7);
  EXPECT_EQ(onIntegers("arith.remsi", i8, -128, -1), 0);
  EXPECT_EQ(onIntegers("arith.remui", i8, 7, 0), 7);
  std::vector<int64_t> a, b;
  for (int64_t dividend : {-128, -7, -1, 0, 1, 7, 127})
    for (int64_t divisor : {-128, -3, 1, 2, 127}) {
      a.push_back(dividend);
      b.push_back(divisor);
    }
  auto each = [&](auto function) {
    std::vector<int64_t> expected;
    for (size_t i = 0; i < a.size(); ++i)
      expected.push_back(function(a[i], b[i]));
    return expected;
  };
  using Number = int64_t;
  EXPECT_EQ(onPairs("arith.divsi", i8, a, b), each([](Number x, Number y) { return x / y; }));
  EXPECT_EQ(onPairs("arith.remsi", i8, a, b), each([](Number x, Number y) { return x % y; }));
  EXPECT_EQ(onPairs("arith.divui", i8, a, b),
            each([](Number x, Number y) { return int8_t(uint8_t(x) / uint8_t(y)); }));
  EXPECT_EQ(onPairs("arith.remui", i8, a, b),
            each([](Number x, Number y) { return int8_t(uint8_t(x) % uint8_t(y)); }));
  EXPECT_EQ(onPairs("arith.floordivsi", i8, a, b),
            each([](Number x, Number y) { return x / y - (x % y != 0 && (x < 0) != (y < 0)); }));
}

TEST(Golden, ShiftsAreDefinedForAllDistances) {
  std::vector<int64_t> distances = {0, 1, 7, 8, 9, 127, -1}, numbers(distances.size(), -85);
  std::vector<int64_t> left, right, withSign;
  for (int64_t distance : distances) {
    bool isWhole = distance >= 0 && distance < 8;
    left.push_back(isWhole ? int8_t(uint8_t(-85) << distance) : 0);
    right.push_back(isWhole ? int8_t(uint8_t(-85) >> distance) : 0);
    withSign.push_back(isWhole ? -85 >> distance : -1);
  }
  EXPECT_EQ(onPairs("arith.shli", i8, numbers, distances), left);
  EXPECT_EQ(onPairs("arith.shrui", i8, numbers, distances), right);
  EXPECT_EQ(onPairs("arith.shrsi", i8, numbers, distances), withSign);
  EXPECT_EQ(onIntegers("arith.shli", i1, 1, 1), 0);
  EXPECT_EQ(onIntegers("arith.shrsi", i1, 1, 1), -1);
  EXPECT_EQ(onIntegers("arith.shli", {ElementType::Kind::Integer, 3}, 3, 1), -2);
}

/// `op` of each a with each b where the program states b: a row of results per a.
static std::vector<int64_t> onStated(const std::string &op, const std::vector<int64_t> &a,
                                     const std::vector<int64_t> &b) {
  std::string in = "memref<" + std::to_string(a.size()) + "xi8>";
  std::string out = "memref<" + std::to_string(a.size()) + "x" + std::to_string(b.size()) + "xi8>";
  std::string text = "func.func @f(%a: " + in + ", %to: " + out + ") {\n  affine.for %i = 0 to " +
                     std::to_string(a.size()) + " {\n    %x = affine.load %a[%i] : " + in + "\n";
  for (size_t k = 0; k < b.size(); ++k) {
    std::string n = std::to_string(k);
    text += "    %b" + n + " = arith.constant " + std::to_string(b[k]) + " : i8\n    %r" + n +
            " = " + op + " %x, %b" + n + " : i8\n    affine.store %r" + n + ", %to[%i, " + n +
            "] : " + out + "\n";
  }
  std::vector<int64_t> rows = {int64_t(a.size())}, shape = {int64_t(a.size()), int64_t(b.size())};
  Values after =
      run(text + "  }\n  return\n}", {{makeIntegers(i8, rows, a), makeArray(i8, shape)}, {}});
  return toIntegers(after.arguments[1]);
}

TEST(Golden, StatedDivisorsAndDistancesGiveWhatPassedOnesGive) {
  std::vector<int64_t> numbers = {-128, -127, -1, 0, 1, 6, 7, 8, 9, 64, 127}, a, b;
  for (int64_t first : numbers)
    for (int64_t second : numbers) {
      a.push_back(first);
      b.push_back(second);
    }
  for (const char *op : {"arith.divsi", "arith.divui", "arith.remsi", "arith.remui", "arith.shli",
                         "arith.shrui", "arith.shrsi"})
    EXPECT_EQ(onStated(op, numbers, numbers), onPairs(op, i8, a, b)) << op;
}

TEST(Golden, ConversionsAreDefinedForAllNumbers) {
  auto converted = [](const std::string &op, const char *type, double x) {
    std::string text = std::string("func.func @f(%a: f64) -> ") + type + " {\n  %r = " + op +
                       " %a : f64 to " + type + "\n  return %r : " + type + "\n}";
    return toIntegers(resultOf(text, {number(x)}))[0];
  };
  constexpr int64_t least = std::numeric_limits<int64_t>::min();
  EXPECT_EQ(converted("arith.fptosi", "i32", -1.9), -1);
  EXPECT_EQ(converted("arith.fptosi", "i32", 2147483647.9), 2147483647);
  EXPECT_EQ(converted("arith.fptosi", "i32", 2147483648.0), -2147483648);
  EXPECT_EQ(converted("arith.fptosi", "i32", -2147483648.9), -2147483648);
  EXPECT_EQ(converted("arith.fptosi", "i32", nan), -2147483648);
  EXPECT_EQ(converted("arith.fptosi", "i8", 300), 44);
  EXPECT_EQ(converted("arith.fptosi", "i8", 1e10), 0);
  EXPECT_EQ(converted("arith.fptosi", "i64", inf), least);
  EXPECT_EQ(converted("arith.fptosi", "i64", -0x1p62), -(int64_t(1) << 62));
  EXPECT_EQ(converted("arith.fptoui", "i8", 255.9), -1);
  EXPECT_EQ(converted("arith.fptoui", "i8", -3), -3);
  EXPECT_EQ(converted("arith.fptoui", "i32", 4294967295.0), -1);
  EXPECT_EQ(converted("arith.fptoui", "i32", nan), 0);
  EXPECT_EQ(converted("arith.fptoui", "i64", 0x1p63 + 2048), least + 2048);
  EXPECT_EQ(converted("arith.fptoui", "i64", 0x1p64), least);
}

TEST(Golden, ExtremaKnowNanAndTheSignOfZero) {
  EXPECT_EQ(onFloats("arith.maxnumf", nan, 2), 2);
  EXPECT_EQ(onFloats("arith.maxnumf", 2, nan), 2);
  EXPECT_EQ(onFloats("arith.maxnumf", 2, 3), 3);
  EXPECT_EQ(onFloats("arith.minnumf", nan, 2), 2);
  EXPECT_EQ(onFloats("arith.minnumf", 2, 3), 2);
  EXPECT_TRUE(std::isnan(onFloats("arith.minnumf", nan, nan)));
  EXPECT_TRUE(std::isnan(onFloats("arith.maximumf", nan, 2)));
  for (bool isFirst : {false, true}) {
    double a = isFirst ? -0.0 : 0.0;
    EXPECT_EQ(std::signbit(onFloats("arith.maxnumf", a, -a)), isFirst);
    EXPECT_EQ(std::signbit(onFloats("arith.minnumf", a, -a)), isFirst);
    EXPECT_FALSE(std::signbit(onFloats("arith.maximumf", a, -a)));
    EXPECT_TRUE(std::signbit(onFloats("arith.minimumf", a, -a)));
  }
}

TEST(Golden, ExponentialsAndPowersAreWithinOneUlp) {
  auto isNear = [](double found, double expected) {
    return std::abs(found - expected) <= std::abs(expected) * 0x1p-52;
  };
  for (double x : {-3.5, 0.0, 0.1, 1.0, 20.25}) {
    double e = toDoubles(resultOf("func.func @f(%a: f64) -> f64 {\n  %r = math.exp %a : f64\n"
                                  "  return %r : f64\n}",
                                  {number(x)}))[0];
    EXPECT_TRUE(isNear(e, std::exp(x))) << x;
    EXPECT_TRUE(isNear(onFloats("math.powf", 1.5, x), std::pow(1.5, x))) << x;
  }
}

TEST(Golden, ErrorsSayWhatIsWrong) {
  const char *copy = "func.func @f(%x: memref<2x2xf64>, %i: i32) { return }";
  EXPECT_EQ(errorOf(copy, {}, "g"),
            "f.mlir: error: function 'g' is absent, of which golden values are wanted");
  EXPECT_EQ(errorOf(copy, {{makeArray(f64, {2, 2})}, {}}),
            "f.mlir: @f: error: 1 arguments, expected 2");
  EXPECT_EQ(errorOf(copy, {{makeArray(f64, {4}), makeArray(i32, {})}, {}}),
            "f.mlir: @f: error: arg0 is f64 [4], expected f64 [2, 2]");
  EXPECT_EQ(errorOf(copy, {{makeArray(f64, {2, 2}), makeArray(indexType, {})}, {}}),
            "f.mlir: @f: error: arg1 is index [], expected i32 []");
  EXPECT_THAT(
      errorOf("func.func @f(%x: f80) { return }", {}),
      HasSubstr("type f80 is not supported, expected i1 to i64, index, f16, bf16, f32, f64"));
  EXPECT_THAT(errorOf("func.func @f(%x: memref<2xf64, strided<[2]>>) { return }", {}),
              HasSubstr("type memref<2xf64, strided<[2]>> is not supported"));
  EXPECT_THAT(errorOf("func.func @f(%x: i32, %n: i32) -> i32 {\n"
                      "  %r = math.ipowi %x, %n : i32\n  return %r : i32\n}",
                      {}),
              HasSubstr("f.mlir:2:8: error: the program cannot be compiled for golden values: "));
}

TEST(ProgramFile, ErrorsHaveAPlace) {
  auto context = makeProgramContext();
  EXPECT_THAT(
      toText(
          parseProgram(*context, "func.func @f() {\n  return %x : i32\n}", "f.mlir").takeError()),
      HasSubstr("f.mlir:2:10: error: use of undeclared SSA value name"));
  EXPECT_EQ(toText(readProgram(*context, "absent.mlir").takeError()),
            "absent.mlir: error: cannot open: No such file or directory");
}

} // namespace
