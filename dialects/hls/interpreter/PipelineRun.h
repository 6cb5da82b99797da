// Iterations of a pipeline on their way through it.
#pragma once

#include "dialects/hls/interpreter/Arithmetic.h"
#include "dialects/hls/interpreter/FifoState.h"
#include "dialects/hls/interpreter/MemoryState.h"

#include <deque>
#include <map>

namespace spindle::hls {

/// A functional unit, and who has it until when.
struct UnitState {
  std::string name;
  int64_t interval = 1;
  int64_t freeFrom = 0;
  mlir::Operation *user = nullptr;
};

/// What all pipelines of a kernel share, by symbol.
struct KernelState {
  std::map<std::string, MemoryState> memories;
  std::map<std::string, FifoState> fifos;
  std::map<std::string, UnitState> units;
};

/// The body of a pipeline, ready to run.
struct PipelineCode {
  /// Where a value comes from: a slot of the iteration, a carried value, or outside of the
  /// pipeline.
  struct Source {
    enum class Kind { Slot, Carried, Outside } kind;
    unsigned index;
  };
  struct Step {
    mlir::Operation *op;
    int64_t start;
    std::vector<Source> operands;
    unsigned result = 0; // slot
    Function function;   // of operations that are no accesses
    UnitState *unit = nullptr;
    MemoryState *memory = nullptr; // accesses: [value,] [address,] [condition]
    FifoState *fifo = nullptr;     // [value,] [condition]
    bool isStore = false, hasAddress = false, hasCondition = false;
    bool readsRegister = false;
    int64_t bank = 0, port = -1;
  };

  PipelineOp pipeline;
  std::vector<Step> steps;         // in the order of their cycles
  std::vector<int64_t> ready;      // per slot, the cycle of its iteration from which on it is there
  std::vector<std::string> makers; // per slot, for errors
  std::vector<int64_t> stepOf;     // per slot, the place in `steps` that makes it; -1 of counters
  std::vector<size_t> streamSteps; // places in `steps` of those that move tokens
  size_t history = 0;              // how many iterations back a carried value may come from
  std::vector<Source> initial, yielded; // per carried value
  std::vector<mlir::Value> outside;
  std::vector<mlir::AffineMap> lower, upper;
  /// Whether there is another iteration, and the cycle in which an iteration knows.
  struct Decision {
    Source condition;
    int64_t cycle;
  };
  std::optional<Decision> decision; // none where counters tell

  /// Fails for operations that no hardware exists for.
  static llvm::Expected<PipelineCode> compile(PipelineOp pipeline, KernelState &kernel,
                                              const ElementaryFunctions &elementary);
};

/// One run, from a start to its end.
class PipelineRun {
public:
  /// `outside` holds the values of `code.outside`, `bounds` those that the bounds start from.
  PipelineRun(const PipelineCode &code, std::vector<uint64_t> outside, std::vector<int64_t> bounds,
              int64_t startCycle);

  /// Everything that happens in this cycle, the oldest iteration first.
  llvm::Error step(int64_t cycle);
  /// The cycle in which the last iteration comes to its end; known once it has begun, or found out
  /// that it is the last.
  std::optional<int64_t> doneCycle() const { return done; }
  /// The cycle in which the newest iteration began.
  int64_t lastBegin() const { return frames.empty() ? 0 : frames.back().issue; }
  bool isFinished() const { return done && finished == frames.size(); }
  const PipelineUse &use() const { return used; }

private:
  struct Carried {
    int64_t iteration; // -1: `value` itself
    uint64_t value;    // else a slot
  };
  struct Frame {
    int64_t issue;
    std::vector<uint64_t> slots;
    std::vector<Carried> carried;
    bool isBubble;
    size_t next = 0; // step
  };

  void enter(size_t level);
  bool advance();
  llvm::Error issue(int64_t cycle);
  Frame makeFrame(int64_t cycle) const;
  /// What an iteration lacks to begin.
  enum class Lack { Nothing, Token, Room };
  llvm::Expected<Lack> lackOf(const Frame &frame, int64_t cycle);
  llvm::Expected<uint64_t> foresee(const PipelineCode::Source &source, const Frame &frame,
                                   int64_t cycle);
  llvm::Error decide(int64_t cycle);
  const Frame &makerOf(const PipelineCode::Source &source, const Frame &frame,
                       uint64_t &slot) const;
  bool fetch(const PipelineCode::Source &source, const Frame &frame, int64_t cycle,
             uint64_t &value) const;
  llvm::Error tooEarly(const PipelineCode::Source &source, const Frame &frame, llvm::StringRef user,
                       int64_t cycle) const;
  llvm::Error execute(const PipelineCode::Step &step, Frame &frame, int64_t cycle);
  llvm::Error access(const PipelineCode::Step &step, Frame &frame,
                     llvm::ArrayRef<uint64_t> operands, int64_t cycle);
  llvm::Error moveToken(const PipelineCode::Step &step, Frame &frame,
                        llvm::ArrayRef<uint64_t> operands, int64_t cycle);
  llvm::Error takeUnit(const PipelineCode::Step &step, int64_t cycle);
  std::string place() const;

  const PipelineCode &code;
  std::vector<uint64_t> outside;
  std::vector<int64_t> counters;     // bound operands, then the counter of each level
  std::vector<int64_t> ends, uppers; // per level, one past the last value: with bubbles, without
  size_t operands;
  std::deque<Frame> frames;
  int64_t firstFrame = 0; // iteration number of frames.front()
  size_t finished = 0;    // frames at the front whose steps are all done
  int64_t nextIssue;
  std::optional<int64_t> done;
  PipelineUse used;
};

} // namespace spindle::hls
