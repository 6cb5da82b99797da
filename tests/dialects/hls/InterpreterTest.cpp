// The interpreter on kernels written by hand: cycles worked out on paper, and every fault it finds.
#include "dialects/hls/interpreter/Interpreter.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Parser/Parser.h"

#include "fmt/format.h"
#include "gtest/gtest.h"

namespace spindle::hls {
namespace {

constexpr ElementType i32{ElementType::Kind::Integer, 32};

/// Schedules that do not hold are what this is about, so nothing is verified.
llvm::Expected<Interpretation> run(const std::string &body, std::vector<KernelArray> arguments,
                                   const std::string &head = "arguments []") {
  mlir::MLIRContext context;
  context.loadDialect<HlsDialect>();
  std::string text =
      fmt::format("hls.kernel @k target \"t\" clock 1.0e+01 {} {{\n{}\n}}", head, body);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceString<mlir::ModuleOp>(text, mlir::ParserConfig(&context, false));
  if (!module)
    return checkError("", "does not parse");
  return interpret(*module->getOps<KernelOp>().begin(), std::move(arguments), {});
}

std::string errorOf(const std::string &body) {
  auto found = run(body, {makeIntegers(i32, {4}, {1, 2, 3, 4})});
  return found ? "none" : toText(found.takeError());
}

const char *const declarations = R"(
  hls.memory @x : memref<4xi32> {argument = 0 : i64}
  hls.memory @sum : memref<i32> {registers}
  hls.unit @mul does ["muli"] on i32 by "spindle_muli" {interval = 2 : i64, latency = 3 : i64, parameters = {}}
)";

/// One nest over the four words of @x.
std::string nest(const std::string &body, int interval, int depth, const std::string &lower = "(0)",
                 const std::string &atLeast = "1") {
  return fmt::format(R"({}
  hls.tasks {{
    hls.pipeline "nest" interval {} depth {} {{
    ^bb0(%i: index):
      {}
      hls.yield
    }} {{at_least = array<i64: {}>, dependences = [], lower_bounds = [affine_map<() -> {}>], upper_bounds = [affine_map<() -> (4)>]}}
  }})",
                     declarations, interval, depth, body, atLeast, lower);
}

const char *const load = "%a = hls.load @x bank 0 port 0 [%i] {hls.start = 0 : i64} : i32\n";
const char *const multiply =
    "%y = arith.muli %a, %a {hls.start = 1 : i64, hls.unit = @mul} : i32\n";
const char *const store = "hls.store %y, @x bank 0 port 1 [%i] {hls.start = 4 : i64} : i32\n";

TEST(Interpreter, CountsCyclesAndComputes) {
  auto found = run(nest(std::string(load) + multiply + store, 2, 5),
                   {makeIntegers(i32, {4}, {1, -2, 3, 1 << 20})});
  ASSERT_TRUE(bool(found)) << toText(found.takeError());
  EXPECT_EQ(found->values.arguments[0], makeIntegers(i32, {4}, {1, 4, 9, 0}));
  EXPECT_EQ(found->cycles, 3u * 2 + 5);
}

TEST(Interpreter, UnitsLookAtTheirBitsOnly) {
  std::string text = nest(std::string(load) + multiply + store, 2, 5);
  const std::string all = "latency = 3 : i64, ";
  text.replace(text.find(all), all.size(), all + "operand_bits = array<i64: 4, 32>, ");
  auto found = run(text, {makeIntegers(i32, {4}, {7, -8, 9, 16})});
  ASSERT_TRUE(bool(found)) << toText(found.takeError());
  EXPECT_EQ(found->values.arguments[0], makeIntegers(i32, {4}, {49, 64, -7 * 9, 0}));
}

