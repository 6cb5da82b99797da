// A program of affine loops as text for whoever compiles it further.
#pragma once

#include "core/support/Error.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace spindle::hls {

enum class CodeFormat { Affine, Llvm, Cpp };
constexpr const char *kCodeFormatNames[] = {"affine", "llvm", "cpp"};

/// The module in MLIR's affine dialect; as LLVM IR by upstream's lowering; or its public function
/// as C++ for HLS tools. The module is left as it is. Input errors name what cannot be written.
llvm::Expected<std::string> printCode(mlir::ModuleOp module, CodeFormat format);

/// What printing needs to know: call before parsing.
void registerCodeDialects(mlir::DialectRegistry &registry);

} // namespace spindle::hls
