// A checker for the keywords of JSON Schema that docs/report.schema.json uses.
#pragma once

#include "core/support/formats/Json.h"

#include <string>
#include <vector>

namespace spindle {

/// Every place where `value` breaks `schema`, as `/pointer: reason`; empty when it is valid. A
/// keyword of the schema that is not known here is reported too.
std::vector<std::string> schemaProblems(const Json &schema, const Json &value);

} // namespace spindle
