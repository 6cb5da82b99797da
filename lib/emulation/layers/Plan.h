// A spiking network as stages that each work on many steps: what the layerwise schedule runs.
#pragma once

#include "lib/emulation/lanes/KernelModule.h"
#include "lib/emulation/layers/AlignedBytes.h"
#include "lib/emulation/network/Network.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

namespace spindle::layers {

/// How many copies of a buffer there are: one for each step of each sample of a block (a row), one
/// for each sample (a slot), one for the thread, or one for all threads, which holds parameters.
enum class Unit { Row, Slot, Thread, Shared };

/// Floats after the last copy of a buffer that kernels may read or write.
constexpr size_t kSlackFloats = 1024;

struct Buffer {
  Unit unit;
  size_t bytes;                            // of one copy
  AlignedBytes contents;                   // of parameters
  std::function<AlignedBytes()> make = {}; // of large ones: called when the kernels are compiled
};

/// When a kernel is called, and with what: for all slots before the first step, with the first
/// copies of its buffers and the number of slots; for a block, with the first copies and the number
/// of rows; or for each row of a block, with sample, step, seed and the copies of that row. Gather
/// is no kernel: for a block, spikes are exchanged with other ranks.
enum class Work { Slots, Rows, Steps, Gather };

/// Whether rows have many events: more than a share of their elements. Counted are the places in
/// `ends` after a plane, the last one.
struct EventCount {
  size_t ends, plane, elements;
  double share;
};

/// A kernel of the same work for blocks of rows with many events, compiled when one first comes.
struct Alternative {
  std::string kernel;
  std::vector<size_t> buffers;
  EventCount events;
};

/// An image that keeps the channels of a pixel together, as a word: in rows of bits a number. With
/// more channels than a word has, there is a plane of words for each block of them.
struct Image {
  int64_t channels = 0, rows = 0, columns = 0;
  int64_t line = columns; // words from a row to the next one

  int64_t block() const { // channels of a word
    return std::clamp<int64_t>(int64_t(llvm::PowerOf2Ceil(uint64_t(channels))), 8, 64);
  }
  int64_t blocks() const { return (channels + block() - 1) / block(); }
  int64_t plane() const { return rows * line; } // words
  int64_t size() const { return blocks() * plane() * block(); }
  int64_t at(int64_t channel, int64_t y, int64_t x) const {
    return (channel / block() * plane() + y * line + x) * block() + channel % block();
  }
};

/// Where the elements of a signal stand in its rows: element n at `place[n]`, or at n where it is
/// empty.
struct Layout {
  size_t size; // of a row
  std::vector<uint32_t> place = {};
  Image image = {}; // of convolutions

  size_t at(size_t element) const { return place.empty() ? element : place[element]; }
};

/// Sums of equal weights as numbers of them, in 8 bits or 16.
struct Counts {
  float weight;
  int64_t most; // of an element
  bool areWide() const { return most > UINT8_MAX; }
};

struct Signal {
  size_t buffer;
  size_t elements;
  Layout layout;
  bool binary;        // zeros and ones
  bool taken = false; // rows are zero before they are made: who reads them leaves zeros behind
  std::optional<Counts> counts = {}; // what rows hold in place of sums
  bool areBits = false;              // rows hold a bit for each place of the layout
};

/// Elements of a row that are not zero, ascending, as a list for each row. `ends` are the places
/// after the last one of each plane.
struct EventList {
  size_t entries, ends;
  size_t capacity;              // entries of a row
  bool narrow;                  // entries of 16 bits, else of 32
  std::optional<size_t> values; // of signals that are not binary
};

/// Spikes of a population of which this rank holds the neurons from `first` on.
struct Gather {
  EventList part, all; // of rows
  uint32_t first;
};

/// A kernel and the buffers it gets.
struct Stage {
  Work work;
  std::string kernel;
  std::string setup; // of state: called for each slot before the first step; may be empty
  std::vector<size_t> buffers;
  bool joined = false; // of steps: each is worked directly after that of the stage before
  std::optional<Alternative> dense = {}; // of rows
  std::vector<Gather> gathers = {};      // in one exchange
  /// The stage that must have worked the steps before when this one begins: the last one that has
  /// to do with state that this one has to do with. Stages without state wait for none.
  std::optional<size_t> after = {};
};

/// Numbers of spikes of neurons: of those steps that do not fit into a byte, 32 bits.
struct SpikeCounts {
  size_t bytes, earlier; // slots
};

/// A population as the stages leave it: its spikes as lists of elements; after convolutions as
/// rows of bits, with counts; of maxima as rows of floats, with counts in floats (slots). Neither
/// for membranes.
struct PopulationBuffers {
  std::optional<EventList> events;
  std::optional<Signal> rows;
  size_t counts = 0;
  Layout layout;
  std::optional<SpikeCounts> countsOfBits = {};
};

struct Plan {
  mlir::OwningOpRef<mlir::ModuleOp> module;      // the kernels
  mlir::OwningOpRef<mlir::ModuleOp> denseModule; // those of alternatives
  std::vector<Buffer> buffers;
  std::vector<Stage> stages;
  std::vector<PopulationBuffers> populations;
  llvm::DenseMap<mlir::Value, size_t> inputs; // slots that the host fills before the first step
  std::vector<size_t> events;                 // rows that the host fills with recorded events
  std::vector<size_t> cleared;                // slots that are zero before the first step
  size_t mostSteps = SIZE_MAX;                // of a block: the smallest delay of what comes back
  size_t output = 0;                          // rows of answers
};

/// Finds out what each stage waits for. Joined stages are one: the first of them waits for all.
void orderStages(Plan &plan);

/// Plans `network` and writes its kernels. A network with an operation that this schedule does not
/// know gives no plan but the reason in `reason`.
std::optional<Plan> makePlan(const Network &network, mlir::MLIRContext &context,
                             std::string &reason);

} // namespace spindle::layers
