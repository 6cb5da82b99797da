// Systems of programs in folders of their own.
#pragma once

#include "hw/cosim/Cosim.h"
#include "hw/program/ProgramFile.h"
#include "hw/system/SystemFiles.h"
#include "tests/support/TemporaryFolder.h"

namespace spindle::hls {

/// A system of a program in a folder of its own.
struct SystemFolder {
  SystemFolder(const std::string &text, const SystemOptions &options,
               const std::optional<AxiOptions> &bus = std::nullopt)
      : context(makeSystemContext()) {
    auto program = llvm::cantFail(parseProgram(*context, text, "kernel.mlir"));
    Target target = llvm::cantFail(readTarget(kDefaultTarget));
    made = llvm::cantFail(synthesizeSystem(*program, target, options));
    llvm::cantFail(writeSystemFiles(folder.path(), made, target, text));
    if (bus)
      llvm::cantFail(writeSystemBus(folder.path(), made, *bus));
  }

  CosimResult run() const {
    CosimOptions options;
    options.runs = 3;
    return llvm::cantFail(cosim(folder.path(), options));
  }

  TemporaryFolder folder;
  std::unique_ptr<mlir::MLIRContext> context;
  SystemSynthesis made;
};

inline SystemOptions optionsOf(SystemKind kind, bool hasInputs = false) {
  SystemOptions options;
  options.kind = kind;
  options.hasInputs = hasInputs;
  options.kernels.loops.unroll = {1};
  return options;
}

} // namespace spindle::hls
