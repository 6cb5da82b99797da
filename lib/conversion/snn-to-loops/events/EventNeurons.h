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
/// `isStart`, what the next step begins with.
struct LaneUpdate {
  const WordMath &math;
  int64_t lane;
  mlir::Value group;   // as an index; none where there is one group
  mlir::Value isEnd;   // of a step
  mlir::Value isStart; // none where membranes do not leak
  mlir::Value isFresh; // the next step is the first one of another sample
  mlir::Value isKept;  // none: always; else where the sum is written
  mlir::Value current;
};

/// One register per neuron: the membrane, and on top of it the sum of the step so far.
class EventNeurons {
public:
  /// `bias` has a value per neuron; a sum of a step is at most `most`, by amount. `layer` gets the
  /// bits of membranes and currents. Errors: several spikes in a step, refractory periods.
  static llvm::Expected<EventNeurons> make(ProgramBuilder &program, snn::NeuronOp population,
                                           NeuronGrid grid, std::vector<int64_t> bias, int64_t most,
                                           HardwareLayer &layer);

  bool leaks() const { return model.fixedPoint.kept != model.fixedPoint.scale; }
  bool spikes() const { return model.spikes(); }
  /// Returns the spike; of neurons that are read the membrane at the end of a step.
  mlir::Value update(const LaneUpdate &lane);

private:
  EventNeurons(ProgramBuilder &builder, std::string layerName, NeuronGrid layerGrid)
      : program(builder), name(std::move(layerName)), grid(std::move(layerGrid)) {}

  using OfNeuron = std::function<int64_t(size_t neuron)>;
  bool isUniform(int64_t lane, const OfNeuron &value) const;
  mlir::Value parameter(const LaneUpdate &lane, const char *what, const OfNeuron &value);
  mlir::Value load(const LaneUpdate &lane, mlir::Value array) const;
  void store(const LaneUpdate &lane, mlir::Value value, mlir::Value array) const;
  mlir::Value sumOfStep(const LaneUpdate &lane, mlir::Value sum, mlir::Value spike);
  mlir::Value atEnd(const LaneUpdate &lane, mlir::Value sum, mlir::Value spike,
                    mlir::Value threshold);
  mlir::Value nextOf(const LaneUpdate &lane, mlir::Value sum, mlir::Value spike,
                     mlir::Value threshold);
  mlir::Value start(const LaneUpdate &lane, mlir::Value sum);
  mlir::Value biasOf(const LaneUpdate &lane);
  int64_t startOf(size_t neuron) const;
  mlir::Value saturated(const WordMath &math, mlir::Value sum) const;
  mlir::Value makeArray(const char *what, unsigned bits);
  void fill(mlir::Value array, mlir::Location location, const OfNeuron &value);

  ProgramBuilder &program;
  std::string name;
  NeuronGrid grid;
  snn::NeuronModel model;
  std::vector<int64_t> bias; // times the weight of a current
  std::map<std::pair<std::string, int64_t>, mlir::Value> tables;
  unsigned membraneBits = 0, decayBits = 0, sumBits = 0, shift = 0;
  mlir::Value sums, products;
};

} // namespace spindle::snn_to_loops
