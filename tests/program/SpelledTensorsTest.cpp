// Operations on tensors that are spelled by others before a program runs, against their
// definitions.
#include "hw/program/Golden.h"
#include "hw/program/ProgramFile.h"

#include "core/support/CounterRandom.h"

#include "fmt/format.h"
#include "gtest/gtest.h"

#include <numeric>

using namespace spindle;
using namespace spindle::hls;

namespace {

const ElementType word{ElementType::Kind::Integer, 32};

KernelArray counting(std::vector<int64_t> shape, int64_t count, int64_t first) {
  std::vector<int64_t> numbers(static_cast<size_t>(count));
  std::iota(numbers.begin(), numbers.end(), first);
  return makeIntegers(word, std::move(shape), numbers);
}

/// The last array after a run.
std::vector<int64_t> lastAfter(const std::string &text, std::vector<KernelArray> arguments) {
  auto context = makeProgramContext();
  auto module = llvm::cantFail(parseProgram(*context, text, "f.mlir"));
  auto values = runGolden(*module, "f", {std::move(arguments), {}});
  EXPECT_TRUE(bool(values)) << toText(values.takeError());
  return values ? toIntegers(values->arguments.back()) : std::vector<int64_t>();
}

/// Coordinates of the first and the last dimension are in pairs; what lies between is a slice.
TEST(SpelledTensors, GatherTakesSlicesByTheirCoordinates) {
  const std::vector<std::pair<int, int>> pairs = {{1, 0}, {1, 2}, {0, 1}, {2, 2}, {2, 3}, {0, 0}};
  std::vector<int64_t> coordinates, expected;
  for (auto [i, k] : pairs) {
    coordinates.insert(coordinates.end(), {i, k});
    for (int j = 0; j < 5; ++j)
      expected.push_back(100 + (i * 5 + j) * 4 + k);
  }
  for (std::string type : {"tensor<2x3x5xi32>", "tensor<2x3x1x5x1xi32>"}) {
    std::string text = "func.func @f(%a: tensor<3x5x4xi32>, %i: tensor<2x3x2xi32>) -> " + type +
                       " {\n  %r = tensor.gather %a[%i] gather_dims([0, 2]) : (tensor<3x5x4xi32>, "
                       "tensor<2x3x2xi32>) -> " +
                       type + "\n  return %r : " + type + "\n}";
    bool isReduced = type == "tensor<2x3x5xi32>";
    std::vector<int64_t> shape = {2, 3, 5};
    if (!isReduced)
      shape = {2, 3, 1, 5, 1};
    EXPECT_EQ(lastAfter(text, {counting({3, 5, 4}, 60, 100),
                               makeIntegers(word, {2, 3, 2}, coordinates), counting(shape, 30, 0)}),
              expected)
        << type;
  }
}

/// Tiles of two columns and four rows, the missing row filled; unpacked they are what they were.
TEST(SpelledTensors, PackMakesTilesAndUnpackTakesThemApart) {
  const std::string pack = R"(
    %e = tensor.empty() : tensor<2x3x2x4xi32>
    %p = linalg.pack %a padding_value(%z : i32) inner_dims_pos = [1, 0] inner_tiles = [2, 4] into %e : tensor<7x6xi32> -> tensor<2x3x2x4xi32>)";
  std::vector<int64_t> tiles;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 3; ++j)
      for (int column = 0; column < 2; ++column)
        for (int row = 0; row < 4; ++row)
          tiles.push_back(4 * i + row < 7 ? (4 * i + row) * 6 + 2 * j + column : -1);
  KernelArray input = counting({7, 6}, 42, 0);
  KernelArray filling = makeIntegers(word, {}, {-1});
  EXPECT_EQ(lastAfter("func.func @f(%a: tensor<7x6xi32>, %z: i32) -> tensor<2x3x2x4xi32> {" + pack +
                          "\n return %p : tensor<2x3x2x4xi32>\n}",
                      {input, filling, counting({2, 3, 2, 4}, 48, 0)}),
            tiles);
  EXPECT_EQ(lastAfter("func.func @f(%a: tensor<7x6xi32>, %z: i32) -> tensor<7x6xi32> {" + pack + R"(
    %f = tensor.empty() : tensor<7x6xi32>
    %u = linalg.unpack %p inner_dims_pos = [1, 0] inner_tiles = [2, 4] into %f : tensor<2x3x2x4xi32> -> tensor<7x6xi32>
    return %u : tensor<7x6xi32>
})",
                      {input, filling, counting({7, 6}, 42, 7)}),
            toIntegers(input));
}

/// From the fourth element on b in the place of a; the sum is over elements as they are read,
/// backwards.
TEST(SpelledTensors, AffineLoopsCarryTensors) {
  const char *text = R"(
    #upper = affine_set<(d0) : (d0 - 4 >= 0)>
    func.func @f(%a: tensor<8xi32>, %b: tensor<8xi32>) -> tensor<8xi32> {
      %r = affine.for %i = 0 to 8 iter_args(%t = %a) -> (tensor<8xi32>) {
        %u = affine.if #upper(%i) -> tensor<8xi32> {
          %x = tensor.extract %b[%i] : tensor<8xi32>
          %q = affine.apply affine_map<(d0) -> (7 - d0)>(%i)
          %y = tensor.extract %t[%q] : tensor<8xi32>
          %z = arith.addi %x, %y : i32
          %v = tensor.insert %z into %t[%i] : tensor<8xi32>
          affine.yield %v : tensor<8xi32>
        } else {
          affine.yield %t : tensor<8xi32>
        }
        affine.yield %u : tensor<8xi32>
      }
      return %r : tensor<8xi32>
    })";
  EXPECT_EQ(lastAfter(text, {counting({8}, 8, 0), counting({8}, 8, 100), counting({8}, 8, 0)}),
            (std::vector<int64_t>{0, 1, 2, 3, 107, 107, 107, 107}));
}

