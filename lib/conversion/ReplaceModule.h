// What a pass does that makes its module anew.
#pragma once

#include "core/support/Error.h"
#include "dialects/location/Location.h"

#include "mlir/IR/BuiltinOps.h"

namespace spindle {

/// Gives `module` the contents of the module that `made` holds; reports an error at its place, or
/// at the module where it has none, and leaves `module` as it was.
template <typename Made>
mlir::LogicalResult replaceModule(mlir::ModuleOp module, llvm::Expected<Made> made) {
  if (!made) {
    llvm::handleAllErrors(made.takeError(), [&](const SpindleError &error) {
      mlir::emitError(error.place.empty() ? module.getLoc()
                                          : locationOf(*module.getContext(), error.place))
          << error.message;
    });
    return mlir::failure();
  }
  mlir::Block &body = *module.getBody();
  body.clear();
  body.getOperations().splice(body.end(), made->module->getBody()->getOperations());
  return mlir::success();
}

} // namespace spindle
