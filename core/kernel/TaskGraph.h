// A program as tasks that run on circuits: which arrays they read and write, and who waits for
// whom. Part of system.json (docs/formats/system.md).
#pragma once

#include "core/kernel/KernelArray.h"

#include <optional>
#include <string>
#include <vector>

namespace spindle::hls {

/// How tasks are started: one after the other, in the order of the program, or as soon as what they
/// need is there.
enum class SystemKind { Centralised, Dataflow };

/// An argument of the program, or memory of the system between tasks.
struct TaskArray {
  std::string name; // arg<i>, between<n>
  ElementType type;
  std::vector<int64_t> shape;
  std::optional<uint32_t> argument; // of the program
  uint32_t buffers = 1;             // one input after the other takes the next of them
  bool operator==(const TaskArray &) const = default;
};

/// What a task hands to its kernel.
struct TaskOperand {
  enum class Kind { Array, Scalar, Input, Stream };
  Kind kind = Kind::Array;
  uint32_t index = 0; // of the array, or of the program's argument; 0 for the number of the input
  bool isRead = false, isWritten = false;
  bool operator==(const TaskOperand &) const = default;
};

/// One launch of a kernel.
struct Task {
  std::string name;     // task<n>, in the order of the program
  uint32_t circuit = 0; // that runs it
  std::vector<TaskOperand> operands;
  std::string source; // file:line:column
  bool operator==(const Task &) const = default;
};

/// Input n of task `to` begins after input n - distance of task `from`; `to` waits for nobody where
/// that is before the first one.
struct TaskOrder {
  uint32_t from = 0, to = 0;
  uint32_t distance = 0;
  std::optional<uint64_t> delay = {}; // cycles from start to start at least; none: after its end
  bool operator==(const TaskOrder &) const = default;
};

/// An order that one array asks for: both tasks touch it, one of them writing.
struct TaskConflict {
  uint32_t from = 0, to = 0, distance = 0;
  uint32_t array = 0;
  bool operator==(const TaskConflict &) const = default;
};

/// One input of a task: from the cycle that sees its start to the one that sees its end, counted
/// from the start of the system.
struct TaskSpan {
  uint32_t task = 0;
  uint64_t input = 0;
  uint64_t start = 0, end = 0;
  bool operator==(const TaskSpan &) const = default;
};

struct TaskGraph {
  SystemKind kind = SystemKind::Dataflow;
  std::string function; // of the program
  int64_t firstInput = 0;
  uint64_t inputs = 1;               // how often each task runs
  std::vector<std::string> circuits; // the kernel of each
  std::vector<TaskArray> arrays;
  std::vector<Task> tasks;
  std::vector<TaskOrder> order;
  std::vector<TaskSpan> predicted; // by start, then by task; empty where cycles depend on data
  bool operator==(const TaskGraph &) const = default;
};

/// Whether numbers name what there is, and no task waits for itself in the same input. `place`
/// stands before errors.
llvm::Error verify(const TaskGraph &graph, const std::string &place);

/// For Graphviz: tasks and arrays; dashed who waits for whom, in red for an earlier input.
std::string dotText(const TaskGraph &graph);

llvm::Error writeTaskGraph(const std::string &path, const TaskGraph &graph);
/// Reads and verifies.
llvm::Expected<TaskGraph> readTaskGraph(const std::string &path);

} // namespace spindle::hls
