// What compiled programs of the neuron level call: values live here, code holds their handles.
#pragma once

#include "lib/emulation/lanes/MachineCode.h"
#include "lib/emulation/neuron-level/Program.h"

#include <deque>
#include <optional>

namespace spindle::neuron_level {

/// The inputs and parameters of one neuron as compiled code reads them: the times of train i are
/// times[next[i]] … times[ends[i] − 1]; the code advances `next`.
struct NeuronFrame {
  int64_t trains = 0;
  const float *times = nullptr;
  int64_t *next = nullptr;
  const int64_t *ends = nullptr;
  const float *weights = nullptr;
  int64_t steps = 0; // of a clocked neuron
  float bias = 0;

  int64_t maxSpikes = 1;
  float decay = 0, threshold = 0, rest = 0, reset = 0, initial = 0, refractory = 0;
  float until = 0, step = 0, rate = 0, resistance = 0; // rate: the decay in one step
};

/// One run. After an error every call does nothing, so that the code ends by itself.
class NeuronRuntime {
public:
  /// `operations` are those that the code names by their position.
  NeuronRuntime(const std::vector<mlir::Operation *> &operations, std::vector<Value> arguments)
      : ops(operations), values(std::make_move_iterator(arguments.begin()),
                                std::make_move_iterator(arguments.end())) {}

  /// The results, in order, once the code has run.
  llvm::Expected<std::vector<Value>> take();

  /// The functions below under the names that compiled code calls.
  static std::vector<lanes::MachineCode::Callee> callees();

private:
  static void push(NeuronRuntime *run, int64_t value);
  static int64_t apply(NeuronRuntime *run, int64_t op);
  static NeuronFrame *begin(NeuronRuntime *run, int64_t op);
  static bool emit(NeuronRuntime *run, float time);
  static int64_t end(NeuronRuntime *run, int64_t op);
  static void result(NeuronRuntime *run, int64_t value);

  int64_t add(Value value);
  void fail(llvm::Error error, mlir::Operation *op);
  std::vector<const Value *> operands();

  const std::vector<mlir::Operation *> &ops;
  std::deque<Value> values;    // handles are positions
  std::vector<int64_t> pushed; // operands of the next call
  std::vector<Value> results;
  std::optional<llvm::Error> error;

  NeuronFrame frame;
  std::vector<float> times, weights;
  std::vector<int64_t> next, ends;
  Train output;
};

} // namespace spindle::neuron_level
