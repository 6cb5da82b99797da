// What a search for a conversion found, in JSON: for its stage file and the report.
#pragma once

#include "core/network/Evaluation.h"
#include "core/support/formats/Json.h"

namespace spindle {

/// `{"samples": 500, "loss_points": 0.2, "margin_points": 0.1, "proven": true, "tried": 30}`, and
/// `unproven` where there is one.
Json heldOutToJson(const ConversionSummary::HeldOut &heldOut);
/// Throws the JSON library's exceptions: call it inside `parseJson`.
ConversionSummary::HeldOut heldOutFromJson(const Json &json);

} // namespace spindle
