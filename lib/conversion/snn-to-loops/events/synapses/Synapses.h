// What the events of a layer add to its neurons: rows of weights.
#pragma once

#include "lib/conversion/snn-to-loops/events/EventNeurons.h"
#include "lib/conversion/snn-to-loops/events/EventSource.h"
#include "lib/conversion/snn-to-loops/events/synapses/WindowFilters.h"

#include <memory>

namespace spindle::snn_to_loops {

/// The weights that an event adds, one per lane. In an iteration `take` comes first.
class Synapses {
public:
  virtual ~Synapses() = default;

  /// Of the events of each source; all have the same `end`.
  std::vector<EventNumbers> numbers;
  NeuronGrid grid;
  /// Whether an event takes an iteration for each group of neurons; else it finds the one group of
  /// a lane that it reaches.
  bool isForEachGroup = true;
  SpikeWords words; // of the spikes of the grid

  int64_t end() const { return numbers.front().end; }
  unsigned eventBits() const { return numbers.front().bits(); }

  /// `group` is none where there is one.
  virtual void take(const WordMath &math, mlir::Value event, mlir::Value group,
                    mlir::Value isEnd) = 0;
  virtual mlir::Value weight(const WordMath &math, int64_t lane) = 0;
  /// The group of a lane, as an index.
  virtual mlir::Value group(int64_t lane) = 0;
  /// Whether the event reaches a neuron of the lane; none: it always does.
  virtual mlir::Value isReached(int64_t) { return {}; }
};

/// Weights of so many bits per number and group, in words of at most 64 bits, a bank for each word
/// of a row.
class WeightRows {
public:
  /// `weightOf` says the weight of a lane in a row.
  WeightRows(ProgramBuilder &program, const HardwareLayer &layer, int64_t rows, int64_t lanes,
             const std::function<int64_t(int64_t row, int64_t lane)> &weightOf);

  void read(const WordMath &math, mlir::Value row);
  mlir::Value weight(const WordMath &math, int64_t lane) const;

private:
  unsigned weightBits;
  int64_t perWord, words;
  mlir::Value array;
  llvm::SmallVector<mlir::Value> row;
};

/// The spikes of one source, and what they weigh: `inputOf` says what an element of `from` is to
/// the weights.
struct RowSource {
  SpikeWords from;
  std::function<int64_t(int64_t)> inputOf;
  std::function<int64_t(int64_t neuron, int64_t input)> weightOf;
};

/// A row for each input of each source, and group, behind the last one zeros. `weightBits` of the
/// layer are known.
llvm::Expected<std::unique_ptr<Synapses>>
makeRows(ProgramBuilder &program, llvm::ArrayRef<RowSource> sources, HardwareLayer &layer);

/// The same for windows of an image.
struct WindowSource {
  SpikeWords from;
  std::function<int64_t(int64_t)> inputOf;
  WindowFilters filters;
};

/// Windows of images, with weights per filter. Each lane is a filter in one of the banks that
/// windows are shared out to, as many as windows reach an event. The outputs of all sources are the
/// same image; `place` is where errors are.
llvm::Expected<std::unique_ptr<Synapses>> makeWindows(ProgramBuilder &program,
                                                      mlir::Operation *place,
                                                      llvm::ArrayRef<WindowSource> sources,
                                                      HardwareLayer &layer);

/// A layer and its population; every event takes an iteration, or one for each group. Returns its
/// spikes; of neurons whose membranes are read, it puts out the answer.
SpikeStreams emitEventLayer(ProgramBuilder &program, mlir::Location location, Synapses &synapses,
                            EventNeurons &neurons, mlir::Value events, const HardwareLayer &layer);

} // namespace spindle::snn_to_loops
