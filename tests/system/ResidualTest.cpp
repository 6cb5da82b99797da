// Residual blocks of 8-bit integers in tosa (tests/kernels/systems): how much a dataflow system
// gains, and one of them against plain loops.
#include "core/support/CounterRandom.h"
#include "core/support/files/File.h"
#include "core/support/formats/Npz.h"
#include "hw/cosim/Cosim.h"
#include "hw/program/ProgramFile.h"
#include "hw/system/SystemFiles.h"
#include "tests/cosim/KernelFolder.h"

#include "gmock/gmock.h"

#include <algorithm>
#include <regex>

using namespace spindle;
using namespace spindle::hls;
using testing::IsEmpty;

namespace {

constexpr int64_t kSize = 8, kChannels = 16;

const char *const kResidual = "residual_i8", *const kInverted = "inverted_residual_i8";

/// The program for so many images.
std::string blockOf(const std::string &name, int64_t images) {
  std::string text = llvm::cantFail(readFile("tests/kernels/systems/" + name + ".mlir")),
              count = std::to_string(images);
  text = std::regex_replace(text, std::regex("tensor<100x"), "tensor<" + count + "x");
  return std::regex_replace(text, std::regex("constant 100 :"), "constant " + count + " :");
}

using Numbers = std::vector<int64_t>;

/// Sums of a convolution of 3 × 3 with zeros around the image.
Numbers convolve(const Numbers &image, const Numbers &weights, const Numbers &bias) {
  Numbers sums;
  for (int64_t y = 0; y < kSize; ++y)
    for (int64_t x = 0; x < kSize; ++x)
      for (int64_t out = 0; out < kChannels; ++out) {
        int64_t sum = bias[size_t(out)];
        for (int64_t i = 0; i < 9; ++i) {
          int64_t v = y + i / 3 - 1, u = x + i % 3 - 1;
          if (v < 0 || u < 0 || v >= kSize || u >= kSize)
            continue;
          for (int64_t in = 0; in < kChannels; ++in)
            sum += image[size_t((v * kSize + u) * kChannels + in)] *
                   weights[size_t((out * 9 + i) * kChannels + in)];
        }
        sums.push_back(sum);
      }
  return sums;
}

/// A 256th, halves rounded up, as a byte from 0.
Numbers activate(Numbers sums) {
  for (int64_t &sum : sums)
    sum = std::clamp<int64_t>((sum + 128) >> 8, 0, 127);
  return sums;
}

Numbers drawn(CounterRandom &random, size_t count, int64_t most) {
  Numbers numbers;
  for (size_t n = 0; n < count; ++n)
    numbers.push_back(int64_t(random.below(uint32_t(2 * most))) - most);
  return numbers;
}

SystemSynthesis systemOf(mlir::MLIRContext &context, const std::string &name, int64_t images,
                         SystemKind kind, const std::string &share = "auto") {
  auto program = llvm::cantFail(parseProgram(context, blockOf(name, images), name + ".mlir"));
  SystemOptions options;
  options.kind = kind;
  options.share = share;
  options.hasInputs = images > 1;
  options.kernels.loops.unroll = {1};
  return llvm::cantFail(
      synthesizeSystem(*program, llvm::cantFail(readTarget(kDefaultTarget)), options));
}

double gain(const std::string &name, int64_t images) {
  auto context = makeSystemContext();
  SystemSynthesis one = systemOf(*context, name, images, SystemKind::Centralised),
                  other = systemOf(*context, name, images, SystemKind::Dataflow);
  return double(one.times->cycles) / double(other.times->cycles);
}

TEST(Residual, DataflowGainsByTheShortcutAndByFollowingImages) {
  EXPECT_GE(gain(kResidual, 1), 1.25);
  EXPECT_GE(gain(kResidual, 100), 3);
}

/// A chain: what is between the three convolutions, with 24,576, 27,648 and 24,576 products, is at
/// work beside them, and the last of them begins before the second one is done. Of many images all
/// work at the same time.
TEST(Residual, DataflowGainsOnAChain) {
  EXPECT_GE(gain(kInverted, 1), 1.2);
  EXPECT_GE(gain(kInverted, 100), 3.4);
}

/// The three convolutions are one kernel, whatever their weights.
TEST(Residual, ConvolutionsShareACircuit) {
  auto context = makeSystemContext();
  SystemSynthesis made = systemOf(*context, kResidual, 1, SystemKind::Dataflow, "all");
  std::map<uint32_t, size_t> tasks;
  for (const TaskSpan &span : made.times->spans)
    if (span.end - span.start > 100000)
      ++tasks[made.graph.tasks[span.task].circuit];
  ASSERT_EQ(tasks.size(), 1u);
  EXPECT_EQ(tasks.begin()->second, 3u);
}

TEST(Residual, VerilatorFindsWhatPlainLoopsCompute) {
  if (!hasVerilator())
    GTEST_SKIP() << "verilator or make is absent, install the packages verilator and make";
  constexpr int64_t images = 3, pixels = kSize * kSize * kChannels;
  auto context = makeSystemContext();
  TemporaryFolder folder;
  SystemSynthesis made = systemOf(*context, kResidual, images, SystemKind::Dataflow);
  llvm::cantFail(writeSystemFiles(folder.path(), made, llvm::cantFail(readTarget(kDefaultTarget)),
                                  blockOf(kResidual, images)));
  CounterRandom random(1);
  Numbers x = drawn(random, size_t(images * pixels), 128);
  std::vector<Numbers> weights, biases;
  for (int n = 0; n < 3; ++n)
    weights.push_back(drawn(random, size_t(kChannels * 9 * kChannels), 20));
  for (int n = 0; n < 3; ++n)
    biases.push_back(drawn(random, size_t(kChannels), 1000));
  Numbers expected;
  for (int64_t image = 0; image < images; ++image) {
    Numbers slice(x.begin() + image * pixels, x.begin() + (image + 1) * pixels);
    Numbers sums =
        convolve(activate(convolve(slice, weights[0], biases[0])), weights[1], biases[1]);
    Numbers shortcut = convolve(slice, weights[2], biases[2]);
    std::transform(sums.begin(), sums.end(), shortcut.begin(), sums.begin(), std::plus<>());
    for (int64_t y : activate(sums))
      expected.push_back(y);
  }
  const ElementType byte{ElementType::Kind::Integer, 8}, word{ElementType::Kind::Integer, 32};
  std::vector<NpzMember> members = {
      {"arg0", toNpy(makeIntegers(byte, {images, kSize, kSize, kChannels}, x))}};
  for (size_t n = 0; n < 3; ++n) {
    members.push_back({"arg" + std::to_string(1 + n),
                       toNpy(makeIntegers(byte, {kChannels, 3, 3, kChannels}, weights[n]))});
    members.push_back(
        {"arg" + std::to_string(4 + n), toNpy(makeIntegers(word, {kChannels}, biases[n]))});
  }
  CosimOptions options;
  options.runs = 1;
  options.in = {folder / "in.npz"};
  options.dump = folder / "out.npz";
  llvm::cantFail(writeNpz(options.in[0], members));
  CosimResult result = llvm::cantFail(cosim(folder.path(), options));
  EXPECT_THAT(result.problems, IsEmpty());
  EXPECT_EQ(result.cycles, made.times->cycles);
  EXPECT_GT(
      std::count_if(expected.begin(), expected.end(), [](int64_t y) { return y > 0 && y < 127; }),
      images * pixels / 8);
  bool isFound = false;
  for (const NpzMember &member : llvm::cantFail(readNpz(options.dump)))
    if (member.name == "arg7") {
      isFound = true;
      EXPECT_EQ(member.array.integers(), expected);
    }
  EXPECT_TRUE(isFound);
}

} // namespace
