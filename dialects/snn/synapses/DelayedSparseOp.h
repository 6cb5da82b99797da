// Synapses with delays of their own.
#pragma once

#include "dialects/snn/Snn.h"

#define GET_OP_CLASSES
#include "dialects/snn/synapses/DelayedSparseOp.h.inc"
