#include "hw/hls/software-pipelining/GraphFiles.h"

#include "core/support/files/File.h"

#include "fmt/format.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <map>

namespace spindle::hls {

namespace {

/// What one operation occupies in the eyes of a scheduler that knows one resource per operation.
std::string resourceName(const Problem &problem, unsigned n) {
  const ProblemOperation &operation = problem.operations[n];
  return operation.uses.empty() ? problem.operatorTypes[operation.type].name
                                : problem.resources[operation.uses[0]].name;
}

struct ResourceEntry {
  unsigned latency = 0, blocking = 0;
  int64_t limit = -1;
};

/// The longest latency of its operations stands for a resource; edges correct it.
std::map<std::string, ResourceEntry> resourceEntries(const Problem &problem) {
  std::map<std::string, ResourceEntry> entries;
  for (unsigned n = 0; n < problem.operations.size(); ++n) {
    const ProblemOperation &operation = problem.operations[n];
    ResourceEntry &entry = entries[resourceName(problem, n)];
    entry.latency = std::max(entry.latency, latencyOf(problem, n));
    if (operation.uses.empty())
      continue;
    entry.blocking = std::max(entry.blocking, operation.busy);
    entry.limit = problem.resources[operation.uses[0]].count;
  }
  return entries;
}

llvm::Error lineError(const std::string &path, unsigned line, const std::string &message) {
  return inputError(fmt::format("{}:{}", path, line), message);
}

llvm::Expected<unsigned> findVertex(const Problem &problem, llvm::StringRef text,
                                    const std::string &path, unsigned line) {
  unsigned number;
  if (!text.getAsInteger(10, number) && number < problem.operations.size())
    return number;
  for (unsigned n = 0; n < problem.operations.size(); ++n)
    if (text == problem.operations[n].name)
      return n;
  return lineError(path, line,
                   fmt::format("no vertex '{}', expected a name such as {} or a number below {}",
                               text.str(), problem.operations[0].name, problem.operations.size()));
}

/// `mulf_f64_0` or `0`, one per use.
llvm::Expected<std::vector<unsigned>> readInstances(llvm::StringRef text, size_t uses,
                                                    const std::string &path, unsigned line) {
  std::vector<unsigned> instances;
  llvm::SmallVector<llvm::StringRef> parts;
  if (!text.empty() && text != "-")
    text.split(parts, ',');
  if (uses == 0)
    return instances;
  for (llvm::StringRef part : parts) {
    part = part.trim();
    size_t start = part.find_last_not_of("0123456789");
    llvm::StringRef digits = start == llvm::StringRef::npos ? part : part.drop_front(start + 1);
    unsigned number;
    if (digits.getAsInteger(10, number))
      return lineError(path, line,
                       fmt::format("'{}' does not end in the number of an instance, expected a "
                                   "functional unit such as mulf_f64_0",
                                   part.str()));
    instances.push_back(number);
  }
  if (instances.size() != uses)
    return lineError(path, line,
                     fmt::format("{} functional units, expected {}", instances.size(), uses));
  return instances;
}

llvm::Error readLine(llvm::StringRef line, const std::string &path, unsigned number,
                     const Problem &problem, Schedule &schedule, std::vector<unsigned> &lineOf) {
  llvm::SmallVector<llvm::StringRef> fields;
  line.split(fields, ';');
  if (fields.size() != 3)
    return lineError(path, number,
                     fmt::format("'{}' has {} fields, expected "
                                 "vertex;cycle;functional_unit",
                                 line.str(), fields.size()));
  SPINDLE_ASSIGN(unsigned vertex, findVertex(problem, fields[0].trim(), path, number));
  if (lineOf[vertex] != 0)
    return lineError(path, number,
                     fmt::format("vertex '{}' was given in line {} already",
                                 problem.operations[vertex].name, lineOf[vertex]));
  lineOf[vertex] = number;
  if (fields[1].trim().getAsInteger(10, schedule.start[vertex]))
    return lineError(path, number,
                     fmt::format("cycle '{}' is no number from 0 on", fields[1].trim().str()));
  SPINDLE_ASSIGN(
      schedule.instance[vertex],
      readInstances(fields[2].trim(), problem.operations[vertex].uses.size(), path, number));
  return llvm::Error::success();
}

} // namespace

llvm::Error writeGraphMl(const std::string &path, const Problem &problem) {
  auto entries = resourceEntries(problem);
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<graphml>\n  <graph>\n";
  for (unsigned n = 0; n < problem.operations.size(); ++n)
    text += fmt::format("    <node id=\"{}\">\n      <data key=\"name\">{}</data>\n"
                        "      <data key=\"uses_resource\">{}</data>\n    </node>\n",
                        n, problem.operations[n].name, resourceName(problem, n));
  unsigned number = 0;
  for (const Dependence &dependence : problem.dependences) {
    int64_t delay = int64_t(latencyOf(problem, dependence)) -
                    entries[resourceName(problem, dependence.from)].latency;
    text += fmt::format("    <edge id=\"{}\" source=\"{}\" target=\"{}\">\n"
                        "      <data key=\"delay\">{}</data>\n"
                        "      <data key=\"distance\">{}</data>\n"
                        "      <data key=\"deptype\">{}</data>\n    </edge>\n",
                        number++, dependence.from, dependence.to, delay, dependence.distance,
                        dependence.latency ? "Precedence" : "Data");
  }
  return writeFile(path, text + "  </graph>\n</graphml>\n");
}

llvm::Error writeResourceXml(const std::string &path, const Problem &problem) {
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<ModelInformation Version=\"1.0\">\n"
      "  <Resources>\n";
  for (const auto &[name, entry] : resourceEntries(problem))
    text +=
        fmt::format("    <resource blockingTime=\"{}\" latency=\"{}\" limit=\"{}\" name=\"{}\"/>\n",
                    entry.blocking, entry.latency, entry.limit, name);
  return writeFile(path, text + "  </Resources>\n</ModelInformation>\n");
}

llvm::Expected<Schedule> readExternalSchedule(const std::string &path, const Problem &problem,
                                              unsigned interval) {
  SPINDLE_ASSIGN(std::string text, readFile(path));
  auto count = problem.operations.size();
  Schedule schedule;
  schedule.start.resize(count);
  schedule.instance.resize(count);
  std::vector<unsigned> lineOf(count, 0);
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(text).split(lines, '\n');
  for (unsigned n = 0; n < lines.size(); ++n) {
    llvm::StringRef line = lines[n].trim();
    if (line.empty() || line.starts_with("#") || (n == 0 && line.starts_with("vertex;")))
      continue;
    SPINDLE_RETURN_IF_ERROR(readLine(line, path, n + 1, problem, schedule, lineOf));
  }
  auto missing = std::find(lineOf.begin(), lineOf.end(), 0u);
  if (missing != lineOf.end())
    return inputError(path, fmt::format("vertex '{}' has no line",
                                        problem.operations[size_t(missing - lineOf.begin())].name));
  auto faultAt = [&](unsigned candidate) {
    schedule.interval = candidate;
    schedule.offsetNs = chainOffsets(problem, schedule.start, candidate);
    return faultOf(problem, schedule);
  };
  // From the depth on iterations do not overlap: a longer interval cannot help.
  unsigned first = interval ? interval : 1;
  unsigned last = interval ? interval : std::max(schedule.depth(problem), 1u);
  for (unsigned candidate = first; candidate < last; ++candidate)
    if (!faultAt(candidate))
      return schedule;
  if (auto fault = faultAt(last))
    return inputError(path, fmt::format("does not hold with an interval of {}: {}", last, *fault));
  return schedule;
}

llvm::Error writeExternalSchedule(const std::string &path, const Problem &problem,
                                  const Schedule &schedule) {
  std::string text = "vertex;cycle;functional_unit\n";
  for (unsigned n = 0; n < problem.operations.size(); ++n) {
    std::string units;
    for (size_t use = 0; use < problem.operations[n].uses.size(); ++use)
      units += fmt::format("{}{}_{}", use ? "," : "",
                           problem.resources[problem.operations[n].uses[use]].name,
                           schedule.instance[n][use]);
    text += fmt::format("{};{};{}\n", problem.operations[n].name, schedule.start[n],
                        units.empty() ? "-" : units);
  }
  return writeFile(path, text);
}

} // namespace spindle::hls
