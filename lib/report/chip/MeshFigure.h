// Loads of tiles and links, over a whole run.
#pragma once

#include "core/chip/ChipStats.h"
#include "core/chip/Clustering.h"
#include "core/chip/Mapping.h"
#include "core/support/formats/Json.h"
#include "lib/report/FigureLimits.h"

#include <optional>

namespace spindle {

/// Loads of a small mesh, or of the part of a large one that is in use: {source, columns, rows,
/// first_column, first_row, layers: [{name, values}], links: [from, to, flits, …], has_links,
/// routers: [[column, row], …] of those of a tree behind the tiles},
/// indices within that part. From the simulation where there is one, else planned from the routes.
Json meshFigure(const std::optional<Mapping> &mapping, const std::optional<Clustering> &clusters,
                const std::optional<ChipStats> &chip, const FigureLimits &limits);

} // namespace spindle
