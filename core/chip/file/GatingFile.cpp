#include "core/chip/file/GatingFile.h"

#include "core/chip/file/SourcedFigures.h"
#include "core/chip/routing/GatedParts.h"
#include "core/support/formats/Yaml.h"

#include "fmt/format.h"

namespace spindle {

void readGating(YamlReader &reader, std::optional<Gating> &gating) {
  if (!reader.has("gating")) {
    reader.section("gating"); // known, and absent
    return;
  }
  YamlReader section = reader.section("gating");
  gating.emplace();
  readCount(section, "idle_cycles", gating->idleCycles, 0, 1'000'000);
  readCount(section, "wake_cycles", gating->wakeCycles, 0, 1000);
  section.readEnum("granularity", gating->granularity, kGranularityNames);
}

/// The buffers of all ports leak no more than the router that they are part of.
static void checkParts(YamlReader &reader, const Chip &chip) {
  const EnergyTable &energy = chip.energy;
  const bool hasParts = gatedParts(chip.router) > 0;
  if (hasParts && energy.leakagePortMw.source.empty())
    return reader.fail("router",
                       fmt::format("router.gating of granularity {} switches off what "
                                   "energy.leakage_port_mw prices, and that is absent; add it, or "
                                   "use granularity router",
                                   kGranularityNames[size_t(chip.router.gating->granularity)]));
  if (!hasParts && !energy.leakagePortMw.source.empty())
    return reader.fail("energy", "leakage_port_mw prices what is switched off by itself; give "
                                 "router.gating the granularity port, channel or flit, or leave it "
                                 "out");
  if (double(kPorts) * energy.leakagePortMw.value > energy.leakageRouterMw.value)
    reader.fail(
        "energy",
        fmt::format("leakage_port_mw is {}, and the {} ports of a router together leak more "
                    "than the {} of it (leakage_router_mw)",
                    energy.leakagePortMw.value, uint32_t(kPorts), energy.leakageRouterMw.value));
}

void checkGating(YamlReader &reader, const Chip &chip) {
  const EnergyTable &energy = chip.energy;
  if (chip.mesh.isBus() && !energy.leakageRouterMw.source.empty())
    return reader.fail("energy", "leakage_router_mw prices routers, and a bus has none (topology "
                                 "segmented_bus); leave it out, or give it to leakage_tile_mw");
  bool isGated = chip.router.gating.has_value();
  if (isGated && energy.leakageRouterMw.source.empty())
    return reader.fail("router", "router.gating switches off what energy.leakage_router_mw prices, "
                                 "and that is absent; add it, or leave gating out");
  if (!isGated &&
      !(energy.leakageGatedRouterMw.source.empty() && energy.routerWakePj.source.empty()))
    return reader.fail("energy",
                       "leakage_gated_router_mw and router_wake_pj price routers that are "
                       "switched off; add router.gating, or leave them out");
  if (energy.leakageGatedRouterMw.value > energy.leakageRouterMw.value)
    return reader.fail(
        "energy", fmt::format("leakage_gated_router_mw is {}, more than the {} of a router "
                              "that is on (leakage_router_mw)",
                              energy.leakageGatedRouterMw.value, energy.leakageRouterMw.value));
  checkParts(reader, chip);
}

} // namespace spindle
