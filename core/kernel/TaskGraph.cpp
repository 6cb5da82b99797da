#include "core/kernel/TaskGraph.h"

#include "core/support/formats/JsonMapping.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <map>

namespace spindle::hls {

static constexpr FileFormat kSystemFormat = {"spindle-system", 2};
static constexpr const char *kKinds[] = {"centralised", "dataflow"}; // in the order of SystemKind
static constexpr const char *kOperands[] = {"array", "scalar", "input", "stream"};

namespace {
/// The type of an array as one word.
struct TypeWord {
  const ElementType &type;
  Json toJson() const { return type.text(); }
};
struct TypeFromWord {
  ElementType &type;
  void readFrom(const Json &json) {
    std::optional<ElementType> known = parseElementType(textValue(json));
    if (!known)
      refuseValue(json, "the type of an element, such as f32");
    type = *known;
  }
};
TypeWord typeWord(const ElementType &type) { return {type}; }
TypeFromWord typeWord(ElementType &type) { return {type}; }
} // namespace

static void describe(auto &file, MaybeConst<TaskArray> auto &array) {
  file.field("name", array.name);
  file.field("type", typeWord(array.type));
  file.field("shape", within<uint32_t>(array.shape));
  file.field("argument", array.argument);
  file.field("buffers", array.buffers);
}

static void describe(auto &file, MaybeConst<TaskOperand> auto &operand) {
  file.field("kind", wordOf(operand.kind, kOperands, "array, scalar, input or stream"));
  file.field("index", operand.index);
  file.field("read", operand.isRead);
  file.field("write", operand.isWritten);
}

static void describe(auto &file, MaybeConst<Task> auto &task) {
  file.field("name", task.name);
  file.field("circuit", task.circuit);
  file.field("operands", task.operands);
  file.field("source", task.source);
}

static void describe(auto &file, MaybeConst<TaskOrder> auto &order) {
  file.field("from", order.from);
  file.field("to", order.to);
  file.field("distance", order.distance);
  file.optional("delay", order.delay);
}

static void describe(auto &file, MaybeConst<TaskSpan> auto &span) {
  file.field("task", span.task);
  file.field("input", span.input);
  file.field("start", span.start);
  file.field("end", span.end);
}

static void describe(auto &file, MaybeConst<TaskGraph> auto &graph) {
  file.field("kind", wordOf(graph.kind, kKinds, "centralised or dataflow"));
  file.field("function", graph.function);
  file.field("first_input", graph.firstInput);
  file.field("inputs", graph.inputs);
  file.field("circuits", graph.circuits);
  file.field("arrays", graph.arrays);
  file.field("tasks", graph.tasks);
  file.field("order", graph.order);
  file.fieldUnless("predicted", graph.predicted, {});
}

/// A stream goes to one task, whose circuit holds its FIFO and runs no other.
static std::string faultOfStreams(const TaskGraph &graph) {
  std::map<uint32_t, size_t> takers; // tasks, by argument
  for (size_t n = 0; n < graph.tasks.size(); ++n)
    for (const TaskOperand &operand : graph.tasks[n].operands) {
      if (operand.kind != TaskOperand::Kind::Stream)
        continue;
      auto [taker, isFirst] = takers.try_emplace(operand.index, n);
      if (!isFirst)
        return fmt::format("tasks[{}] has the stream of argument {} as tasks[{}] has, expected one "
                           "task for each stream",
                           n, operand.index, taker->second);
      for (size_t other = 0; other < graph.tasks.size(); ++other)
        if (other != n && graph.tasks[other].circuit == graph.tasks[n].circuit)
          return fmt::format(
              "tasks[{}] has a stream and shares circuit {} with tasks[{}], expected "
              "a circuit of its own",
              n, graph.tasks[n].circuit, other);
    }
  return "";
}

/// What is wrong; empty where nothing is.
static std::string faultOf(const TaskGraph &graph) {
  for (size_t n = 0; n < graph.tasks.size(); ++n) {
    const Task &task = graph.tasks[n];
    if (task.circuit >= graph.circuits.size())
      return fmt::format("tasks[{}] runs on circuit {}, expected one of {}", n, task.circuit,
                         graph.circuits.size());
    for (const TaskOperand &operand : task.operands)
      if (operand.kind == TaskOperand::Kind::Array && operand.index >= graph.arrays.size())
        return fmt::format("tasks[{}] has array {}, expected one of {}", n, operand.index,
                           graph.arrays.size());
  }
  if (std::string fault = faultOfStreams(graph); !fault.empty())
    return fault;
  for (const TaskArray &array : graph.arrays)
    if (array.buffers == 0)
      return fmt::format("array {} has no buffer, expected 1 or more", array.name);
  for (size_t n = 0; n < graph.order.size(); ++n) {
    const TaskOrder &order = graph.order[n];
    if (std::max(order.from, order.to) >= graph.tasks.size())
      return fmt::format("order[{}] names task {}, expected one of {}", n,
                         std::max(order.from, order.to), graph.tasks.size());
    if (order.distance == 0 && order.from >= order.to)
      return fmt::format("order[{}]: task {} waits for task {} of the same input, which is not "
                         "before it: nothing would ever start",
                         n, order.to, order.from);
    if (order.delay == std::optional<uint64_t>(0))
      return fmt::format("order[{}]: task {} begins 0 cycles after task {}, expected 1 or more", n,
                         order.to, order.from);
  }
  for (size_t n = 0; n < graph.predicted.size(); ++n) {
    const TaskSpan &span = graph.predicted[n];
    if (span.task >= graph.tasks.size() || span.input >= graph.inputs || span.end < span.start)
      return fmt::format(
          "predicted[{}] is input {} of task {} from cycle {} to {}, expected one of "
          "{} inputs of one of {} tasks, in order",
          n, span.input, span.task, span.start, span.end, graph.inputs, graph.tasks.size());
  }
  return "";
}

llvm::Error verify(const TaskGraph &graph, const std::string &place) {
  std::string fault = faultOf(graph);
  return fault.empty() ? llvm::Error::success() : inputError(place, fault);
}

std::string dotText(const TaskGraph &graph) {
  std::string text = fmt::format("digraph \"{}\" {{\n  rankdir=LR;\n", graph.function);
  for (size_t n = 0; n < graph.tasks.size(); ++n)
    text += fmt::format("  t{} [shape=box, label=\"{}\\n{}\"];\n", n, graph.tasks[n].name,
                        graph.circuits[graph.tasks[n].circuit]);
  for (size_t n = 0; n < graph.arrays.size(); ++n) {
    const TaskArray &array = graph.arrays[n];
    std::string buffers = array.buffers > 1 ? fmt::format(" x {}", array.buffers) : "";
    text += fmt::format("  a{} [shape=ellipse, label=\"{}\\n{}{} {}\"];\n", n, array.name,
                        fmt::join(array.shape, "x"), array.shape.empty() ? "" : " of",
                        array.type.text() + buffers);
  }
  for (size_t n = 0; n < graph.tasks.size(); ++n)
    for (const TaskOperand &operand : graph.tasks[n].operands) {
      if (operand.kind == TaskOperand::Kind::Stream) {
        std::string stream = fmt::format("s{}", operand.index), task = fmt::format("t{}", n);
        text +=
            fmt::format("  {} [shape=cds, label=\"arg{}\"];\n  {} -> {};\n", stream, operand.index,
                        operand.isRead ? stream : task, operand.isRead ? task : stream);
      }
      if (operand.kind != TaskOperand::Kind::Array)
        continue;
      if (operand.isRead)
        text += fmt::format("  a{} -> t{};\n", operand.index, n);
      if (operand.isWritten)
        text += fmt::format("  t{} -> a{};\n", n, operand.index);
    }
  for (const TaskOrder &order : graph.order) {
    std::string delay = order.delay ? fmt::format("start + {}", *order.delay) : "",
                distance = order.distance ? std::to_string(order.distance) : "",
                label = distance + (distance.empty() || delay.empty() ? "" : ", ") + delay;
    text += fmt::format("  t{} -> t{} [style=dashed{}{}];\n", order.from, order.to,
                        order.distance ? ", color=red" : "",
                        label.empty() ? "" : ", label=\"" + label + "\"");
  }
  return text + "}\n";
}

llvm::Error writeTaskGraph(const std::string &path, const TaskGraph &graph) {
  return writeDescribed(path, kSystemFormat, graph);
}

llvm::Expected<TaskGraph> readTaskGraph(const std::string &path) {
  SPINDLE_ASSIGN(TaskGraph graph, readDescribed<TaskGraph>(path, kSystemFormat));
  SPINDLE_RETURN_IF_ERROR(verify(graph, path));
  return graph;
}

} // namespace spindle::hls
