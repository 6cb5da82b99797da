// The neurons of a layer that takes events: their sums, and what becomes of them when a step ends.
#pragma once

#include "lib/conversion/snn-to-loops/events/Processes.h"

#include <functional>
#include <map>

namespace spindle::snn_to_loops {

/// Which neuron a lane has in each group.
struct NeuronGrid {
  int64_t lanes = 1, groups = 1;
  std::vector<int64_t> neurons; // lanes × groups; −1 where there is none

  int64_t at(int64_t lane, int64_t group) const { return neurons[size_t(lane * groups + group)]; }
};

/// What a lane does in an iteration. At the end of a step a neuron spikes and is reset; if its
/// membrane leaks, that takes two iterations more: the product with what is kept, and, with
/// `isStart`, what the next step begins with. A synaptic current, which the membrane takes up when
/// it is whole, takes one iteration before (`isSum`).
struct LaneUpdate {
  const WordMath &math;
  int64_t lane;
  mlir::Value group;   // as an index; none where there is one group
  mlir::Value isEnd;   // of a step
  mlir::Value isStart; // none where membranes do not leak
  mlir::Value isFresh; // the next step is the first one of another sample
  mlir::Value isKept;  // none: always; else where the sum is written
  mlir::Value current;
  mlir::Value isSum = {};     // of a step is whole, and becomes the synaptic current
  mlir::Value rest = {};      // steps that its neuron is still refractory; none where none ever is
  mlir::Value isResting = {}; // they are more than none
};

/// One register per neuron: the membrane, and on top of it the sum of the step so far. Of neurons
/// with a synaptic current it is that current, and the membrane has a register of its own.
class EventNeurons {
public:
  /// `bias` has a value per neuron; a sum of a step is at most `most`, by amount. `layer` gets the
  /// bits of membranes and currents. Errors: several spikes in a step.
  static llvm::Expected<EventNeurons> make(ProgramBuilder &program, snn::NeuronOp population,
                                           NeuronGrid grid, std::vector<int64_t> bias, int64_t most,
                                           HardwareLayer &layer);

  bool hasCurrent() const { return model.fixedSynapse.most > 0; }
  bool leaks() const { return hasCurrent() || model.fixedPoint.kept != model.fixedPoint.scale; }
  /// Iterations of the end of a step, and the one among them in which neurons spike.
  int64_t parts() const { return hasCurrent() ? 4 : leaks() ? 3 : 1; }
  int64_t spikePart() const { return hasCurrent() ? 1 : 0; }
  bool spikes() const { return model.spikes(); }
  /// Returns the spike; of neurons that are read the membrane at the end of a step.
  mlir::Value update(const LaneUpdate &lane);

private:
  EventNeurons(ProgramBuilder &builder, std::string layerName, NeuronGrid layerGrid)
      : program(builder), name(std::move(layerName)), grid(std::move(layerGrid)) {}

  using OfNeuron = std::function<int64_t(size_t neuron)>;
  bool isUniform(int64_t lane, const OfNeuron &value) const;
  /// In as many bits as a sum has, or in others.
  mlir::Value parameter(const LaneUpdate &lane, const char *what, const OfNeuron &value,
                        unsigned bits = 0);
  mlir::Value load(const LaneUpdate &lane, mlir::Value array) const;
  void store(const LaneUpdate &lane, mlir::Value value, mlir::Value array) const;
  mlir::Value sumOfStep(const LaneUpdate &lane, mlir::Value sum, mlir::Value spike);
  mlir::Value atEnd(const LaneUpdate &lane, mlir::Value sum, mlir::Value spike,
                    mlir::Value threshold);
  mlir::Value nextOf(const LaneUpdate &lane, mlir::Value sum, mlir::Value spike,
                     mlir::Value threshold);
  mlir::Value start(const LaneUpdate &lane, mlir::Value sum);
  mlir::Value kept(const LaneUpdate &lane, mlir::Value value, mlir::Value products, int64_t factor);
  mlir::Value updateCurrent(const LaneUpdate &lane);
  mlir::Value afterCurrent(const LaneUpdate &lane, mlir::Value membrane, mlir::Value sum,
                           mlir::Value spike);
  mlir::Value biasOf(const LaneUpdate &lane);
  bool rests(int64_t lane) const;
  void takeRest(LaneUpdate &lane);
  int64_t periodOf(size_t neuron) const;
  int64_t biasBehindSpike(size_t neuron) const;
  mlir::Value biasBehind(const LaneUpdate &lane, mlir::Value spike);
  mlir::Value restAfter(const LaneUpdate &lane, mlir::Value spike);
  /// Stores what there is of the three.
  void keep(const LaneUpdate &lane, mlir::Value sum, mlir::Value rest, mlir::Value membrane = {});
  int64_t startOf(size_t neuron) const;
  int64_t firstMembrane(size_t neuron) const;
  mlir::Value saturated(const WordMath &math, mlir::Value sum) const;
  mlir::Value makeArray(const char *what, unsigned bits);
  void fill(mlir::Value array, const char *what, mlir::Location location, const OfNeuron &value);

  ProgramBuilder &program;
  std::string name;
  NeuronGrid grid;
  snn::NeuronModel model;
  std::vector<int64_t> bias; // times the weight of a current
  std::map<std::pair<std::string, int64_t>, mlir::Value> tables;
  unsigned membraneBits = 0, decayBits = 0, sumBits = 0, shift = 0;
  unsigned restBits = 0; // 0 where no neuron is ever refractory
  mlir::Value sums, products, resting;
  mlir::Value membranes, membraneProducts; // beside a synaptic current
};

} // namespace spindle::snn_to_loops
