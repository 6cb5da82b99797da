// Loops that are said to be independent (`hls.independent`) and are not end a run of compiled code
// with a message.
#pragma once

#include "core/support/files/RunApart.h"
#include "dialects/jit/Jit.h"

#include "mlir/IR/BuiltinOps.h"

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace spindle::hls {

/// Loops of which something is said, and the accesses of the program.
struct WatchedLoops {
  struct Loop {
    std::string place;               // file:line:column
    std::vector<unsigned> arguments; // of which it is said; none: of all arrays
  };
  struct Access {
    std::string array;          // `arg0`
    std::vector<int64_t> shape; // none where it is not known
    int64_t bytes;              // of an element
  };
  std::vector<Loop> loops;
  std::vector<Access> accesses;
};

/// Calls around the loops that have the attribute and at the beginning of their bodies; affine
/// loops have to be there still.
std::vector<WatchedLoops::Loop> watchLoops(mlir::ModuleOp module);

/// Calls at every memref.load and store; none are needed where there is no such loop. `function` is
/// the one whose arguments are called arg0, arg1, ….
std::vector<WatchedLoops::Access> watchTouches(mlir::ModuleOp module, const std::string &function);

/// The functions that these call.
std::vector<jit::Callee> iterationCallees();

/// While it lives, the run refuses the first element that two iterations of one run of a loop
/// touch, one of them writing. One at a time in a thread.
class IterationWatch {
public:
  using Region = std::pair<const char *, size_t>; // of an argument; {nullptr, 0} for scalars

  IterationWatch(const WatchedLoops &loops, std::vector<Region> arguments, const Refusal &refuse);
  ~IterationWatch();
  IterationWatch(const IterationWatch &) = delete;

  void begin(int64_t loop);
  void turn(int64_t iteration) { runs.back().iteration = iteration; }
  void end() { runs.pop_back(); }
  void touch(int64_t access, int64_t pointer, int64_t element, bool isWrite);

private:
  /// Who has touched an element: the writer, and up to two readers.
  struct Touched {
    std::vector<int64_t> writers, readers;
  };
  struct Run {
    const WatchedLoops::Loop *loop;
    int64_t iteration;
    std::unordered_map<uint64_t, Touched> elements;
  };
  void touch(Run &run, const WatchedLoops::Access &access, uint64_t address, int64_t element,
             bool isWrite);
  bool isMeant(const WatchedLoops::Loop &loop, uint64_t address) const;

  const WatchedLoops &watched;
  std::vector<Region> regions;
  const Refusal &refuse;
  std::vector<Run> runs; // of nested loops, the innermost last
};

} // namespace spindle::hls
