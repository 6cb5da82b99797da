// Dependence graphs for schedulers of others, and what these answer: docs/formats/loop-graph.md.
#pragma once

#include "hw/hls/schedule/problem/Schedule.h"

namespace spindle::hls {

/// GraphML as HatScheT reads it (Oppermann et al., FPL 2019): nodes numbered as the operations,
/// with name and resource; edges with distance and with the delay that they ask for beyond the
/// latency of the resource.
llvm::Error writeGraphMl(const std::string &path, const Problem &problem);

/// Its resource model: latency, instances (-1: enough) and blocking time of every resource, and one
/// unlimited resource for each kind of operation that needs no unit.
llvm::Error writeResourceXml(const std::string &path, const Problem &problem);

/// Lines `vertex;cycle;functional_unit`: the vertex by name or number; the unit as number of the
/// instance, with or without a name before (`mulf_f64_0`), empty or - where there is none; several
/// with commas. A first line `vertex;…` and lines with # are skipped. Without an interval (0) the
/// smallest one is taken for which the schedule holds. Input errors: place of the line, vertices
/// that are unknown, missing or given twice, and any condition of the problem that is broken.
llvm::Expected<Schedule> readExternalSchedule(const std::string &path, const Problem &problem,
                                              unsigned interval = 0);

/// The same lines from a schedule of ours.
llvm::Error writeExternalSchedule(const std::string &path, const Problem &problem,
                                  const Schedule &schedule);

} // namespace spindle::hls
