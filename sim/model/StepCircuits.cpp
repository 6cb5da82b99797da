// Circuits in the place of crossbars, within a step.
#include "sim/model/StepSimulation.h"

#include "fmt/format.h"

#include <algorithm>

namespace spindle {

std::vector<bool> StepSimulation::clustersOfCircuits() const {
  std::vector<bool> isCircuit(clustering.clusters.size());
  for (const CircuitTile &circuit : circuits)
    isCircuit[circuit.cluster] = true;
  return isCircuit;
}

/// Ends the step before for the circuits that work in this slot.
llvm::Error StepSimulation::beginCircuits() {
  circuitNow.assign(circuits.size(), nullptr);
  for (size_t i = 0; i < circuits.size(); ++i) {
    CircuitTile &circuit = circuits[i];
    if (!schedule.turnOf(circuit.first, now))
      continue;
    size_t step = circuit.begins.size();
    if (step >= circuit.steps.size())
      return checkError("chip simulation",
                        fmt::format("the circuit of layer '{}' has {} steps, expected more",
                                    circuit.layer, circuit.steps.size()));
    circuitNow[i] = &circuit.steps[step];
    circuit.begins.push_back(begin);
    circuit.slots.push_back(now);
  }
  return llvm::Error::success();
}

/// The packets of circuits, which come in the order in which they leave there, are made in the
/// circuits' cycles.
llvm::Error StepSimulation::timeCircuits(size_t first) {
  std::vector<size_t> sent(circuits.size());
  for (Message &message : llvm::MutableArrayRef(messages).drop_front(first)) {
    UnitId unit = message.kind == PacketKind::Spike ? fanOut.spikingUnit(message.neuron) : kNone;
    CircuitTile *circuit = unit == kNone ? nullptr : circuitOf[clustering.units[unit].cluster];
    if (!circuit)
      continue;
    auto index = static_cast<size_t>(circuit - circuits.begin());
    const CircuitStep *step = circuitNow[index];
    size_t next = sent[index]++;
    if (!step || next >= step->packets.size() || step->packets[next].neuron != message.neuron ||
        step->packets[next].target != message.target)
      return checkError("chip simulation",
                        fmt::format("the circuit of layer '{}' does not send the packet of neuron "
                                    "{} to tile {}",
                                    circuit->layer, message.neuron, message.target));
    message.madeCycle = begin + step->packets[next].cycle;
  }
  return llvm::Error::success();
}

/// One packet per cycle. When the next one may be taken.
uint64_t StepSimulation::takeArrival(const Work &arrival, uint64_t freeCycle) {
  uint64_t cycle = std::max(freeCycle, arrival.cycle);
  circuitOf[arrival.cluster]->arrivals.push_back({arrival.neuron, cycle, arrival.slot});
  return cycle + 1;
}

} // namespace spindle
