#include "hw/hls/schedule/problem/ReservationText.h"

#include "fmt/format.h"

#include <algorithm>
#include <numeric>

namespace spindle::hls {

namespace {

using Row = std::vector<std::string>;

std::string toText(const std::vector<Row> &rows) {
  std::vector<size_t> widths(rows.front().size(), 0);
  for (const Row &row : rows)
    for (size_t c = 0; c < row.size(); ++c)
      widths[c] = std::max(widths[c], row[c].size());
  std::string text;
  for (const Row &row : rows) {
    std::string line;
    for (size_t c = 0; c < row.size(); ++c)
      line += fmt::format("{}{:<{}}", c ? "  " : "", row[c], widths[c]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string tableText(const Problem &problem, const Schedule &schedule) {
  // Columns of a resource: up to the highest instance that is taken.
  std::vector<size_t> columns(problem.resources.size(), 0);
  size_t last = 0;
  for (unsigned o = 0; o < problem.operations.size(); ++o) {
    const ProblemOperation &operation = problem.operations[o];
    for (size_t u = 0; u < operation.uses.size(); ++u)
      columns[operation.uses[u]] =
          std::max<size_t>(columns[operation.uses[u]], schedule.instance[o][u] + 1);
    last =
        std::max<size_t>(last, schedule.start[o] + (operation.uses.empty() ? 1 : operation.busy));
  }
  std::vector<size_t> firstColumn;
  Row head{"cycle"};
  for (unsigned r = 0; r < columns.size(); ++r) {
    firstColumn.push_back(head.size());
    for (size_t i = 0; i < columns[r]; ++i)
      head.push_back(columns[r] == 1 ? problem.resources[r].name
                                     : fmt::format("{}.{}", problem.resources[r].name, i));
  }
  if (head.size() == 1)
    return "";
  size_t rows = schedule.interval ? schedule.interval : last;
  std::vector<Row> table{head};
  for (size_t cycle = 0; cycle < rows; ++cycle) {
    table.emplace_back(head.size(), ".");
    table.back()[0] = std::to_string(cycle);
  }
  for (unsigned o = 0; o < problem.operations.size(); ++o)
    for (size_t u = 0; u < problem.operations[o].uses.size(); ++u)
      for (unsigned b = 0; b < problem.operations[o].busy; ++b)
        table[1 + (size_t(schedule.start[o]) + b) % rows]
             [firstColumn[problem.operations[o].uses[u]] + schedule.instance[o][u]] =
                 problem.operations[o].name;
  return toText(table);
}

std::string startsText(const Problem &problem, const Schedule &schedule) {
  std::vector<unsigned> order(problem.operations.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](unsigned a, unsigned b) {
    return std::pair(schedule.start[a], schedule.offsetNs[a]) <
           std::pair(schedule.start[b], schedule.offsetNs[b]);
  });
  std::vector<Row> rows{{"start", "ns", "operation", "type", "instances"}};
  for (unsigned o : order) {
    const ProblemOperation &operation = problem.operations[o];
    std::string instances;
    for (size_t u = 0; u < operation.uses.size(); ++u)
      instances += fmt::format("{}{}.{}", u ? " " : "", problem.resources[operation.uses[u]].name,
                               schedule.instance[o][u]);
    rows.push_back({std::to_string(schedule.start[o]), fmt::format("{:.2f}", schedule.offsetNs[o]),
                    operation.name, problem.operatorTypes[operation.type].name, instances});
  }
  return toText(rows);
}

} // namespace

std::string reservationText(const Problem &problem, const Schedule &schedule) {
  std::string table = tableText(problem, schedule);
  return table + (table.empty() ? "" : "\n") + startsText(problem, schedule);
}

} // namespace spindle::hls
