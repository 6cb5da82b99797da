// What the definitions of operations share.
#ifndef DIALECTS_SNN_SNNOPBASE_TD
#define DIALECTS_SNN_SNNOPBASE_TD

include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/snn/SnnAttrs.td"
include "dialects/snn/SnnInterfaces.td"
include "dialects/snn/SnnTypes.td"

class Snn_Op<string mnemonic, list<Trait> traits = []>
    : Op<Snn_Dialect, mnemonic, !listconcat([Pure], traits)> {
  let hasVerifier = 1;
}

/// A linear operator. All of them follow one typing rule (synapse_c1): activations in, activations out;
/// spikes or current in, current out.
class Snn_SynapseOp<string mnemonic, list<string> methods>
    : Snn_Op<mnemonic, [DeclareOpInterfaceMethods<SynapseOp, methods>]>;

/// A rearrangement: the kind of signal stays (synapse_c2).
class Snn_ViewOp<string mnemonic> : Snn_Op<mnemonic, [DeclareOpInterfaceMethods<SynapseOp, ["linearMap"]>]>;

#endif // DIALECTS_SNN_SNNOPBASE_TD