TEST(Interpreter, RunsTasksTogetherAndOneAfterTheOther) {
  // a takes 1 cycle, b and c start together behind it and take 3 and 5, d waits for both.
  auto task = [](const char *name, int depth, const char *after) {
    return fmt::format(R"(hls.pipeline "{}" interval 1 depth {} {} {{ hls.yield }}
      {{at_least = array<i64>, dependences = [], lower_bounds = [], upper_bounds = []}}
)",
                       name, depth, after);
  };
  std::string inner = task("a", 1, "") + task("b", 3, R"(after ["a"])") +
                      task("c", 5, R"(after ["a"])") + task("d", 2, R"(after ["b", "c"])");
  auto once = run("hls.tasks {\n" + inner + "}", {});
  ASSERT_TRUE(bool(once)) << toText(once.takeError());
  EXPECT_EQ(once->cycles, 1u + 5 + 2);
  // A repeat counts for one cycle per turn; without turns it takes no time.
  for (int turns : {0, 1, 7}) {
    auto found = run(fmt::format(R"(hls.tasks {{ hls.repeat "r" {{
      ^bb0(%i: index): hls.tasks {{ {} }} }} {{lower_bound = affine_map<() -> (2)>, upper_bound = affine_map<() -> ({})>}} }})",
                                 inner, 2 + turns),
                     {});
    ASSERT_TRUE(bool(found)) << toText(found.takeError());
    EXPECT_EQ(found->cycles, static_cast<uint64_t>(turns ? turns * 9 : 1));
  }
}

TEST(Interpreter, CarriesValuesAroundAndReadsRegistersInTheSameCycle) {
  // A sum over x in a carried value, and Fibonacci numbers handed from one to the other.
  auto found = run(R"(
  ^bb0(%zero: i32, %one: i32):
  hls.memory @x : memref<4xi32> {argument = 0 : i64}
  hls.memory @sum : memref<i32> {registers}
  hls.memory @last : memref<i32> {registers}
  hls.tasks {
    hls.pipeline "nest" interval 1 depth 2 carries %zero, %one, %one : i32, i32, i32 {
    ^bb0(%i: index, %s: i32, %f: i32, %g: i32):
      %a = hls.load @x bank 0 port 0 [%i] {hls.start = 0 : i64} : i32
      %t = arith.addi %s, %a {hls.start = 1 : i64} : i32
      %h = arith.addi %f, %g {hls.start = 1 : i64} : i32
      hls.store %t, @sum bank 0 {hls.start = 1 : i64} : i32
      hls.store %f, @last bank 0 {hls.start = 1 : i64} : i32
      hls.yield %t, %g, %h : i32, i32, i32
    } {at_least = array<i64: 1>, dependences = [], lower_bounds = [affine_map<() -> (0)>], upper_bounds = [affine_map<() -> (4)>]}
  })",
                   {makeIntegers(i32, {4}, {1, 2, 3, 40}), makeIntegers(i32, {}, {0}),
                    makeIntegers(i32, {}, {1})},
                   R"(arguments [1, 2] results ["sum", "last"])");
  ASSERT_TRUE(bool(found)) << toText(found.takeError());
  EXPECT_EQ(found->values.results[0], makeIntegers(i32, {}, {46}));
  EXPECT_EQ(found->values.results[1], makeIntegers(i32, {}, {3})); // 1, 1, 2, 3
  EXPECT_EQ(found->cycles, 5u);
}

