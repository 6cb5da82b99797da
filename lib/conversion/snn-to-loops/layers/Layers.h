// The sums of each kind of layer as a nest, one function per operation.
#pragma once

#include "lib/conversion/snn-to-loops/IntegerMath.h"
#include "lib/conversion/snn-to-loops/Signal.h"

namespace spindle::snn_to_loops {

/// What becomes of a sum: `neuron` is its flat number.
using Finish = llvm::function_ref<void(const NestPoint &point, mlir::AffineExpr step,
                                       mlir::AffineExpr neuron, mlir::Value sum)>;

/// A synapse operation on its way to a nest.
struct LayerTask {
  ProgramBuilder &program;
  mlir::Operation *op;
  llvm::ArrayRef<Signal> sources;
  unsigned bits;        // of the sums
  HardwareLayer &layer; // name, lanes and inputs are given, bits of weights are filled in
  Finish finish;

  mlir::Location location() const { return op->getLoc(); }
  int64_t steps() const { return program.options.steps; }
};

llvm::Error emitDense(const LayerTask &task, snn::DenseOp op);
llvm::Error emitConvolution(const LayerTask &task, snn::Conv2dOp op);
llvm::Error emitSumPooling(const LayerTask &task, snn::SumPool2dOp op);
llvm::Error emitScale(const LayerTask &task, snn::ScaleOp op);
llvm::Error emitAdd(const LayerTask &task, snn::AddOp op);
/// The elements of the only source as they are.
llvm::Error emitElements(const LayerTask &task, mlir::Operation *op);

/// Spikes as often as the busiest input of a window has.
llvm::Error emitMaxPooling(const LayerTask &task, snn::MaxPool2dOp op);

/// Copies of signals into one array steps × elements.
llvm::Error emitConcat(const LayerTask &task, snn::ConcatOp op);
llvm::Error emitTranspose(const LayerTask &task, snn::TransposeOp op);
llvm::Error emitDelay(const LayerTask &task, snn::DelayOp op);

/// The answer, one value per class, after all steps.
llvm::Error emitReadout(const LayerTask &task, snn::DecodeOp op);
/// The same of membranes, those of the last step of a population.
llvm::Error emitMembranes(const LayerTask &task, const std::string &population);

/// An error unless there are 1 to `most` lanes; `what` counts them: "neurons".
llvm::Error checkLanes(const LayerTask &task, int64_t most, const char *what);

/// Elements shared among lanes: each lane has neighbours, one of them in each group, so that an
/// array in as many blocks as lanes has a port for each.
struct Lanes {
  int64_t count, groups, lanes; // the fewest lanes for these groups

  Lanes(int64_t elements, int64_t most);
  mlir::AffineExpr number(mlir::AffineExpr group, mlir::AffineExpr lane) const {
    return lane * groups + group;
  }
  /// What LayerNest::room has to be.
  mlir::AffineExpr room(mlir::AffineExpr number) const;
};

/// An element of a signal as a number of so many bits: spikes are 0 or 1.
mlir::Value amount(const IntegerMath &math, const Signal &signal, mlir::Value element,
                   unsigned bits);
/// weight · element.
mlir::Value weigh(const IntegerMath &math, const Signal &signal, mlir::Value element,
                  mlir::Value weight, unsigned bits);

/// Bits of the largest of these values, by amount.
unsigned bitsOf(llvm::ArrayRef<int64_t> values);

/// A bias as the start of sums; `type` of absent ones is null.
llvm::Expected<Parameter> biasOf(const LayerTask &task, mlir::Value bias);

} // namespace spindle::snn_to_loops
