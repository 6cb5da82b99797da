// The mesh frame by frame, and spikes on their way.
#pragma once

#include "core/chip/lapse/TimeLapse.h"
#include "core/support/formats/Json.h"
#include "lib/report/FigureLimits.h"

namespace spindle {

/// Of more tiles than a mesh is drawn with its links for, the ways alone, without frames.
/// What MeshFigure.h gives of the mesh (mesh, columns, rows, first_column, first_row, routers), and
/// {source, clock_mhz, steps, slots, slots_per_frame, links: [from, to, …] that carry a
/// flit, layers: [name, …], frames: [{begin, end, flits per link, layers: [values per tile, …]}],
/// spikes, ways: [{layer, neuron, step, packets: [{source, made, injected, hops: [link, head, tail,
/// …], ends: [tile, head, tail, …]}]}]}; links by their place in `links`.
Json lapseFigure(const TimeLapse &lapse, const FigureLimits &limits);

} // namespace spindle
