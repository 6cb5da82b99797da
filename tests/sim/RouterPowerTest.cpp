// Routers that sleep: one by one in every cycle, and packets through a mesh of them.
#include "sim/model/router/RouterPower.h"

#include "core/support/CounterRandom.h"
#include "sim/model/router/MeshNetwork.h"

#include "gmock/gmock.h"

#include <algorithm>

using namespace spindle;

namespace {

/// A router by the clock: what it is in each cycle follows from the cycle before.
struct ClockedRouter {
  enum { Asleep, Waking, Awake } state = Asleep;
  uint32_t flits = 0, idle = 0, left = 0; // cycles without a flit; to wake
  uint64_t onCycles = 0, wakes = 0;

  /// A cycle in which so many flits are sent to it and so many leave it.
  void tick(uint32_t come, uint32_t leave, const Gating &gating) {
    if (state == Asleep && come > 0) {
      state = Waking;
      left = gating.wakeCycles;
      ++wakes;
    }
    onCycles += state != Asleep;
    if (state == Waking && (left == 0 || --left == 0))
      state = Awake;
    flits += come;
    flits -= leave;
    if (flits > 0 || come > 0 || leave > 0)
      idle = 0;
    else if (state == Awake && ++idle == gating.idleCycles)
      state = Asleep;
    if (state == Awake && flits == 0 && gating.idleCycles == 0)
      state = Asleep;
  }
};

/// Two input buffers, of as many flits and channels as drawn; the whole, and each part that sleeps
/// by itself, is a clocked router with the flits in it.
TEST(RouterPower, IsWhatAClockedRouterIs) {
  for (uint64_t seed = 0; seed < 400; ++seed) {
    CounterRandom draw(seed);
    Gating gating{draw.below(6), draw.below(9), static_cast<Granularity>(seed % 4)};
    Router router{
        .bufferFlits = 1 + draw.below(4), .virtualChannels = 1 + draw.below(3), .gating = gating};
    const uint32_t perPort = router.bufferFlits * router.virtualChannels;
    const uint32_t perPart[] = {0, perPort, router.bufferFlits, 1};
    const uint32_t partFlits = perPart[seed % 4];
    RouterPower power(router, 2);
    ClockedRouter whole;
    std::vector<ClockedRouter> parts(partFlits == 0 ? 0 : kPorts * perPort / partFlits);
    struct Inside {
      uint32_t place;
      uint64_t worked; // from which cycle on
    };
    std::vector<Inside> inside;
    uint64_t waited = 0, rarely = 1 + draw.below(30);
    for (uint64_t cycle = 0; cycle < 400; ++cycle) {
      uint32_t come = 0, leave = 0;
      std::vector<uint32_t> comeTo(parts.size()), leaveFrom(parts.size());
      for (; draw.below(static_cast<uint32_t>(rarely)) == 0 && come < 3; ++come) {
        uint64_t arrival = cycle + 1 + draw.below(4);
        uint32_t place = draw.below(2 * perPort);
        inside.push_back({place, power.come(1, place, cycle, arrival)});
        waited += inside.back().worked - arrival;
        if (partFlits > 0)
          ++comeTo[place / partFlits];
      }
      for (size_t flit = 0; flit < inside.size();)
        if (inside[flit].worked <= cycle && draw.below(2) == 0) {
          power.leave(1, inside[flit].place, cycle);
          ++leave;
          if (partFlits > 0)
            ++leaveFrom[inside[flit].place / partFlits];
          inside.erase(inside.begin() + static_cast<ptrdiff_t>(flit));
        } else {
          ++flit;
        }
      whole.tick(come, leave, gating);
      uint64_t partOnCycles = 0, partWakes = 0;
      for (size_t part = 0; part < parts.size(); ++part) {
        parts[part].tick(comeTo[part], leaveFrom[part], gating);
        partOnCycles += parts[part].onCycles;
        partWakes += parts[part].wakes;
        ASSERT_TRUE(parts[part].state == ClockedRouter::Asleep ||
                    whole.state != ClockedRouter::Asleep);
      }
      GatingUse use = power.use(cycle + 1);
      ASSERT_EQ(use.onCycles, whole.onCycles) << "seed " << seed << " cycle " << cycle;
      ASSERT_EQ(use.wakes, whole.wakes);
      ASSERT_EQ(use.waitCycles, waited);
      ASSERT_EQ(use.partOnCycles, partOnCycles) << "seed " << seed << " cycle " << cycle;
      ASSERT_EQ(use.partWakes, partWakes);
    }
  }
}

/// Places of flits that wake at once and sleep at once are on for a flit from the cycle in which it
/// is sent to them until the one in which it leaves.
TEST(RouterPower, PlacesAreOnForTheirFlits) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    CounterRandom draw(seed);
    Mesh mesh{2 + draw.below(5), 1 + draw.below(6)};
    Router router{.pipelineCycles = 3 + draw.below(3),
                  .bufferFlits = 2 + draw.below(5),
                  .virtualChannels = 1 + draw.below(3),
                  .gating = Gating{0, 0, Granularity::Flit}};
    RouterTiming timing(router);
    MeshNetwork network(mesh, router);
    uint64_t cycle = 0, expected = 0;
    for (int n = 0; n < 300; ++n, cycle += draw.below(12)) {
      uint32_t flits = 1 + draw.below(5);
      TileId from = draw.below(mesh.tiles()), to = draw.below(mesh.tiles());
      network.send(from, to, flits, cycle);
      expected += flits * (timing.inject + 1);
      expected += flits * mesh.hops(from, to) * (timing.link.forward + 1);
    }
    network.drain();
    expected += network.bufferUse().flitCycles;
    EXPECT_EQ(network.gatingUse(1'000'000).partOnCycles, expected) << seed;
  }
}

