// Charts of a kernel's schedule as SVG. Positions are those of the schedule: a bar that starts in
// cycle s and lasts l cycles has x = s and width = l in the units of its chart (`data-*` holds them
// as plain numbers).
#pragma once

#include "lib/report/KernelPage.h"

namespace spindle {

/// Text that may stand in an element or an attribute.
std::string escapeMarkup(const std::string &text);

/// A bar per task over the cycles of the kernel; tasks of a repeat show its first run.
std::string taskChart(const hls::KernelSchedule &schedule);

/// Of a system, two lines for each task: when its inputs are predicted to run and, where there are
/// any, when they did. No more than `limits.iterations` inputs.
std::string systemChart(const hls::TaskGraph &system, const std::vector<hls::TaskSpan> &measured,
                        const KernelPageLimits &limits);

/// A line per operation of one iteration over its cycles; every interval a vertical line.
std::string operationChart(const hls::ScheduledPipeline &pipeline, const KernelPageLimits &limits);

/// A bar per iteration, each `interval` cycles after the one before.
std::string overlapChart(const hls::ScheduledPipeline &pipeline, const KernelPageLimits &limits);

/// Unit or port × cycle modulo the interval, as an HTML table: which operation takes it.
std::string reservationTable(const hls::ScheduledPipeline &pipeline,
                             const KernelPageLimits &limits);

} // namespace spindle
