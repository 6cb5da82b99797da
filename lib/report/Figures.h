// What the page of a report draws beyond its numbers: raster, intervals and traffic here, mesh and
// time-lapse in chip. Sizes are bounded, so that the page of a large network stays below about two
// megabytes.
#pragma once

#include "core/support/formats/Json.h"
#include "lib/report/FigureLimits.h"
#include "lib/report/StageFiles.h"

namespace spindle {

/// Spikes of the first recorded sample. A population too large to be drawn shows every `stride`-th
/// neuron: {steps, step_ms, spikes, populations: [{name, kind, neurons, stride, rows, spikes:
/// [step, row, …]}]}.
Json rasterFigure(const SpikeTrace &trace, const FigureLimits &limits);

/// Intervals between spikes: one bar per step where all are below 64 steps, else four for every
/// doubling: {source, step_ms, logarithmic, populations: [{name, from: [step, …], counts}]}. `from`
/// has one entry more than `counts`, the end of the last bar.
Json intervalFigure(const SpikeStatistics &statistics);

/// Packets between clusters; more clusters than bins are added up in bins of equal size: {clusters,
/// clusters_per_bin, bins, cells: [from, to, packets, …]}, from = -1 for the host.
Json trafficFigure(const Clustering &clusters, const FigureLimits &limits);

/// All figures whose stages are there, by the names raster, intervals, traffic, mesh, lapse.
Json buildFigures(const StageFiles &files, const FigureLimits &limits = {});

} // namespace spindle
