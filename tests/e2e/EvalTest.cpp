// `spindle eval` on the listing of the neuron level, in both engines, and its errors.
#include "core/support/formats/Npz.h"
#include "tests/e2e/Tool.h"

#include "llvm/Support/Error.h"
#include <gmock/gmock.h>

#include <limits>

namespace spindle::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kProgram = R"(
!train = !snn.spike_train<?xf32>
!bundle = !snn.spike_bundle<?x!train>
module attributes {snn.lif.k = 1.0 : f32, snn.lif.vth = 0.5 : f32, snn.lif.vrest = 0.0 : f32} {
  func.func @f(%b: !bundle, %w: tensor<2xf32>, %bias: f32, %t: !train, %i: index, %o: tensor<2xindex>) -> (!train, tensor<?xindex>, !bundle, f32, index, tensor<2xindex>, tensor<2xf32>) {
    %n = snn.neuron(%b : !bundle, %w : tensor<2xf32>, %bias : f32) : !train
    %c = snn.spike_bundle_collect(%t : !train, %n : !train) : !bundle
    %r = snn.get_order(%c : !bundle) : tensor<?xindex>
    return %n, %r, %c, %bias, %i, %o, %w : !train, tensor<?xindex>, !bundle, f32, index, tensor<2xindex>, tensor<2xf32>
  }
}
)";

class Eval : public ::testing::Test {
protected:
  Eval() {
    writeText(scratch / "neurons.mlir", kProgram);
    members = {
        {"arg0",
         makeNpy({2, 2}, std::vector<float>{1, 3, 2, std::numeric_limits<float>::infinity()})},
        {"arg1", makeNpy({2}, std::vector<float>{0.75f, 0.25f})},
        {"arg2", makeNpy({}, std::vector<float>{0})},
        {"arg3", makeNpy({2}, std::vector<float>{2, 5})},
        {"arg4", makeNpy({1}, std::vector<int64_t>{9})},
        {"arg5", makeNpy({2}, std::vector<int64_t>{3, 4})}};
  }
  std::string arguments(const std::string &more = "") {
    llvm::cantFail(writeNpz(scratch / "in.npz", members));
    return "eval '" + (scratch / "neurons.mlir") + "' --function f --in '" + (scratch / "in.npz") +
           "' --out '" + (scratch / "out.npz") + "' " + more;
  }
  std::string errorOf(const std::string &command) {
    ToolResult result = runTool(command);
    EXPECT_EQ(result.exitCode, 1) << result.errors;
    return result.errors;
  }
  ScratchFolder scratch;
  std::vector<NpzMember> members;
};

TEST_F(Eval, WritesTheResultsInBothEngines) {
  std::string bytes;
  for (const char *engine : {"", "--engine interpreter", "--engine compiled"}) {
    ToolResult result = runTool(arguments(engine));
    ASSERT_EQ(result.exitCode, 0) << result.errors;
    std::vector<NpzMember> out = llvm::cantFail(readNpz(scratch / "out.npz"));
    ASSERT_EQ(out.size(), 7u);
    EXPECT_EQ(out[0].name, "result0");
    EXPECT_THAT(out[0].array.floats(), ElementsAre(1, 3));
    EXPECT_THAT(out[1].array.integers(), ElementsAre(1, 0));
    EXPECT_THAT(out[2].array.shape, ElementsAre(2, 2));
    EXPECT_THAT(out[2].array.floats(), ElementsAre(2, 5, 1, 3));
    EXPECT_EQ(out[3].array, makeNpy({}, std::vector<float>{0}));
    EXPECT_EQ(out[4].array, makeNpy({}, std::vector<int64_t>{9}));
    EXPECT_EQ(out[5].array, members[5].array);
    EXPECT_EQ(out[6].array, members[1].array);
    std::string found = readText(scratch / "out.npz");
    EXPECT_TRUE(bytes.empty() || bytes == found);
    bytes = found;
  }
}

TEST_F(Eval, NamesWhatIsWrong) {
  EXPECT_THAT(errorOf(arguments("--engine fast")), HasSubstr("--engine"));
  members[4].array = makeNpy({2}, std::vector<int64_t>{1, 2});
  EXPECT_THAT(errorOf(arguments()),
              HasSubstr("in.npz: arg4: error: has 2 elements, expected one number"));
  members[3].array = makeNpy({1, 1}, std::vector<float>{1});
  EXPECT_THAT(errorOf(arguments()), HasSubstr("arg3: error: has rank 2, expected 1 (spike times)"));
  members[0].array = makeNpy({1, 1, 1}, std::vector<float>{1});
  EXPECT_THAT(
      errorOf(arguments()),
      HasSubstr(
          "arg0: error: has rank 3, expected 1 (one time per train) or 2 (a list per train)"));
  members[0].array = makeNpy({2, 1}, std::vector<float>{1, -2});
  EXPECT_THAT(errorOf(arguments()),
              HasSubstr("arg0: error: spike time -2, expected a number of ms"));
  members[0].name = "x";
  EXPECT_THAT(errorOf(arguments()),
              HasSubstr("in.npz: error: no array 'arg0', expected arg0 to arg5"));
  EXPECT_THAT(errorOf("eval '" + (scratch / "neurons.mlir") + "' --function g --out o.npz"),
              HasSubstr("no function @g, expected one of @f"));
  EXPECT_THAT(errorOf("eval '" + (scratch / "neurons.mlir") + "' --function f --out o.npz"),
              HasSubstr("--in: error: no array 'arg0'"));
}

TEST_F(Eval, RefusesFloatsAsIndices) {
  members[5].array = makeNpy({2}, std::vector<float>{1, 2});
  EXPECT_THAT(errorOf(arguments()), HasSubstr("arg5: error: holds floats, expected integers"));
}

} // namespace
} // namespace spindle::test
