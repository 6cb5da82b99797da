// A spiking network as one circuit: its layers, and what the arrays at its ports hold
// (docs/formats/hardware.md).
#pragma once

#include "core/kernel/DeviceArea.h"
#include "core/support/Error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace spindle {

enum class ArrayRole {
  Input,    // spikes of an encoder: steps × elements
  Weights,  // weights, biases and parameters of single neurons
  Spikes,   // of a population: steps × neurons
  Answer,   // of the decoder: one value per class
  Currents, // of a population behind direct coding, from the host
  Images,   // how many samples the streams of a run hold
  Pixels,   // integers that a tensor kernel or an encoder takes: what the host makes of a sample
  Class,    // the place of the largest answer, the first of equals
};

/// What the answers are that a class is the largest of.
enum class AnswerKind { Membranes, Counts, FirstSpikes, Sums };

/// Whether the circuit makes what is in it, for whoever reads it.
inline bool goesOut(ArrayRole role) {
  return role == ArrayRole::Spikes || role == ArrayRole::Answer || role == ArrayRole::Class;
}

/// Whether the host computes the values: currents or pixels.
inline bool isGiven(ArrayRole role) {
  return role == ArrayRole::Currents || role == ArrayRole::Pixels;
}

/// An argument of the program, in the order of the arguments.
struct HardwareArray {
  std::string name; // `dense1.weight`
  ArrayRole role = ArrayRole::Input;
  std::string layer; // population or encoder; of the answer, the one whose membranes it is; of a
                     // class the one that answers
  std::vector<int64_t> shape; // of a stream, that of one sample's words; of a scalar empty
  unsigned bits = 1;          // of an element or word; of spikes 1, else a signed integer
  /// Of words: how many elements there are, how many in a word at most, and the first one of each
  /// word of a step; value v of word w is element first[w] + v · stride, unless a later word has
  /// that. Values follow each other from the lowest bit on.
  int64_t elements = 0, perWord = 0;
  std::vector<int64_t> first = {};
  int64_t stride = 1;
  unsigned valueBits = 1; // 1: spikes, else signed integers; pixels of one sign have no other
  bool isStream = false;  // the words of all samples, one after the other
  AnswerKind answer = AnswerKind::Membranes; // of a class, and of sums of tensor layers
  bool operator==(const HardwareArray &) const = default;
};

/// Where an array has the value of a neuron in a step.
struct SpikePlace {
  size_t element = 0; // of the array
  unsigned bit = 0;   // of that element, the value's lowest
};
SpikePlace placeOf(const HardwareArray &array, size_t step, size_t neuron);
/// Whether the array has the neuron: words may be shared out to several streams.
bool holds(const HardwareArray &array, size_t neuron);
/// The neuron there.
size_t neuronAt(const HardwareArray &array, const SpikePlace &place);
/// How many an array of spikes has.
size_t neuronsOf(const HardwareArray &array);

/// How a circuit goes through the inputs of a layer: each in its cycle, or only those that spike.
enum class LayerStyle { Clock, Event };

/// What computes the sums of a layer: spikes one after the other, or, of pixels, products once per
/// sample.
enum class LayerKind { Spiking, Tensor };

/// The sums of a layer and, where it has one, its population.
struct HardwareLayer {
  std::string name;
  int64_t neurons = 0;
  int64_t lanes = 1;  // neurons side by side
  int64_t inputs = 1; // that each of them takes at a time
  /// 0 where there are none.
  unsigned weightBits = 0, currentBits = 0, membraneBits = 0;
  std::optional<uint64_t> cycles; // of all steps, where the schedule has them apart
  LayerStyle style = LayerStyle::Clock;
  LayerKind kind = LayerKind::Spiking;                    // of its sums
  std::optional<hls::DeviceArea> estimate = std::nullopt; // of the layer alone
  std::vector<std::string> tasks = {};                    // of the kernel (schedule.json)
  bool operator==(const HardwareLayer &) const = default;
};

/// A circuit of one layer behind a network interface, for a tile of a chip.
struct HardwareTile {
  std::string top;    // SystemVerilog module around the circuit
  std::string layer;  // the population that it computes …
  uint32_t first = 0; // … and the number of its first neuron in the network
  std::string source; // likewise, the population that drives it
  uint32_t firstInput = 0;
  uint32_t targets = 1; // packets of a spike that its table has room for
  bool operator==(const HardwareTile &) const = default;
};

struct HardwareNetwork {
  std::string top; // SystemVerilog module
  std::string target;
  double clockPeriodNs = 10;
  uint32_t steps = 0;
  std::optional<uint64_t> predictedCycles; // of a sample, all steps
  std::vector<HardwareLayer> layers;       // in the order in which they run
  std::vector<HardwareArray> arrays;
  std::string spikesHash; // of 30-spikes.h5, beside which the circuit was made
  std::optional<HardwareTile> tile = std::nullopt;
  /// Settings `key=value` that make of the flow the int8 ANN of the same network; none where there
  /// is no such form.
  std::vector<std::string> int8Ann = {};
  bool operator==(const HardwareNetwork &) const = default;
};

/// The array of this role and layer; none where there is no such one.
const HardwareArray *findArray(const HardwareNetwork &network, ArrayRole role,
                               const std::string &layer);

llvm::Error writeHardwareNetwork(const std::string &path, const HardwareNetwork &network);
/// Errors: shapes that do not fit steps and layers.
llvm::Expected<HardwareNetwork> readHardwareNetwork(const std::string &path);

} // namespace spindle
