// A kernel behind buses, beside the files of `synth`.
#pragma once

#include "hw/hls/axi/AxiWrapper.h"

namespace spindle {

/// `stream` or `memory`, nothing for an empty text; the place of the error is --bus.
llvm::Expected<std::optional<hls::AxiOptions>> parseBus(const std::string &text);

/// Writes <top>_axi.sv with the wrapper and all of `design`, which grows by it, the modules it
/// instantiates to units/, and axi.json (docs/formats/axi.md).
llvm::Error writeBusFiles(const std::string &folder, mlir::ModuleOp design,
                          const hls::KernelInterface &kernel, const hls::AxiOptions &options);

} // namespace spindle
