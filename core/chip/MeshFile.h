// A mesh inside of other files: {"columns": 4, "rows": 2}, a torus with "wraps": true, a host that
// enters elsewhere than at tile 0 with "host": [3, 7].
#pragma once

#include "core/chip/Mesh.h"
#include "core/support/formats/JsonMapping.h"

namespace spindle {

void describe(auto &file, MaybeConst<Mesh> auto &mesh) {
  file.field("columns", mesh.columns);
  file.field("rows", mesh.rows);
  file.fieldUnless("wraps", mesh.wraps, false);
  file.fieldUnless("host", mesh.hostTiles, {0});
}

} // namespace spindle
