// Adds buffers and stages to a plan, kernel by kernel.
#pragma once

#include "lib/emulation/layers/StageKernel.h"

#include "dialects/snn/NeuronModel.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <algorithm>
#include <map>

namespace spindle::lanes {
class KernelBuilder;
}

namespace spindle::layers {

/// Elements that a vector in a kernel holds.
constexpr size_t kVector = static_cast<size_t>(lanes::kLanes);

inline size_t roundUp(size_t value, size_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

class PlanBuilder {
public:
  explicit PlanBuilder(mlir::MLIRContext &context);

  /// Room for rows or slots of floats, with a vector to spare, which kernels may overwrite.
  size_t addFloats(Unit unit, size_t count);
  size_t addBuffer(Unit unit, size_t bytes);
  /// All of it, and a vector to spare.
  size_t addParameter(AlignedBytes &&contents) {
    size_t number = addBuffer(Unit::Shared, contents.size());
    plan.buffers[number].contents = std::move(contents);
    return number;
  }
  /// One that is made when the compiler's memory is free again, in the order of these calls.
  size_t addParameter(size_t bytes, std::function<AlignedBytes()> make) {
    size_t number = addBuffer(Unit::Shared, bytes);
    plan.buffers[number].make = std::move(make);
    return number;
  }
  template <typename T> size_t addParameter(const std::vector<T> &values) {
    return addParameter(bytesOf(values));
  }
  /// And a vector to spare.
  template <typename T> static AlignedBytes bytesOf(const std::vector<T> &values) {
    AlignedBytes contents(values.size() * sizeof(T) + 64);
    std::copy(values.begin(), values.end(), reinterpret_cast<T *>(contents.data()));
    return contents;
  }

  /// A signal in the natural order.
  Signal addSignal(Unit unit, size_t elements, bool binary);
  size_t bytesOf(size_t buffer) const { return plan.buffers[buffer].bytes; }
  /// Whether a signal has rows besides its list of events.
  bool hasRows(const Signal &signal) const {
    return unitOf(signal.buffer) == Unit::Row &&
           bytesOf(signal.buffer) >= signal.elements * sizeof(float);
  }
  Unit unitOf(size_t buffer) const { return plan.buffers[buffer].unit; }

  void addStage(StageKernel &&kernel);
  /// Another kernel for the work of the last stage, for blocks with many events.
  void addAlternative(StageKernel &&kernel, EventCount events);
  /// A stage of the kernels of a builder whose lanes are elements. `signals` are the buffers of its
  /// first vectors; the others are parameters and state. Gives the numbers of all of them.
  std::vector<size_t> addStateStage(lanes::KernelBuilder &&kernels,
                                    const std::vector<size_t> &signals);

  /// The list of the same signal, planes and table where there is one already.
  std::optional<EventList> findList(size_t buffer, size_t planes,
                                    const std::vector<uint32_t> &table) const;
  void keepList(size_t buffer, size_t planes, std::vector<uint32_t> table, EventList list);

  Plan plan;

private:
  struct KnownList {
    size_t buffer, planes;
    std::vector<uint32_t> table;
    EventList list;
  };
  std::vector<KnownList> lists;

  /// Adds a function to a module and gives it a name, unless there is one that does the same: then
  /// the name of that one. Buffers are arguments, so that equal layers have equal functions.
  std::string addFunction(mlir::ModuleOp module, mlir::OwningOpRef<mlir::func::FuncOp> function);
  std::map<std::pair<mlir::Operation *, std::string>, std::string> functions; // names by their text
};

inline int64_t bitsOfEntry(const EventList &list) { return list.narrow ? 16 : 32; }

/// The buffers of a list whose entries are at most `greatest`.
EventList makeEventList(PlanBuilder &b, Unit unit, size_t elements, size_t planes, size_t greatest,
                        bool binary);

/// 0, 1, … as the table of a list.
std::vector<uint32_t> naturalNumbers(size_t count);

/// Lists the events of rows, or of slots, of `planes` planes. Entries are those of `table`, one for
/// each element of a plane.
EventList addEventList(PlanBuilder &b, const Signal &signal, size_t planes,
                       const std::vector<uint32_t> &table);

/// Spikes drawn for the activations of a slot that are not zero.
Signal addPoisson(PlanBuilder &b, snn::EncodeOp op, const Signal &input);
/// Sums of weights: one row of `outputs` for each row of the signal.
Signal addDense(PlanBuilder &b, snn::DenseOp op, const Signal &input);
/// The result keeps the channels of a pixel together; in the natural order where there are groups.
Signal addConvolution(PlanBuilder &b, snn::Conv2dOp op, const Signal &input);
/// Sums of the synapses of the events. `taken`: neurons alone read the sums and leave zeros behind.
Signal addSparse(PlanBuilder &b, snn::SparseOp op, const Signal &input, bool taken);
Signal addRandom(PlanBuilder &b, snn::RandomOp op, const Signal &input, bool taken);
/// Element by element, of signals of one layout.
Signal addSum(PlanBuilder &b, const Signal &left, const Signal &right);
Signal addScale(PlanBuilder &b, snn::ScaleOp op, const Signal &input);
/// The sum of the rows of a sample up to each step.
Signal addSumOverTime(PlanBuilder &b, const Signal &input);
/// What a row has more than that of the step before, which is kept in `last` (slots).
Signal addChange(PlanBuilder &b, const Signal &input, bool binary, size_t &last);
/// In the natural order: element n is element `sources[n]` of the input.
Signal addReordered(PlanBuilder &b, const Signal &input, const std::vector<uint32_t> &sources);
/// Signals in the natural order joined along a dimension that has `outer` indices outside of it.
/// With a single signal of slots: its rows.
Signal addJoined(PlanBuilder &b, llvm::ArrayRef<Signal> inputs, size_t outer);

/// Whether resting after a spike can be left to `addRest`: all neurons rest equally long, not too
/// long, and then begin with a given membrane.
bool canRest(const snn::NeuronModel &model);
/// After neurons whose kernel does not know of a refractory period: those that have spiked rest.
void addRest(PlanBuilder &b, const snn::NeuronModel &model, const EventList &spikes,
             size_t elements, size_t membranes);

/// The signal of some steps ago: one number for all, for each channel or for each element.
Signal addDelay(PlanBuilder &b, const Signal &input, llvm::ArrayRef<int64_t> steps);

/// The last events of a signal, a list for each of `steps` steps: slots, one list after the other.
struct EventRing {
  EventList events;
  size_t elements;
  int64_t steps;
};
EventRing addEventRing(PlanBuilder &b, size_t elements, bool binary, int64_t steps);
/// What came into the ring as many steps ago as it holds; blocks are no longer than that. It has
/// rows only where asked for, else just its list in the natural order.
Signal addPast(PlanBuilder &b, const EventRing &ring, bool asRows);
/// A signal of whose rows there are lists in the natural order, `row`, and rows only where asked
/// for.
Signal addListedSignal(PlanBuilder &b, const EventList &row, size_t elements, bool asRows);
/// All spikes of a population of which `part` are those from `first` on.
Signal addGather(PlanBuilder &b, const Signal &part, uint32_t first, size_t elements, bool asRows);
/// The signal itself enters, after all other stages.
void addReturn(PlanBuilder &b, const EventRing &ring, const Signal &spikes);

/// Rows of bits, one for each element of a layout that keeps the channels of a pixel together.
size_t addMasks(PlanBuilder &b, size_t elements);
/// Such spikes in the natural order again, as floats.
Signal addNaturalOrder(PlanBuilder &b, const Signal &bits);
/// Counts such spikes of each neuron of a slot.
SpikeCounts addSpikeCounts(PlanBuilder &b, const Signal &bits);
/// The windows of a pooling over rows and columns.
struct Windows {
  llvm::ArrayRef<int64_t> kernel, strides, padding, out;

  int64_t inputs() const { return kernel[0] * kernel[1]; }
};
Windows windowsOf(mlir::Operation *op);
/// Of windows without padding: what a pooling makes of their sums.
Number pooledSum(mlir::Operation *op, Number sum);
/// Sums or averages of windows of such spikes, without padding, in the natural order.
Signal addPooledBits(PlanBuilder &b, mlir::Operation *op, const Signal &bits);
/// Sums, averages or maxima of windows.
Signal addPooling(PlanBuilder &b, mlir::Operation *op, const Signal &input);
/// Maximum pooling of spikes (a population, which is `booked`) or of currents.
Signal addMaximumInTime(PlanBuilder &b, snn::MaxPool2dOp op, const Signal &input,
                        PopulationBuffers *booked);

} // namespace spindle::layers
