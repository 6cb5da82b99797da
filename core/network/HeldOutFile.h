// What a search for a conversion found, in JSON: for its stage file and the report.
#pragma once

#include "core/network/Evaluation.h"
#include "core/support/formats/JsonMapping.h"

namespace spindle {

void describe(auto &file, MaybeConst<ConversionSummary::HeldOut::Unproven> auto &unproven) {
  file.field("steps", unproven.steps);
  file.field("loss_points", unproven.lossPoints);
  file.field("margin_points", unproven.marginPoints);
}

void describe(auto &file, MaybeConst<ConversionSummary::HeldOut> auto &heldOut) {
  file.field("samples", heldOut.samples);
  file.field("loss_points", heldOut.lossPoints);
  file.field("margin_points", heldOut.marginPoints);
  file.field("proven", heldOut.proven);
  file.field("tried", heldOut.tried);
  file.optional("unproven", heldOut.unproven);
}

} // namespace spindle