TEST(SpelledTensors, ClonesAreWhatTheyAreClonesOf) {
  for (int offset : {0, 1}) {
    std::string layout = "strided<[2]" + std::string(offset ? ", offset: 1>" : ">");
    std::string type = "memref<3xi32, " + layout + ">";
    std::string text = "func.func @f(%a: memref<6xi32>, %b: memref<3xi32>) {\n"
                       "  %s = memref.subview %a[" +
                       std::to_string(offset) + "] [3] [2] : memref<6xi32> to " + type +
                       "\n  %c = bufferization.clone %s : " + type + " to " + type +
                       "\n  affine.for %i = 0 to 3 {\n    %x = affine.load %c[%i] : " + type +
                       "\n    affine.store %x, %b[%i] : memref<3xi32>\n  }\n  return\n}";
    std::vector<int64_t> expected = {10 + offset, 12 + offset, 14 + offset};
    EXPECT_EQ(lastAfter(text, {counting({6}, 6, 10), counting({3}, 3, 0)}), expected) << type;
  }
}

/// A function takes a clone by its layout, which is then no matter of folding.
TEST(SpelledTensors, ClonesOfAnyStridesAreHandedToFunctions) {
  CounterRandom draw(7);
  for (int round = 0; round < 40; ++round) {
    int64_t rows = 1 + draw.below(3), columns = 1 + draw.below(3), down = 1 + draw.below(3),
            right = 1 + draw.below(3), top = draw.below(3), left = draw.below(3);
    int64_t height = top + (rows - 1) * down + 1, width = left + (columns - 1) * right + 1;
    std::string whole = fmt::format("memref<{}x{}xi32>", height, width);
    std::string dense = fmt::format("memref<{}x{}xi32>", rows, columns);
    std::string type = fmt::format("memref<{}x{}xi32, strided<[{}, {}], offset: {}>>", rows,
                                   columns, down * width, right, top * width + left);
    std::string text = fmt::format(
        "func.func private @copy(%c: {2}, %b: {1}) {{\n  memref.copy %c, %b : {2} to {1}\n"
        "  return\n}}\n"
        "func.func @f(%a: {0}, %b: {1}) {{\n"
        "  %s = memref.subview %a[{3}, {4}] [{5}, {6}] [{7}, {8}] : {0} to {2}\n"
        "  %c = bufferization.clone %s : {2} to {2}\n"
        "  call @copy(%c, %b) : ({2}, {1}) -> ()\n  return\n}}\n",
        whole, dense, type, top, left, rows, columns, down, right);
    std::vector<int64_t> expected;
    for (int64_t r = 0; r < rows; ++r)
      for (int64_t c = 0; c < columns; ++c)
        expected.push_back((top + r * down) * width + left + c * right);
    EXPECT_EQ(lastAfter(text, {counting({height, width}, height * width, 0),
                               counting({rows, columns}, rows * columns, 0)}),
              expected)
        << text;
  }
}

/// Strides that are named but not those of a dense array of open extents: no array can be made.
TEST(SpelledTensors, ClonesOfOpenExtentsAndOddStridesAreRefused) {
  const std::string type = "memref<?x?xi32, strided<[8, 1]>>";
  auto context = makeProgramContext();
  auto module = llvm::cantFail(
      parseProgram(*context,
                   "func.func @f(%a: memref<4x8xi32>, %b: memref<1xi32>, %m: i32) {\n"
                   "  %n = arith.index_cast %m : i32 to index\n"
                   "  %z = arith.constant 0 : index\n"
                   "  %s = memref.subview %a[0, 0] [%n, %n] [1, 1] : memref<4x8xi32> to " +
                       type + "\n  %c = bufferization.clone %s : " + type + " to " + type +
                       "\n  %x = memref.load %c[%z, %z] : " + type +
                       "\n  memref.store %x, %b[%z] : memref<1xi32>\n  return\n}",
                   "f.mlir"));
  auto values =
      runGolden(*module, "f",
                {{counting({4, 8}, 32, 0), counting({1}, 1, 0), makeIntegers(word, {}, {2})}, {}});
  ASSERT_FALSE(bool(values));
  std::string error = toText(values.takeError());
  EXPECT_NE(error.find("values: a clone of type"), std::string::npos) << error;
}

TEST(SpelledTensors, BitcastsKeepTheBits) {
  KernelArray ones = makeIntegers(word, {2}, {1, -1});
  EXPECT_EQ(lastAfter("func.func @f(%a: tensor<2xi32>) -> tensor<2xi32> {\n"
                      "  %b = tensor.bitcast %a : tensor<2xi32> to tensor<2xf32>\n"
                      "  %c = tensor.bitcast %b : tensor<2xf32> to tensor<2xi32>\n"
                      "  return %c : tensor<2xi32>\n}",
                      {ones, counting({2}, 2, 0)}),
            (std::vector<int64_t>{1, -1}));
}

} // namespace