TEST(Interpreter, SaysWhatIsWrongWithASchedule) {
  std::string early = multiply, late = store;
  early.replace(early.find("= 1"), 3, "= 0");
  EXPECT_EQ(errorOf(nest(load + early + store, 2, 5)),
            "pipeline nest: error: operation 'arith.muli' uses the result of 'hls.load' in cycle "
            "1, there in cycle 2");
  EXPECT_EQ(errorOf(nest(std::string(load) + multiply + store, 1, 5)),
            "pipeline nest: error: operation 'arith.muli' takes unit mul in cycle 3, which "
            "'arith.muli' has until cycle 3");
  EXPECT_EQ(errorOf(nest(std::string(load) + multiply + store, 2, 4)),
            "pipeline nest: error: operation 'hls.store' starts in cycle 11, after the end of the "
            "pipeline in cycle 10");
  late.replace(late.find("port 1"), 6, "port 0");
  EXPECT_EQ(errorOf(nest(std::string(load) + multiply + late, 2, 5)),
            "@x: error: operation 'hls.load' takes port 0 of bank 0, which operation 'hls.store' "
            "has, in cycle 5");
  EXPECT_EQ(errorOf(nest(std::string(load) + multiply + store, 2, 5, "(-1)")),
            "@x: error: operation 'hls.load' accesses word -1 of bank 0, expected 0 to 3, in cycle "
            "1");
  EXPECT_EQ(errorOf(nest(std::string(load) + multiply + store, 2, 5, "(2)", "3")),
            "pipeline nest: error: operation 'hls.load' acts in a bubble in cycle 5");
  EXPECT_EQ(errorOf(nest(std::string(load) +
                             "hls.store %a, @x bank 0 port 1 [%i] {hls.start = 0 : i64} : i32",
                         2, 1)),
            "pipeline nest: error: operation 'hls.store' uses the result of 'hls.load' in cycle 1, "
            "there in cycle 2");
}

TEST(Interpreter, SaysWhichAccessesMeet) {
  EXPECT_EQ(errorOf(nest("%c = arith.constant 7 : i32\n"
                         "%a = hls.load @x bank 0 port 0 [%i] {hls.start = 0 : i64} : i32\n"
                         "hls.store %c, @x bank 0 port 1 [%i] {hls.start = 0 : i64} : i32",
                         1, 2)),
            "@x: error: operation 'hls.store' meets operation 'hls.load' in word 0 of bank 0 in "
            "cycle 1");
  EXPECT_EQ(errorOf(nest("%c = arith.constant 7 : i32\n"
                         "hls.store %c, @sum bank 0 {hls.start = 0 : i64} : i32\n"
                         "hls.store %c, @sum bank 0 {hls.start = 1 : i64} : i32",
                         1, 2)),
            "@sum: error: operation 'hls.store' meets operation 'hls.store' in word 0 of bank 0 in "
            "cycle 2");
  // A register may be read in the cycle in which it is written.
  EXPECT_EQ(errorOf(nest("%a = hls.load @sum bank 0 {hls.start = 0 : i64} : i32\n"
                         "hls.store %a, @sum bank 0 {hls.start = 0 : i64} : i32",
                         1, 1)),
            "none");
}

TEST(Interpreter, RefusesArgumentsThatDoNotFit) {
  std::string body = nest(load, 1, 2);
  auto none = run(body, {});
  EXPECT_EQ(toText(none.takeError()), "kernel @k: error: 0 arguments, but the kernel reads arg0");
  auto longer = run(body, {makeIntegers(i32, {5}, {1, 2, 3, 4, 5})});
  EXPECT_EQ(toText(longer.takeError()), "kernel @k: error: arg0 is i32 [5], expected i32 [4]");
}

TEST(Interpreter, RefusesOperationsWithoutHardware) {
  EXPECT_EQ(errorOf(nest("%c = arith.constant 7 : i32\n"
                         "%q = arith.ceildivsi %c, %c {hls.start = 0 : i64} : i32",
                         1, 1)),
            "pipeline nest: error: operation 'arith.ceildivsi' cannot be interpreted");
}

TEST(Interpreter, RefusesPipelinesWithoutTime) {
  EXPECT_EQ(errorOf(nest(load, 0, 2)),
            "pipeline nest: error: has interval 0 and depth 2, expected at least 1 of both");
  EXPECT_EQ(errorOf(nest(load, 1, 0)),
            "pipeline nest: error: has interval 1 and depth 0, expected at least 1 of both");
}

TEST(Interpreter, RefusesTasksThatWaitForEver) {
  EXPECT_EQ(errorOf(R"(hls.tasks { hls.pipeline "a" interval 1 depth 1 after ["b"] { hls.yield }
      {at_least = array<i64>, dependences = [], lower_bounds = [], upper_bounds = []} })"),
            "kernel @k: error: is not done when nothing is left to do in cycle 1");
}

} // namespace
} // namespace spindle::hls
