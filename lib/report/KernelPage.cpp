#include "lib/report/KernelPage.h"

#include "lib/report/ScheduleCharts.h"
#include "lib/report/page/PageFiles.h"

#include "fmt/format.h"

#include <algorithm>

namespace spindle {

using namespace hls;

namespace {

std::string numberText(const std::optional<uint64_t> &number) {
  return number ? fmt::format("{}", *number) : "depends on arguments";
}

/// `1 cycle`, `6 cycles`
std::string unitText(uint64_t cycles) { return cycles == 1 ? "cycle" : "cycles"; }

std::string tile(const std::string &label, const std::string &value, const std::string &unit,
                 const std::string &note) {
  return fmt::format("<div class=\"tile\"><span class=\"label\">{}</span><b>{}<small>{}</small></b>"
                     "<span>{}</span></div>\n",
                     escapeMarkup(label), escapeMarkup(value), escapeMarkup(unit),
                     escapeMarkup(note));
}

std::string tiles(const KernelInterface &kernel, const KernelSchedule &schedule) {
  std::string units;
  for (const auto &[kind, count] : kernel.units)
    units += fmt::format("{}{} {}", units.empty() ? "" : ", ", count, kind);
  size_t total = 0;
  for (const auto &[kind, count] : kernel.units)
    total += count;
  std::string text = "<div id=\"tiles\">\n";
  if (schedule.predictedCycles) {
    double microseconds = double(*schedule.predictedCycles) * schedule.clockPeriodNs * 1e-3;
    text += tile("Time", fmt::format("{}", *schedule.predictedCycles), "cycles",
                 fmt::format("{:.6g} µs at {:.6g} ns", microseconds, schedule.clockPeriodNs));
  } else {
    text += tile("Time", "–", "", "depends on arguments");
  }
  text += tile("Functional units", fmt::format("{}", total), "", units.empty() ? "none" : units);
  if (const ScheduledPipeline *longest = longestPipeline(schedule))
    text += tile("Initiation interval", fmt::format("{}", longest->interval),
                 unitText(longest->interval),
                 fmt::format("of {}, the longest pipeline: {}", schedule.tasks[longest->task].name,
                             limitText(*longest)));
  size_t banks = 0, ports = 0;
  for (const KernelArgument &argument : kernel.arguments)
    if (argument.isMemory()) {
      banks += argument.banks();
      ports += size_t(argument.banks()) * argument.ports;
    }
  text += tile("Memory ports", fmt::format("{}", ports), "",
               fmt::format("of {} banks of the arguments", banks));
  return text + "</div>\n";
}

std::string pipelineTable(const KernelSchedule &schedule) {
  bool hasProofs = std::any_of(schedule.pipelines.begin(), schedule.pipelines.end(),
                               [](const ScheduledPipeline &p) { return p.proof.has_value(); });
  std::string text = "<table class=\"pipelines\"><thead><tr><th>pipeline</th>";
  for (const char *title :
       {"interval", "recurrence bound", "resource bound", "depth", "iterations", "runs", "cycles"})
    text += fmt::format("<th class=\"right\">{}</th>", title);
  text +=
      fmt::format("<th>limited by</th>{}</tr></thead><tbody>\n", hasProofs ? "<th>proof</th>" : "");
  for (const ScheduledPipeline &pipeline : schedule.pipelines) {
    const ScheduledTask &task = schedule.tasks[pipeline.task];
    text += fmt::format("<tr><td>{}</td>", escapeMarkup(task.name));
    for (const std::string &cell :
         {fmt::format("{}", pipeline.interval), fmt::format("{}", pipeline.bounds.recurrence),
          fmt::format("{}", pipeline.bounds.resource), fmt::format("{}", pipeline.depth),
          numberText(pipeline.iterations), numberText(task.runs),
          numberText(cyclesOf(schedule, pipeline))})
      text += fmt::format("<td class=\"right\">{}</td>", cell);
    text += fmt::format("<td class=\"wide\">{}</td>", escapeMarkup(limitText(pipeline)));
    if (hasProofs)
      text += fmt::format("<td class=\"proof\">{}</td>", escapeMarkup(proofText(pipeline)));
    text += "</tr>\n";
  }
  return text + "</tbody></table>\n";
}

std::string card(const std::string &title, const std::string &note, const std::string &body) {
  return fmt::format("<section class=\"card full\"><h2>{}</h2><p class=\"note\">{}</p>"
                     "<div class=\"scroll\">\n{}</div></section>\n",
                     escapeMarkup(title), escapeMarkup(note), body);
}

std::string pipelineCards(const KernelSchedule &schedule, const ScheduledPipeline &pipeline,
                          const KernelPageLimits &limits) {
  const std::string &name = schedule.tasks[pipeline.task].name;
  std::string text =
      card(fmt::format("{}: one iteration", name),
           "Every operation from its start to its result, in cycles; dashed: the starts of further "
           "iterations.",
           operationChart(pipeline, limits));
  if (pipeline.repeats)
    text += card(fmt::format("{}: iterations overlap", name),
                 fmt::format("One begins every {}cycle{} and takes {} {}.",
                             pipeline.interval == 1 ? "" : fmt::format("{} ", pipeline.interval),
                             pipeline.interval == 1 ? "" : "s", pipeline.depth,
                             unitText(pipeline.depth)),
                 overlapChart(pipeline, limits));
  return text + card(fmt::format("{}: reservation table", name),
                     pipeline.repeats ? "By cycle modulo the initiation interval."
                                      : "By cycle; it runs once.",
                     reservationTable(pipeline, limits));
}

constexpr const char *kTableStyle = "table.reservations td, table.reservations th { padding: 2px "
                                    "6px; font-size: 11.5px; }\n"
                                    "td.taken { background: var(--shade); }\n"
                                    "table.pipelines td.wide { min-width: 14em; }\n"
                                    "table.pipelines td.proof { white-space: nowrap; }\n"
                                    // On a telephone a chart is moved, not shrunk.
                                    "svg.chart { min-width: 760px; }\n"
                                    "svg.chart text { white-space: pre; }\n";

/// From the first line to the main part.
std::string pageHead(const std::string &title, const std::string &target, double clockPeriodNs) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n<title>{0}</title>\n<style>\n{1}{2}"
      "</style>\n</head>\n<body>\n<header><div><h1>{0}</h1>\n<p id=\"subtitle\">{3}, clock of "
      "{4:.6g} ns</p></div></header>\n<main>\n",
      escapeMarkup(title), page_file::kStyle, kTableStyle, escapeMarkup(target), clockPeriodNs);
}

