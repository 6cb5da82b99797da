// What conversion, emulation and graph extraction ask of an operation instead of switching on its name.
#ifndef DIALECTS_SNN_SNNINTERFACES_TD
#define DIALECTS_SNN_SNNINTERFACES_TD

include "mlir/IR/OpBase.td"

def SynapseOp : OpInterface<"SynapseOp"> {
  let cppNamespace = "::spindle::snn";
  let description = [{
    A linear operator between signals: each output is a weighted sum of inputs plus a bias.
  }];
  let methods = [
    InterfaceMethod<"The signals it reads; weights are not among them.", "::llvm::SmallVector<::mlir::Value>",
    "getSources", (ins), [{}], [{
      return {$_op->getOperand(0)};
    }]>,
    InterfaceMethod<"The signal it makes.", "::mlir::Value", "getTarget", (ins), [{}], [{
      return $_op->getResult(0);
    }]>,
    InterfaceMethod<[{
      What it makes of one of its sources, in compressed rows: for each output the inputs it reads, ascending, their weights and
      the bias, which belongs to source 0. Fails when weights are not constant.
    }], "::mlir::FailureOr<::spindle::snn::LinearMap>", "linearMap", (ins "unsigned":$source)>,
    InterfaceMethod<[{
      Whether it owns weights that conversion may rescale; the others pass scales on.
    }], "bool", "hasWeights", (ins), [{}], [{ return false; }]>,
    InterfaceMethod<[{
      Replaces the weights so that the operator computes outputScale · f(x / inputScale) for its old
      function f: weight(o, i) · inputScale(i) · outputScale(o), bias(o) · outputScale(o). Scales are per element of
      the signals. Fails when they differ among elements that share a weight.
    }], "::llvm::LogicalResult", "rescale",
    (ins "::llvm::ArrayRef<float>":$inputScale, "::llvm::ArrayRef<float>":$outputScale), [{}], [{
      return ::mlir::failure();
    }]>,
  ];
}

def NeuronOp : OpInterface<"NeuronOp"> {
  let cppNamespace = "::spindle::snn";
  let description = [{
    A population of neurons of one kind: it integrates current into membranes, one per element.
  }];
  let methods = [
    InterfaceMethod<"The currents it integrates, one per kind of receptor.", "::llvm::SmallVector<::mlir::Value>",
    "getSources", (ins), [{}], [{
      return ::llvm::SmallVector<::mlir::Value>($_op->getOperands());
    }]>,
    InterfaceMethod<"Its spikes, or its membranes when it does not spike.", "::mlir::Value",
    "getTarget", (ins), [{}], [{ return $_op->getResult(0); }]>,
    InterfaceMethod<"Equations and parameters, filled up to one value per neuron or one for all.", "::spindle::snn::NeuronModel",
    "neuronModel">,
  ];
}

#endif // DIALECTS_SNN_SNNINTERFACES_TD
