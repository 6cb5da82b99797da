#include "lib/report/ScheduleCharts.h"

#include "fmt/format.h"

#include <algorithm>
#include <map>

namespace spindle {

using namespace hls;

namespace {

constexpr double kChartWidth = 1200, kLabelWidth = 210, kLine = 18, kBar = 12, kAxis = 22;

/// One chart: lines from top to bottom, cycles from left to right.
class Chart {
public:
  Chart(const char *name, uint64_t allCycles, size_t lines)
      : cycles(std::max<uint64_t>(1, allCycles)), height(kAxis + kLine * double(lines)) {
    text = fmt::format("<svg class=\"chart {}\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 "
                       "{} {}\" data-cycles=\"{}\">\n",
                       name, kChartWidth, height, cycles);
    axis();
  }
  void line(const std::string &label) {
    text += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n", kLabelWidth - 8,
                        top + 10, escapeMarkup(label));
  }
  void bar(uint64_t start, uint64_t length, const std::string &title, const char *colour) {
    // A combinational operation is a thin mark at its cycle.
    double width = std::max(1.5, double(length) * scale() - 0.5);
    text += fmt::format("<rect x=\"{:.2f}\" y=\"{}\" width=\"{:.2f}\" height=\"{}\" rx=\"2\" "
                        "fill=\"var(--{})\" data-start=\"{}\" data-cycles=\"{}\">"
                        "<title>{}</title></rect>\n",
                        at(start), top, width, kBar, colour, start, length, escapeMarkup(title));
  }
  void next() { top += kLine; }
  void mark(uint64_t cycle) {
    text += fmt::format("<line x1=\"{0:.2f}\" x2=\"{0:.2f}\" y1=\"{1}\" y2=\"{2}\" "
                        "stroke=\"var(--ann)\" stroke-dasharray=\"3 3\"/>\n",
                        at(cycle), kAxis - 4, height);
  }
  std::string finish() { return text + "</svg>\n"; }

private:
  double scale() const { return (kChartWidth - kLabelWidth - 30) / double(cycles); }
  double at(uint64_t cycle) const { return kLabelWidth + double(cycle) * scale(); }

  /// Grid lines at 1, 2 or 5 times a power of ten, about ten of them.
  void axis() {
    uint64_t power = 1;
    while (cycles / power > 50)
      power *= 10;
    uint64_t step = power;
    for (uint64_t factor : {2, 5})
      if (cycles / step > 12)
        step = power * factor;
    for (uint64_t cycle = 0; cycle <= cycles; cycle += step)
      text += fmt::format("<line x1=\"{0:.2f}\" x2=\"{0:.2f}\" y1=\"{1}\" y2=\"{2}\" "
                          "stroke=\"var(--line)\"/><text x=\"{0:.2f}\" y=\"12\" "
                          "text-anchor=\"middle\">{3}</text>\n",
                          at(cycle), kAxis - 4, height, cycle);
  }

  uint64_t cycles;
  double height, top = kAxis;
  std::string text;
};

size_t levelOf(const KernelSchedule &schedule, const ScheduledTask &task) {
  return task.parent ? 1 + levelOf(schedule, schedule.tasks[*task.parent]) : 0;
}

std::string note(size_t shown, size_t all, const char *what) {
  return shown == all
             ? ""
             : fmt::format("<p class=\"note\">The first {} of {} {}.</p>\n", shown, all, what);
}

} // namespace

std::string escapeMarkup(const std::string &text) {
  std::string escaped;
  for (char c : text)
    switch (c) {
    case '<':
      escaped += "&lt;";
      break;
    case '>':
      escaped += "&gt;";
      break;
    case '&':
      escaped += "&amp;";
      break;
    case '"':
      escaped += "&quot;";
      break;
    default:
      escaped += c;
    }
  return escaped;
}

std::string taskChart(const KernelSchedule &schedule) {
  uint64_t end = schedule.predictedCycles.value_or(1);
  Chart chart("tasks", end, schedule.tasks.size());
  for (const ScheduledTask &task : schedule.tasks) {
    chart.line(std::string(2 * levelOf(schedule, task), ' ') + task.name);
    if (task.start && task.cycles && *task.runs > 0) {
      std::string runs = *task.runs > 1 ? fmt::format(" in the first of {} runs", *task.runs) : "";
      chart.bar(*task.start, *task.cycles,
                fmt::format("{}: cycles {} to {}{}", task.name, *task.start,
                            *task.start + *task.cycles, runs),
                task.isPipeline ? "snn" : "soft");
    }
    chart.next();
  }
  return chart.finish();
}