/// What is alone wakes every router on its way; the wake is told `inject` and `forward` cycles
/// ahead.
TEST(RouterPower, OnePacketWakesEveryRouterOnItsWay) {
  Mesh mesh{5, 4};
  for (uint32_t pipelineCycles : {2, 3, 6})
    for (uint32_t wakeCycles : {0, 1, 2, 3, 8, 40}) {
      Router router{.pipelineCycles = pipelineCycles, .gating = Gating{4, wakeCycles}};
      RouterTiming timing(router);
      MeshNetwork network(mesh, router);
      uint64_t madeCycle = 0, waits = 0, wakes = 0;
      for (TileId from = 0; from < mesh.tiles(); ++from)
        for (TileId to = 0; to < mesh.tiles(); ++to, madeCycle += 2000)
          network.send(from, to, 1, madeCycle);
      network.drain();
      for (const Packet &packet : network.packets()) {
        uint32_t hops = mesh.hops(packet.source, packet.target);
        uint64_t first = wakeCycles - std::min(wakeCycles, timing.inject);
        uint64_t next = wakeCycles - std::min(wakeCycles, timing.link.forward);
        ASSERT_EQ(packet.headCycle - packet.madeCycle,
                  headLatencyCycles(router, hops) + first + hops * next);
        waits += first + hops * next;
        wakes += hops + 1;
      }
      GatingUse use = network.gatingUse(madeCycle);
      EXPECT_EQ(use.waitCycles, waits);
      EXPECT_EQ(use.wakes, wakes);
    }
}

/// A router that wakes at once changes no cycle, and is on for as long as it has flits and the idle
/// cycles behind them; the longer those are, the fewer wakes there are.
TEST(RouterPower, WakingAtOnceChangesNoCycle) {
  for (uint64_t seed = 0; seed < 16; ++seed) {
    CounterRandom draw(seed);
    Mesh mesh{1 + draw.below(6), 1 + draw.below(6)};
    Router plain{.virtualChannels = 1 + draw.below(3)};
    const auto granularity = static_cast<Granularity>(seed % 4);
    std::optional<GatingUse> before;
    for (uint32_t idleCycles : {0, 3, 20, 100'000}) {
      Router gated = plain;
      gated.gating = Gating{idleCycles, 0, granularity};
      MeshNetwork expected(mesh, plain), found(mesh, gated);
      CounterRandom packets(seed + 100);
      uint64_t cycle = 0;
      for (int n = 0; n < 300; ++n, cycle += packets.below(12)) {
        TileId from = packets.below(mesh.tiles()), to = packets.below(mesh.tiles());
        uint32_t flits = 1 + packets.below(5);
        expected.send(from, to, flits, cycle);
        found.send(from, to, flits, cycle);
      }
      expected.drain();
      found.drain();
      uint64_t end = 0, routers = 0;
      for (size_t n = 0; n < 300; ++n) {
        ASSERT_EQ(found.packets()[n].tailCycle, expected.packets()[n].tailCycle);
        end = std::max(end, found.packets()[n].tailCycle);
      }
      for (TileId tile = 0; tile < mesh.tiles(); ++tile) {
        uint64_t flits = 0;
        for (uint32_t port = 0; port < kPorts; ++port)
          flits += found.linkFlits(tile, port);
        routers += flits > 0;
      }
      GatingUse use = found.gatingUse(end + 1);
      EXPECT_EQ(use.waitCycles, 0u);
      EXPECT_EQ(found.bufferUse(), expected.bufferUse());
      EXPECT_GE(use.wakes, routers);
      EXPECT_LE(use.onCycles, routers * (end + 1));
      EXPECT_LE(use.partOnCycles, gatedParts(gated) * use.onCycles);
      EXPECT_EQ(use.partOnCycles > 0, granularity != Granularity::Router);
      if (idleCycles == 100'000) {
        EXPECT_EQ(use.wakes, routers);
      }
      if (before) {
        EXPECT_LE(use.wakes, before->wakes);
        EXPECT_GE(use.onCycles, before->onCycles);
      }
      before = use;
    }
  }
}

} // namespace
