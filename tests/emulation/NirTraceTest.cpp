// The membrane of the NIR paper's leaky neuron (paper/01_lif), step by step.
#include "core/support/files/DataPath.h"
#include "core/support/files/File.h"
#include "lib/emulation/interpreter/Interpreter.h"
#include "lib/emulation/network/Network.h"
#include "lib/frontend/nir/NirImport.h"

#include "gmock/gmock.h"

#include <cmath>

using namespace spindle;

namespace {

/// Columns of the published trace: input, membrane at the end of the step, spike.
struct Row {
  double input, membrane, spike;
};

std::vector<Row> readTrace(const std::string &path) {
  std::vector<Row> rows;
  std::string text = llvm::cantFail(readFile(path));
  for (llvm::StringRef rest = text; !rest.empty();) {
    auto [line, after] = rest.split('\n');
    rest = after;
    llvm::SmallVector<llvm::StringRef, 3> cells;
    line.split(cells, ',');
    Row row{};
    if (cells.size() == 3 && !cells[0].getAsDouble(row.input) &&
        !cells[1].getAsDouble(row.membrane) && !cells[2].getAsDouble(row.spike))
      rows.push_back(row);
  }
  return rows;
}

class NirTrace : public testing::Test {
protected:
  void SetUp() override {
    PathResolver paths;
    llvm::Expected<std::string> file = paths.find("models/nir/lif_norse.nir", "");
    if (!file) {
      llvm::consumeError(file.takeError());
      GTEST_SKIP() << "the NIR files are absent; set SPINDLE_DATA";
    }
    options.path = *file;
    options.nirReset = ModelOptions::NirReset::Subtract;
    rows = readTrace(llvm::cantFail(paths.find("models/nir/01_lif__lif_exact.csv", "")));
    ASSERT_EQ(rows.size(), 1000u);
  }

  /// The largest distance of the membrane from the published one; spikes must be the same.
  double distance(ModelOptions::NirDiscretization discretization) {
    options.discretization = discretization;
    mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
    auto module = llvm::cantFail(importNir(context, options));
    Network network = llvm::cantFail(readNetwork(*module));
    interpreter::Interpreter<double> interpreter(network);
    std::vector<InputEvent> events;
    for (uint32_t t = 0; t < rows.size(); ++t)
      if (rows[t].input != 0)
        events.push_back({t, 0});
    float unused = 0;
    double worst = 0;
    for (uint32_t steps = 1; steps <= rows.size(); ++steps) {
      auto run = llvm::cantFail(interpreter.run(&unused, 0, steps, 0, events));
      worst = std::max(worst, std::fabs(run.membranes.back()[0] - rows[steps - 1].membrane));
    }
    return worst;
  }

  ModelOptions options;
  std::vector<Row> rows;
};

} // namespace

TEST_F(NirTrace, ExactWithCrossings) {
  EXPECT_LT(distance(ModelOptions::NirDiscretization::ExactCrossing), 1e-6);
}

TEST_F(NirTrace, OnTheGrid) {
  EXPECT_LT(distance(ModelOptions::NirDiscretization::Exact), 1e-2);
  EXPECT_LT(distance(ModelOptions::NirDiscretization::Euler), 1e-2);
}
