// A spiking network on a data set for someone else to step.
#pragma once

#include "core/network/Samples.h"
#include "core/network/SteppedNetwork.h"
#include "lib/emulation/runtime/EmulationOptions.h"

#include "mlir/IR/BuiltinOps.h"

#include <memory>

namespace spindle {

/// Made once; threads open a network each. Without extra currents it spikes and answers bit for bit
/// as `emulate` does.
class SteppedEmulation {
public:
  /// Module and samples outlive the result. Errors: those of `emulate`, and networks that cannot be
  /// stepped by populations (feedback, delays, maximum pooling of spikes, conductances).
  static llvm::Expected<std::unique_ptr<SteppedEmulation>>
  make(mlir::ModuleOp snn, const Samples &samples, const EmulationOptions &options);
  ~SteppedEmulation();

  /// The result must not outlive this.
  std::unique_ptr<SteppedNetwork> open() const;

private:
  struct Parts;
  explicit SteppedEmulation(std::unique_ptr<Parts> made);

  std::unique_ptr<Parts> parts;
};

} // namespace spindle
