// Operations of the snn dialect.
#ifndef DIALECTS_SNN_SNNOPS_TD
#define DIALECTS_SNN_SNNOPS_TD

include "dialects/snn/CodingOps.td"
include "dialects/snn/NeuronOps.td"
include "dialects/snn/synapses/PoolOps.td"
include "dialects/snn/synapses/ViewOps.td"
include "dialects/snn/synapses/WeightOps.td"

#endif // DIALECTS_SNN_SNNOPS_TD
