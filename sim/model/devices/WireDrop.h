// What the resistance of wires does to a crossbar.
#pragma once

#include "sim/model/devices/CellArray.h"

namespace spindle {

/// The current of each column per volt at each row, rows × columns, of an array with these
/// conductances, where a wire segment has `segment` times the resistance of a conductance of 1.
/// Rows are driven at column 0 and columns are read at 0 V below the last row, each over one
/// segment; rows that are not driven are at 0 V. So currents are sums over rows of what stands here
/// times their voltage, exactly: a network of resistors is linear.
///
/// Nodal analysis by blocks: the nodes of a row wire follow from those of the columns beside them,
/// the columns of one row from those of the next one. O(rows · columns³).
CellMatrix transferOf(const CellMatrix &conductances, double segment);

} // namespace spindle
