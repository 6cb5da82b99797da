// The folder 90-hardware of a run, and that of its int8 ANN.
#pragma once

#include "core/kernel/CosimResult.h"
#include "core/kernel/KernelArea.h"
#include "core/network/Evaluation.h"
#include "core/network/HardwareNetwork.h"

#include <optional>

namespace spindle {

/// What tools have found out about a circuit; what was not run is absent.
struct CircuitFiles {
  std::optional<hls::DeviceArea> estimate; // of the whole
  std::optional<hls::CosimResult> cosim;
  std::optional<hls::KernelArea> area;
  bool operator==(const CircuitFiles &) const = default;
};

/// Below the folder of a run: the same network as an ANN of 8-bit integers, by the same stages.
inline constexpr const char *kInt8Folder = "int8-ann";

struct Int8Ann {
  EmulationSummary emulation;
  HardwareNetwork hardware;
  CircuitFiles circuit;
};

/// Beside `hardware.json` in the folder.
llvm::Expected<CircuitFiles> readCircuitFiles(const std::string &folder);

/// In `folder`, the one of a run. Nothing where there is none, or its stage hardware was not
/// reached. Errors: its network is another one than `ann`.
llvm::Expected<std::optional<Int8Ann>> readInt8Ann(const std::string &folder,
                                                   const std::optional<AnnEvaluation> &ann);

} // namespace spindle
