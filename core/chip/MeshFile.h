// A mesh inside of other files: {"columns": 4, "rows": 2}, a torus with "wraps": true.
#pragma once

#include "core/chip/Mesh.h"
#include "core/support/formats/JsonValues.h"

namespace spindle {

inline Json meshToJson(const Mesh &mesh) {
  Json json = {{"columns", mesh.columns}, {"rows", mesh.rows}};
  if (mesh.wraps)
    json["wraps"] = true;
  return json;
}

/// Throws as the values do.
inline Mesh meshFromJson(const Json &json) {
  return {unsignedAt<uint32_t>(json, "columns"), unsignedAt<uint32_t>(json, "rows"),
          flagOr(json, "wraps", false)};
}

} // namespace spindle
