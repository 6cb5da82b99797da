// Operators against the reference evaluator that defines ONNX, over random shapes and attributes.
// Needs a Python with the packages numpy and onnx: SPINDLE_PYTHON, else python3.
#include "core/support/formats/Npz.h"
#include "tests/frontend/Imported.h"

#include "fmt/format.h"

namespace spindle {
namespace {

std::string python() {
  const char *chosen = std::getenv("SPINDLE_PYTHON");
  return chosen && *chosen ? chosen : "python3";
}

TEST(Interop, OnnxReferenceEvaluatorAgrees) {
  if (std::system((python() + " -c 'import numpy, onnx.reference' 2> /dev/null").c_str()) != 0)
    GTEST_SKIP() << python() << " has no packages numpy and onnx (set SPINDLE_PYTHON)";
  constexpr int count = 300;
  TemporaryFolder folder;
  std::string command =
      fmt::format("{} tests/frontend/onnx/onnx_cases.py '{}' {}", python(), folder / "", count);
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  int compared = 0;
  for (int k = 0; k < count; ++k) {
    SCOPED_TRACE(fmt::format("case {} of {}", k, command));
    ModelOptions options;
    options.path = folder / (std::to_string(k) + ".onnx");
    if (!std::filesystem::exists(options.path))
      continue; // the evaluator has gaps
    ++compared;
    Imported model = import(options);
    ASSERT_EQ(model.error, "");
    std::vector<NpzMember> arrays = llvm::cantFail(readNpz(folder / (std::to_string(k) + ".npz")));
    expectNear(model(arrays[0].array.doubles()), arrays[1].array.doubles(), 2e-5);
  }
  EXPECT_GT(compared, count * 9 / 10);
}

} // namespace
} // namespace spindle
