// One layer of a network by itself, for a circuit that computes nothing else.
#pragma once

#include "core/support/Error.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>

namespace spindle {

/// A network of the population `layer`, its weights and what counts its spikes. An encoder with the
/// name of the population that drives it stands in that one's place, so that its recorded spikes
/// are the input. Errors name the layer: there is none, or it is not driven by the spikes of one
/// population through views and weights alone.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>> isolateLayer(mlir::ModuleOp network,
                                                               const std::string &layer);

} // namespace spindle
