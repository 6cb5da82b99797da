// `synth --system`: a program of several kernels to one circuit.
#pragma once

#include "hw/hls/axi/AxiWrapper.h"
#include "hw/system/System.h"

namespace spindle {

/// Options of the command line that only systems have.
struct SystemArguments {
  std::string kind, share;
  int64_t groups = 0;
  bool hasInputs = false, waitsForWhole = false;

  bool isGiven() const { return !kind.empty(); }
};

/// Synthesises `program`, whose text is `text`, writes the folder and says what it has become.
llvm::Error synthesizeSystemFolder(const std::string &path, const std::string &text,
                                   const SystemArguments &arguments,
                                   const hls::SynthesisOptions &kernels, const hls::Target &target,
                                   const std::optional<hls::AxiOptions> &bus,
                                   const std::string &folder);

} // namespace spindle
