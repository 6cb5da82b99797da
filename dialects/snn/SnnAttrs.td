// Words that operations of the snn dialect choose among.
#ifndef DIALECTS_SNN_SNNATTRS_TD
#define DIALECTS_SNN_SNNATTRS_TD

include "mlir/IR/EnumAttr.td"
include "dialects/snn/SnnBase.td"

class Snn_Word<string name, string summary, list<I32EnumAttrCase> cases> : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::spindle::snn";
  let genSpecializedAttr = 0;
}
/// Printed as a word: `reset subtract` where the operation's form says so, else `reset = #snn<reset subtract>`.
class Snn_WordAttr<Snn_Word word, string name> : EnumAttr<Snn_Dialect, word, name>;

def Snn_ResetWord : Snn_Word<"Reset", "What a spike does to the membrane", [
  I32EnumAttrCase<"Zero", 0, "zero">,        // v becomes v_reset
  I32EnumAttrCase<"Subtract", 1, "subtract"> // v loses the threshold
]>;
def Snn_Reset : Snn_WordAttr<Snn_ResetWord, "reset">;
def Snn_DiscretizationWord : Snn_Word<"Discretization", "How differential equations become steps", [
  I32EnumAttrCase<"Euler", 0, "euler">,                  // first order
  I32EnumAttrCase<"Exact", 1, "exact">,                  // the closed form at the end of the step
  I32EnumAttrCase<"ExactCrossing", 2, "exact_crossing">  // and the threshold crossing within the step
]>;
def Snn_Discretization : Snn_WordAttr<Snn_DiscretizationWord, "discretization">;
def Snn_EncodingWord : Snn_Word<"Encoding", "How activations become a signal in time", [
  I32EnumAttrCase<"Direct", 0, "direct">,   // constant current
  I32EnumAttrCase<"Poisson", 1, "poisson">, // a spike per step with the activation as probability
  I32EnumAttrCase<"Regular", 2, "regular">, // spikes at equal distances, the activation as rate
  I32EnumAttrCase<"Latency", 3, "latency">, // one spike, the earlier the larger the activation
  I32EnumAttrCase<"Events", 4, "events">    // the sample itself says which elements spike in which step
]>;
def Snn_Encoding : Snn_WordAttr<Snn_EncodingWord, "encoding">;
def Snn_DecodingWord : Snn_Word<"Decoding", "How a signal in time becomes activations", [
  I32EnumAttrCase<"Count", 0, "count">,           // spikes so far
  I32EnumAttrCase<"Membrane", 1, "membrane">,     // present value of the membranes
  I32EnumAttrCase<"FirstSpike", 2, "first_spike"> // steps since the first spike
]>;
def Snn_Decoding : Snn_WordAttr<Snn_DecodingWord, "decoding">;

#endif // DIALECTS_SNN_SNNATTRS_TD
