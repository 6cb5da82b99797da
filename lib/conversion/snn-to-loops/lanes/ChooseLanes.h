// `lanes: auto`: as many lanes for each layer as make the circuit fast within a budget.
#pragma once

#include "lib/conversion/snn-to-loops/CircuitOptions.h"
#include "lib/conversion/snn-to-loops/LoopProgram.h"

#include <functional>
#include <map>

namespace spindle {

/// What a circuit of a program takes by its estimate, and cycles that a schedule knows.
struct CircuitCost {
  hls::DeviceArea whole;
  std::map<std::string, hls::DeviceArea> layers; // by name; what is for all is in none
  std::map<std::string, uint64_t> cycles = {};    // per sample, of layers of style clock
  std::map<std::string, uint64_t> intervals = {}; // from event to event, where it is not 1
};

using MeasureCircuit = std::function<llvm::Expected<CircuitCost>(const LoopProgram &)>;
/// Spikes of a population in a sample, in the mean.
using SpikeRates = std::map<std::string, double>;

struct LaneChoice {
  CircuitOptions options; // with lanes for every layer
  double cycles = 0;      // per sample, as the objective has it, at these rates
  hls::DeviceArea area;   // the estimate
};

/// Layer → where its nests begin in a program that was read from text, as schedules have it:
/// `original.mlir:12:3`.
using LayerPlaces = std::map<std::string, std::vector<std::string>>;
LayerPlaces layerPlaces(mlir::ModuleOp program);
/// Areas by place, put together by layer.
std::map<std::string, hls::DeviceArea>
areasOfLayers(const LayerPlaces &layers, const std::map<std::string, hls::DeviceArea> &areas);

/// Measures the circuit with 1, 2, … lanes for all layers, puts together the best forms of layers,
/// measures that, and takes the best circuit of all that fits: never one above `options.budget`,
/// never a slower one than with any single number of lanes that fits. Layers of style event work
/// at the same time, those of style clock one after the other. Errors: those of the conversion; a
/// budget that the smallest circuit exceeds (needed, given, the largest layer).
llvm::Expected<LaneChoice> chooseLanes(mlir::ModuleOp network, const CircuitOptions &options,
                                       const SpikeRates &rates, const MeasureCircuit &measure);

/// The same, or nothing where the smallest circuit exceeds the budget.
llvm::Expected<std::optional<LaneChoice>> findLanes(mlir::ModuleOp network,
                                                    const CircuitOptions &options,
                                                    const SpikeRates &rates,
                                                    const MeasureCircuit &measure);

/// Cycles per sample at these rates, of every layer and of processes between them, such as those
/// that count spikes, by name. What `cost` knows is taken from there.
std::map<std::string, double> processCycles(const LoopProgram &program, const SpikeRates &rates,
                                            const CircuitCost &cost = {});

} // namespace spindle
