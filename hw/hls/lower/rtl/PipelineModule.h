// A pipeline as a module of its own.
#pragma once

#include "hw/hls/lower/IndexRanges.h"
#include "hw/hls/lower/rtl/Connections.h"

namespace spindle::hls {

/// Appends the module to `design`. Its ports: clk, rst, start, the values from outside as v0, v1, …
/// in the order of `connections.values`, what memories and units give (…_rdata, …_q, …_y), done,
/// and what drives memories and units. `start` is high for one cycle while the pipeline is at rest;
/// the first iteration starts in the next cycle, the last access takes place in the cycle in which
/// `done` is high.
rtl::CircuitModuleOp buildPipelineModule(mlir::ModuleOp design, const std::string &name,
                                         PipelineOp pipeline, const Connections &connections,
                                         const IndexRanges &ranges);

/// Ports that the module drives, and bits of each.
std::vector<std::pair<std::string, unsigned>> drivenPorts(const Connections &connections);

/// Ports that the module reads from memories and units, and bits of each.
std::vector<std::pair<std::string, unsigned>> readPorts(const Connections &connections);

/// Bits of a value in a module.
unsigned bitsOf(mlir::Value value, const IndexRanges &ranges);

} // namespace spindle::hls
