#include "core/network/HeldOutFile.h"

#include "core/support/formats/JsonValues.h"

namespace spindle {

Json heldOutToJson(const ConversionSummary::HeldOut &heldOut) {
  Json json = {{"samples", heldOut.samples},
               {"loss_points", heldOut.lossPoints},
               {"margin_points", heldOut.marginPoints},
               {"proven", heldOut.proven},
               {"tried", heldOut.tried}};
  if (const auto &unproven = heldOut.unproven)
    json["unproven"] = {{"steps", unproven->steps},
                        {"loss_points", unproven->lossPoints},
                        {"margin_points", unproven->marginPoints}};
  return json;
}

ConversionSummary::HeldOut heldOutFromJson(const Json &json) {
  ConversionSummary::HeldOut heldOut;
  heldOut.samples = unsignedAt<uint64_t>(json, "samples");
  heldOut.lossPoints = numberAt(json, "loss_points");
  heldOut.marginPoints = numberAt(json, "margin_points");
  heldOut.proven = flagAt(json, "proven");
  heldOut.tried = unsignedAt<uint64_t>(json, "tried");
  if (json.contains("unproven")) {
    const Json &unproven = memberAt(json, "unproven");
    heldOut.unproven = {unsignedAt<uint64_t>(unproven, "steps"), numberAt(unproven, "loss_points"),
                        numberAt(unproven, "margin_points")};
  }
  return heldOut;
}

} // namespace spindle
