// A mesh inside of other files: {"columns": 4, "rows": 2}, a torus with "wraps": true.
#pragma once

#include "core/chip/Mesh.h"
#include "core/support/formats/JsonMapping.h"

namespace spindle {

void describe(auto &file, MaybeConst<Mesh> auto &mesh) {
  file.field("columns", mesh.columns);
  file.field("rows", mesh.rows);
  file.fieldUnless("wraps", mesh.wraps, false);
}

} // namespace spindle
