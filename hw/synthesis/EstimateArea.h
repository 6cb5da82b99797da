// The area of a circuit, before any tool for the device has seen it.
#pragma once

#include "core/kernel/DeviceArea.h"
#include "hw/hls/Target.h"

#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <string>

namespace spindle::hls {

class KernelOp;

/// Sums what the operations of a simplified design take (its last module is the top), for a device
/// with LUTs of four or six inputs: units as the target says, logic by width, shift registers in
/// LUTs, and memories in blocks. Linear in the design. How far it is from Yosys:
/// docs/benchmarks/hls.md.
DeviceArea estimateArea(mlir::ModuleOp design, const Target &target);

/// What the units of a kernel take, of which its circuit holds each once: known before there is
/// one.
DeviceArea areaOfUnits(KernelOp kernel, const Target &target);

/// The same by part of the top: an instance (a pipeline, a FIFO, a unit) by its name, a memory or
/// array of registers by that of its banks (`local0` of `local0_b3`) with the logic that is for it
/// alone; all else has no name.
std::map<std::string, DeviceArea> estimateParts(mlir::ModuleOp design, const Target &target);

} // namespace spindle::hls