std::string pageEnd(const char *files) {
  return fmt::format("</main>\n<footer>Spindle. The same numbers stand in {}.</footer>\n</body>\n"
                     "</html>\n",
                     files);
}

/// Over all inputs of a task.
struct TaskSummary {
  uint64_t runs = 0, busy = 0, first = 0, last = 0; // cycles
};
TaskSummary summaryOf(const std::vector<TaskSpan> &spans, uint32_t task) {
  TaskSummary summary;
  for (const TaskSpan &span : spans)
    if (span.task == task) {
      summary.first = summary.runs == 0 ? span.start : std::min(summary.first, span.start);
      summary.last = std::max(summary.last, span.end);
      summary.busy += span.end - span.start;
      ++summary.runs;
    }
  return summary;
}

std::string systemTable(const TaskGraph &system, const std::vector<TaskSpan> &measured) {
  std::string text = "<table class=\"tasks\"><thead><tr><th>task</th><th>kernel</th>"
                     "<th class=\"right\">circuit</th><th></th>";
  for (const char *title : {"runs", "cycles at work", "first start", "last end"})
    text += fmt::format("<th class=\"right\">{}</th>", title);
  text += "</tr></thead><tbody>\n";
  for (uint32_t task = 0; task < system.tasks.size(); ++task)
    for (const auto &[kind, spans] :
         {std::pair("predicted", &system.predicted), std::pair("measured", &measured)}) {
      if (spans->empty())
        continue;
      TaskSummary summary = summaryOf(*spans, task);
      text += fmt::format("<tr><td>{}</td><td>{}</td><td class=\"right\">{}</td><td>{}</td>",
                          escapeMarkup(system.tasks[task].name),
                          escapeMarkup(system.circuits[system.tasks[task].circuit]),
                          system.tasks[task].circuit, kind);
      for (uint64_t number : {summary.runs, summary.busy, summary.first, summary.last})
        text += fmt::format("<td class=\"right\">{}</td>", number);
      text += "</tr>\n";
    }
  return text + "</tbody></table>\n";
}

} // namespace

std::string renderSystemPage(const KernelInterface &kernel, const TaskGraph &system,
                             const std::vector<TaskSpan> &measured,
                             const KernelPageLimits &limits) {
  std::string kind = system.kind == SystemKind::Dataflow ? "dataflow" : "centralised";
  std::string page = pageHead(kernel.top, kernel.target, kernel.clockPeriodNs);
  page += "<div id=\"tiles\">\n";
  page += tile("Time", numberText(kernel.predictedCycles), kernel.predictedCycles ? "cycles" : "",
               "predicted, of all inputs");
  page += tile("Tasks", fmt::format("{}", system.tasks.size()), "",
               fmt::format("on {} circuits, {}", system.circuits.size(), kind));
  page += tile("Inputs", fmt::format("{}", system.inputs), "", "one after the other");
  page += "</div>\n";
  if (!system.predicted.empty() || !measured.empty()) {
    page += card("Tasks", "A bar for each input, in cycles since the start.",
                 systemChart(system, measured, limits));
    page +=
        card("The same as a table", "Over all inputs, in cycles.", systemTable(system, measured));
  } else {
    page += card("Tasks", "Their cycles depend on arguments or data; cosim measures them.", "");
  }
  return page + pageEnd(measured.empty() ? "system.json" : "system.json and cosim.json");
}

std::string renderKernelPage(const KernelInterface &kernel, const KernelSchedule &schedule,
                             const KernelPageLimits &limits) {
  std::string page = pageHead(schedule.kernel, schedule.target, schedule.clockPeriodNs);
  page += tiles(kernel, schedule);
  page += card("Pipelines",
               "The interval is the time between the starts of two iterations; it, its bounds, the "
               "depth of an iteration and the cycles of all runs are in clock cycles.",
               pipelineTable(schedule));
  if (schedule.predictedCycles)
    page += card("Tasks", "In cycles since the start; tasks of a loop in its first run.",
                 taskChart(schedule));
  for (const ScheduledPipeline &pipeline : schedule.pipelines)
    page += pipelineCards(schedule, pipeline, limits);
  return page + pageEnd("schedule.json");
}

} // namespace spindle
