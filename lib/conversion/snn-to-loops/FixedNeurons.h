// A population in fixed point: one step of each of its neurons, as snn.fixed_lif says.
#pragma once

#include "lib/conversion/snn-to-loops/IntegerMath.h"
#include "lib/conversion/snn-to-loops/Signal.h"

namespace spindle::snn_to_loops {

class FixedNeurons {
public:
  /// Makes membranes and parameters of snn.fixed_lif, snn.fixed_cuba_lif or snn.fixed_li; `outputs`
  /// is steps × neurons.
  /// Errors: several spikes in a step.
  static llvm::Expected<FixedNeurons> make(ProgramBuilder &program, snn::NeuronOp op,
                                           const std::string &layer, mlir::Value outputs);

  /// Takes up the current of a neuron in a step and puts out its spike, or its membrane where it
  /// never spikes.
  void step(const NestPoint &point, mlir::AffineExpr step, mlir::AffineExpr neuron,
            mlir::Value current) const;

  unsigned membraneBits = 0;

private:
  explicit FixedNeurons(ProgramBuilder &builder) : program(builder) {}
  mlir::Value state(const NestPoint &point, mlir::AffineExpr step, mlir::AffineExpr neuron,
                    mlir::Value array, const Parameter &first) const;
  mlir::Value integrate(const IntegerMath &math, const snn::FixedPoint &rule, mlir::Value membrane,
                        mlir::Value current) const;

  ProgramBuilder &program;
  snn::FixedPoint format, synapse; // of the synaptic current of snn.fixed_cuba_lif
  unsigned decayBits = 0;
  bool spikes = true, subtracts = false, isRefractory = false;
  mlir::Value outputs, membranes, currents, rests; // rests: steps that a neuron is still refractory
  Parameter initial, silent, threshold, reset, refractory, rested;
};

} // namespace spindle::snn_to_loops
