// An emulation divided among ranks that are threads of the test.
#pragma once

#include "lib/emulation/Emulation.h"
#include "lib/emulation/ranks/Ranks.h"
#include "lib/emulation/ranks/Serve.h"

#include "gmock/gmock.h"

namespace spindle::test {

inline llvm::Expected<EmulationResult> emulateOnRanks(size_t size, mlir::ModuleOp snn,
                                                      const Samples &samples,
                                                      const EmulationOptions &options,
                                                      const Progress &progress = {}) {
  std::optional<llvm::Expected<EmulationResult>> result;
  runThreadRanks(
      size,
      [&](Ranks &ranks) {
        result.emplace(emulate(snn, samples, options, progress, &ranks));
        dismiss(ranks);
      },
      [](Ranks &ranks) { llvm::cantFail(serveEmulations(ranks)); });
  return std::move(*result);
}

inline std::string errorOf(llvm::Expected<EmulationResult> result) {
  return result ? "" : toText(result.takeError());
}

/// Everything but what depends on the clock and on who worked.
inline void expectSame(const EmulationResult &found, const EmulationResult &expected) {
  EXPECT_TRUE(found.trace == expected.trace);
  EXPECT_TRUE(found.membranes == expected.membranes);
  EmulationSummary summary = found.summary;
  summary.seconds = expected.summary.seconds;
  summary.threads = expected.summary.threads;
  summary.peakBytes = expected.summary.peakBytes;
  EXPECT_TRUE(summary == expected.summary);
}

} // namespace spindle::test
