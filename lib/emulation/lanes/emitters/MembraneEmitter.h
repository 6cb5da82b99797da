// The equations of membranes and synaptic states, sixteen samples at a time.
#pragma once

#include "lib/emulation/lanes/emitters/Emitters.h"

namespace spindle::lanes {

/// What reference/Neurons.h computes in `membraneAfter`, bit for bit.
class MembraneEmitter {
public:
  /// Adds the states that the model needs besides the membranes.
  MembraneEmitter(KernelBuilder &b, const snn::NeuronModel &model, int64_t neurons,
                  const Signals &signals);

  /// The membrane of neuron n after the step, were there no threshold; synaptic states are stored.
  mlir::Value after(mlir::Value n, mlir::Value membrane);

private:
  mlir::Value current(size_t receptor, mlir::Value n);
  mlir::Value integrate(mlir::Value n, mlir::Value v);
  mlir::Value leak(mlir::Value n, mlir::Value v, mlir::Value input);
  mlir::Value leakInFixedPoint(const snn::FixedPoint &of, mlir::Value v, mlir::Value input);
  mlir::Value leakInWords(const snn::FixedPoint &of, mlir::Value v, mlir::Value input);
  mlir::Value leakWithSynapseInFixedPoint(mlir::Value n, mlir::Value v);
  mlir::Value leakWithSynapse(mlir::Value n, mlir::Value v);
  mlir::Value leakWithReceptors(mlir::Value n, mlir::Value v);
  mlir::Value addState();

  mlir::Value add(mlir::Value x, mlir::Value y);
  mlir::Value subtract(mlir::Value x, mlir::Value y);
  mlir::Value multiply(mlir::Value x, mlir::Value y);

  struct ReceptorParameters {
    ElementParameter rate, coupling, reversal;
    mlir::Value state;
  };

  KernelBuilder &b;
  const snn::NeuronModel &model;
  int64_t neurons;
  const Signals &signals;
  ElementParameter resistance, rate, leakTo;
  ElementParameter synapseRate, synapseGain, synapseCoupling;
  ReceptorParameters receptors[2];
  mlir::Value synapse; // state of the one synaptic current
};

} // namespace spindle::lanes
