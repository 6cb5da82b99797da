// What the page of a report draws beyond its numbers: raster, intervals, traffic, mesh. Sizes are
// bounded, so that the page of a large network stays below about two megabytes.
#pragma once

#include "core/support/formats/Json.h"
#include "lib/report/StageFiles.h"

namespace spindle {

/// Most spikes drawn, most neurons per population, most rows and columns of the traffic map, and
/// most tiles of a mesh with its links.
struct FigureLimits {
  size_t rasterSpikes = 60000;
  uint32_t rasterNeurons = 400;
  uint32_t trafficBins = 128;
  uint32_t wholeMeshTiles = 256;
  uint32_t meshTiles = 4096;
};

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

/// Loads of a small mesh, or of the part of a large one that is in use: {source, columns, rows,
/// first_column, first_row, layers: [{name, values}], links: [from, to, flits, …], has_links,
/// routers: [[column, row], …] of those of a tree behind the tiles},
/// indices within that part. From the simulation where there is one, else planned from the routes.
Json meshFigure(const std::optional<Mapping> &mapping, const std::optional<Clustering> &clusters,
                const std::optional<ChipStats> &chip, const FigureLimits &limits);

/// All figures whose stages are there, by the names raster, intervals, traffic, mesh.
Json buildFigures(const StageFiles &files, const FigureLimits &limits = {});

} // namespace spindle
