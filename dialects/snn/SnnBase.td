// The snn dialect: spiking networks, and the analog layers they are converted from.
#ifndef DIALECTS_SNN_SNNBASE_TD
#define DIALECTS_SNN_SNNBASE_TD

include "mlir/IR/OpBase.td"

def Snn_Dialect : Dialect {
  let name = "snn";
  let cppNamespace = "::spindle::snn";
  let summary = "Spiking neural networks.";
  let description = [{
    A network is a function. Its values are of three kinds:

    | kind | type | meaning |
    |---|---|---|
    | activation | `tensor<6x28x28xf32>` | analog, computed once per sample |
    | spikes | `!snn.spike_bundle<6x28x28x!snn.spike_train<?xf32>>` | one train of spike times per neuron |
    | current | `!snn.current<6x28x28xf32>` | analog, one value per neuron and step |

    A *synapse* operation (`snn.dense`, `snn.conv2d`, …) is a linear operator. On activations it is a layer of
    an ANN; on spikes or currents it yields the current into the next population. A *neuron* operation
    (`snn.if`, `snn.lif`, `snn.integrator`) is a population: it turns current into spikes.
    Conversion replaces each `snn.relu` of an ANN by a population.

    Shapes carry no batch dimension; images are channel, row, column. Time runs in steps; in each
    step every operation works once, in program order, so a spike reaches the output in the step it is made.

    Sums are defined: inputs are added in ascending index order in f32, starting from zero, products are
    rounded before they are added (no fused multiply-add), and the bias is added last.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{
    /// Those of NeuronLevelOps.td.
    void addNeuronLevelOperations();
  }];
}

#endif // DIALECTS_SNN_SNNBASE_TD