std::string systemChart(const TaskGraph &system, const std::vector<TaskSpan> &measured,
                        const KernelPageLimits &limits) {
  uint64_t end = 1;
  for (const std::vector<TaskSpan> *spans : {&system.predicted, &measured})
    for (const TaskSpan &span : *spans)
      if (span.input < limits.iterations)
        end = std::max(end, span.end);
  size_t kinds = size_t(!system.predicted.empty()) + size_t(!measured.empty());
  Chart chart("system", end, system.tasks.size() * kinds);
  auto line = [&](uint32_t task, const std::vector<TaskSpan> &spans, const char *kind,
                  const char *colour) {
    if (spans.empty())
      return;
    chart.line(fmt::format("{}, {}", system.tasks[task].name, kind));
    for (const TaskSpan &span : spans)
      if (span.task == task && span.input < limits.iterations)
        chart.bar(span.start, span.end - span.start,
                  fmt::format("{}, {}: input {}, cycles {} to {}", system.tasks[task].name, kind,
                              span.input, span.start, span.end),
                  colour);
    chart.next();
  };
  for (uint32_t task = 0; task < system.tasks.size(); ++task) {
    line(task, system.predicted, "predicted", "soft");
    line(task, measured, "measured", "snn");
  }
  return chart.finish() +
         note(std::min<uint64_t>(system.inputs, limits.iterations), system.inputs, "inputs");
}

std::string operationChart(const ScheduledPipeline &pipeline, const KernelPageLimits &limits) {
  std::vector<const ScheduledOperation *> order;
  for (const ScheduledOperation &operation : pipeline.operations)
    order.push_back(&operation);
  std::stable_sort(order.begin(), order.end(),
                   [](const auto *a, const auto *b) { return a->start < b->start; });
  size_t shown = std::min(order.size(), limits.operations);
  Chart chart("operations", pipeline.depth, shown);
  for (size_t i = 0; i < shown; ++i) {
    const ScheduledOperation &operation = *order[i];
    std::string on = operation.resource.empty() ? "" : " on " + operation.resource;
    chart.line(operation.name);
    chart.bar(operation.start, operation.latency,
              fmt::format("{}{}: cycle {}, latency {}, {}", operation.name, on, operation.start,
                          operation.latency, operation.source),
              operation.resource.empty() ? "soft" : "snn");
    chart.next();
  }
  if (pipeline.repeats)
    for (uint64_t cycle = pipeline.interval; cycle < pipeline.depth;
         cycle += pipeline.interval * (1 + pipeline.depth / pipeline.interval / 60))
      chart.mark(cycle);
  return chart.finish() + note(shown, order.size(), "operations");
}

std::string overlapChart(const ScheduledPipeline &pipeline, const KernelPageLimits &limits) {
  size_t iterations = pipeline.repeats ? limits.iterations : 1;
  if (pipeline.iterations)
    iterations = std::min<uint64_t>(iterations, std::max<uint64_t>(1, *pipeline.iterations));
  Chart chart("overlap", (iterations - 1) * pipeline.interval + pipeline.depth, iterations);
  for (uint64_t i = 0; i < iterations; ++i) {
    uint64_t start = i * pipeline.interval;
    chart.line(fmt::format("iteration {}", i));
    chart.bar(start, pipeline.depth,
              fmt::format("iteration {}: cycles {} to {}", i, start, start + pipeline.depth),
              "snn");
    chart.next();
  }
  return chart.finish();
}

std::string reservationTable(const ScheduledPipeline &pipeline, const KernelPageLimits &limits) {
  uint64_t rows = pipeline.repeats ? pipeline.interval : pipeline.depth;
  uint64_t columns = std::min<uint64_t>(rows, limits.columns);
  std::map<std::string, std::map<uint64_t, std::string>> taken;
  for (const ScheduledOperation &operation : pipeline.operations)
    if (!operation.resource.empty())
      for (uint64_t cycle = operation.start; cycle < operation.start + operation.busy; ++cycle)
        taken[operation.resource][cycle % rows] = operation.name;
  std::string text = "<table class=\"reservations\"><thead><tr><th>unit or port</th>";
  for (uint64_t cycle = 0; cycle < columns; ++cycle)
    text += fmt::format("<th>{}</th>", cycle);
  text += "<th class=\"right\">in use</th></tr></thead><tbody>\n";
  size_t shown = 0;
  for (const auto &[resource, cycles] : taken) {
    if (shown++ == limits.operations)
      break;
    text += fmt::format("<tr><td>{}</td>", escapeMarkup(resource));
    for (uint64_t cycle = 0; cycle < columns; ++cycle) {
      auto operation = cycles.find(cycle);
      text += operation == cycles.end()
                  ? "<td></td>"
                  : fmt::format("<td class=\"taken\">{}</td>", escapeMarkup(operation->second));
    }
    text += fmt::format("<td class=\"right\">{:.0f} %</td></tr>\n",
                        100.0 * double(cycles.size()) / double(rows));
  }
  text += "</tbody></table>\n";
  return text + note(columns, rows, "cycles") +
         note(std::min(shown, limits.operations), taken.size(), "units and ports");
}

} // namespace spindle
