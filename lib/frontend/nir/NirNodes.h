// One operation as one node of NIR. Private to this folder.
#pragma once

#include "dialects/snn/Snn.h"
#include "lib/frontend/nir/NirGraph.h"

namespace spindle {

/// The node without its name, times in seconds of steps of `dtMs`; an error where NIR has no
/// counterpart.
llvm::Expected<NirNode> nodeOf(mlir::Operation *op, double dtMs);

/// An end of the graph, Input or Output, with the shape of a signal.
NirNode portNode(const char *type, mlir::Value signal);

/// Whether an operation needs no node: edges that meet add up, a Conv1d has its reshapes inside,
/// spikes are current, and the answer of the network has no shape of its own.
bool passesOn(mlir::Operation *op);

/// The two-dimensional convolution of an image of one row that stands for a Conv1d.
bool isConv1d(snn::Conv2dOp conv);

/// The node of a population.
llvm::Expected<NirNode> populationNode(mlir::Operation *op, double dtMs);

/// An error at an operation, with its layer.
llvm::Error refuseExport(mlir::Operation *op, const std::string &message);

} // namespace spindle
