// Types of the snn dialect.
#ifndef DIALECTS_SNN_SNNTYPES_TD
#define DIALECTS_SNN_SNNTYPES_TD

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinTypeInterfaces.td"
include "dialects/snn/SnnBase.td"

class Snn_Type<string name, string typeMnemonic> : TypeDef<Snn_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Snn_SpikeTrain : Snn_Type<"SpikeTrain", "spike_train"> {
  let summary = "The spike times of one neuron, ascending.";
  let description = [{
    A list of times in ms. `?` stands for a number of spikes that is known only when the network runs.

    Example: `!snn.spike_train<?xf32>`
  }];
  let parameters = (ins "int64_t":$length, "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [TypeBuilder<(ins), [{
    return $_get($_ctxt, ::mlir::ShapedType::kDynamic, ::mlir::Float32Type::get($_ctxt));
  }]>];
}

def Snn_SpikeBundle : Snn_Type<"SpikeBundle", "spike_bundle"> {
  let summary = "An N-dimensional arrangement of spike trains.";
  let description = [{
    Example: `!snn.spike_bundle<6x28x28x!snn.spike_train<?xf32>>`
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "SpikeTrainType":$train);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [TypeBuilder<(ins "::llvm::ArrayRef<int64_t>":$shape), [{
    return $_get($_ctxt, shape, SpikeTrainType::get($_ctxt));
  }]>];
}

def Snn_Current : Snn_Type<"Current", "current"> {
  let summary = "An analog value per neuron and step.";
  let description = [{
    Example: `!snn.current<128xf32>`
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$shape, "::mlir::Type":$elementType);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let builders = [TypeBuilder<(ins "::llvm::ArrayRef<int64_t>":$shape), [{
    return $_get($_ctxt, shape, ::mlir::Float32Type::get($_ctxt));
  }]>];
}

def Snn_Activation : StaticShapeTensorOf<[F32]>;
/// What a synapse takes.
def Snn_Signal : AnyTypeOf<[Snn_Activation, Snn_SpikeBundle, Snn_Current]>;
/// What a synapse puts out.
def Snn_Analog : AnyTypeOf<[Snn_Activation, Snn_Current]>;

#endif // DIALECTS_SNN_SNNTYPES_TD
