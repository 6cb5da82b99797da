// The time-lapse against what the simulation counts as a whole, against simulations of the steps
// before, and against the log of packets.
#include "sim/model/ChipSimulation.h"

#include "core/chip/routing/GatedParts.h"
#include "tests/sim/ChipCase.h"

#include "gmock/gmock.h"

#include <numeric>

using namespace spindle;

namespace {

struct Watched {
  ChipStats stats;
  TimeLapse lapse;
  PacketLog log;
};

Watched watch(const ChipCase &given) {
  Watched made;
  made.stats = llvm::cantFail(simulateChip(given.clustering, given.mapping, given.trace, given.chip,
                                           {}, {}, {.log = &made.log, .lapse = &made.lapse}));
  return made;
}

/// A chip of any kind: topology, joined chips, routers that sleep, multicast, time.
ChipCase drawCase(uint64_t seed, size_t samples) {
  CounterRandom draw(seed, 7);
  const Mesh meshes[] = {{4, 4},
                         {5, 3, Topology::Torus},
                         {4, 3, Topology::Tree},
                         {4, 4, Topology::SegmentedBus},
                         {6, 2, Topology::Mesh, {3, 8}}};
  ChipCase given = ChipCase::random(seed, meshes[seed % 5], 2, 12);
  given.trace.recorded.resize(samples);
  given.chip.synchronisation = static_cast<Synchronisation>(draw.below(3));
  if (given.chip.synchronisation == Synchronisation::Free)
    given.chip.stepUs = {draw.below(2) == 0 ? 0.1 : 0.6, "clock"};
  given.chip.energy.leakageRouterMw = {0.5, "router"};
  given.chip.router.multicast = static_cast<Multicast>(draw.below(3));
  if (given.chip.mesh.isTree() || given.chip.mesh.isBus())
    given.chip.router.multicast = draw.below(2) == 0 ? Multicast::Unicast : Multicast::Tree;
  if (given.chip.mesh.isTree())
    given.chip.router.routing = Routing::XY;
  if (!given.chip.mesh.isBus() && draw.below(2) == 0) {
    given.chip.router.gating =
        Gating{draw.below(6), draw.below(9), static_cast<Granularity>(draw.below(4))};
    if (gatedParts(given.chip.router) > 0)
      given.chip.energy.leakagePortMw = {0.07, "port"};
    given.chip.energy.leakageGatedRouterMw = {0.125, "gated"};
    given.chip.energy.routerWakePj = {3, "wake"};
  }
  if (given.chip.mesh.topology == Topology::Mesh && draw.below(2) == 0) {
    for (Mesh *mesh : {&given.chip.mesh, &given.mapping.mesh})
      mesh->chipColumns = mesh->columns / 2, mesh->chipRows = mesh->rows;
    given.chip.router.chipLink = ChipLink{9, 2};
    given.chip.energy.chipLinkPj = {512, "chip link"};
  }
  return given;
}

uint64_t flitsOf(const TimeLapse &lapse, size_t frame) {
  const std::vector<uint64_t> &flits = lapse.frames[frame].linkFlits;
  return std::accumulate(flits.begin(), flits.end(), uint64_t(0));
}

std::map<std::pair<TileId, TileId>, uint64_t> linksOf(const TimeLapse &lapse) {
  std::map<std::pair<TileId, TileId>, uint64_t> flits;
  for (const LapseFrame &frame : lapse.frames)
    for (size_t l = 0; l < lapse.links.size(); ++l)
      if (frame.linkFlits[l] > 0)
        flits[{lapse.links[l].from, lapse.links[l].to}] += frame.linkFlits[l];
  return flits;
}

/// What each figure of the whole simulation is in all frames together.
TEST(LapseRecorder, FramesOfOneSampleAddUpToTheWhole) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    ChipCase given = drawCase(seed, 1);
    Watched made = watch(given);
    ASSERT_FALSE(made.lapse.frames.empty());
    EXPECT_EQ(made.lapse.frames.front().beginCycle, 0u);
    EXPECT_EQ(made.lapse.frames.back().endCycle, made.stats.cycles) << seed;
    std::map<std::pair<TileId, TileId>, uint64_t> links;
    for (const LinkLoad &link : made.stats.links)
      links[{link.from, link.to}] = link.flits;
    EXPECT_EQ(linksOf(made.lapse), links) << seed;
    for (TileId tile = 0; tile < given.chip.mesh.tiles(); ++tile) {
      double pj = 0;
      for (const LapseFrame &frame : made.lapse.frames)
        pj += frame.pj[tile];
      double whole = made.stats.tileDynamicPj[tile] + made.stats.tileClockPj[tile] +
                     made.stats.tileLeakagePj[tile];
      EXPECT_NEAR(pj, whole, 1e-9 * whole) << seed << ", tile " << tile;
    }
  }
}

/// Little's law: the time of a head from the spike to its target is spent at its source and at the
/// routers on its way.
TEST(LapseRecorder, HeadsAreSomewhereFromSourceToTarget) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    ChipCase given = drawCase(seed, seed % 2 == 0 ? 1 : 3);
    given.chip.router.multicast = Multicast::Unicast;
    Watched made = watch(given);
    const uint64_t end = made.lapse.frames.back().endCycle; // of the first sample
    uint64_t found = 0, expected = 0, waited = 0, sources = 0;
    for (const LapseFrame &frame : made.lapse.frames)
      for (TileId tile = 0; tile < given.chip.mesh.tiles(); ++tile) {
        found += frame.routerCycles[tile];
        sources += frame.sourceCycles[tile];
      }
    for (const Delivery &delivery : made.log.deliveries) {
      expected += std::min(delivery.headCycle, end) - std::min(delivery.injectedCycle, end);
      waited += std::min(delivery.injectedCycle, end) - std::min(delivery.madeCycle, end);
    }
    EXPECT_EQ(found, expected) << seed;
    EXPECT_EQ(sources, waited) << seed;
  }
}

/// With barriers a step is not touched by those after it.
TEST(LapseRecorder, FramesAreWhatEachStepAdds) {
  for (uint64_t seed = 0; seed < 6; ++seed) {
    ChipCase given = drawCase(5 * seed, 1);
    given.chip.synchronisation = Synchronisation::Barrier;
    given.chip.stepUs = {};
    TimeLapse lapse = watch(given).lapse;
    ASSERT_EQ(lapse.frames.size(), given.trace.steps);
    uint64_t before = 0;
    for (uint32_t step = 0; step < given.trace.steps; ++step) {
      ChipCase part = given;
      std::erase_if(part.trace.recorded[0], [&](const Spike &spike) { return spike.step > step; });
      uint64_t upTo = watch(part).stats.traffic.flitHops;
      EXPECT_EQ(flitsOf(lapse, step), upTo - before) << seed << ", step " << step;
      before = upTo;
    }
  }
}

/// Samples do not overlap there, and the first one is shown.
TEST(LapseRecorder, WithBarriersTheFirstSampleIsAsIfItWereAlone) {
  for (uint64_t seed = 0; seed < 10; ++seed) {
    ChipCase given = drawCase(seed, 3), alone = given;
    for (ChipCase *one : {&given, &alone}) {
      one->chip.synchronisation = Synchronisation::Barrier;
      one->chip.stepUs = {};
      one->chip.energy.leakageRouterMw = one->chip.energy.leakageGatedRouterMw = {};
      one->chip.router.gating.reset();
      one->chip.energy.routerWakePj = one->chip.energy.leakagePortMw = {};
    }
    alone.trace.recorded.resize(1);
    EXPECT_EQ(watch(given).lapse, watch(alone).lapse) << seed;
  }
}

/// Packets of spikes of the first sample, each with its way link by link, arrive as the log says.
TEST(LapseRecorder, WaysEndWhereAndWhenPacketsArrive) {
  for (uint64_t seed = 0; seed < 30; ++seed) {
    ChipCase given = drawCase(seed, seed % 2 == 0 ? 1 : 3);
    given.chip.router.spikePacketFlits = 1 + static_cast<uint32_t>(seed % 3);
    if (seed % 5 == 1)
      given.chip.latency.axonOutCycles = {2, "a packet after the other"};
    Watched made = watch(given);
    using Received = std::tuple<uint64_t, TileId, TileId, uint64_t, uint64_t, uint64_t>;
    std::multiset<Received> logged, shown;
    for (const Delivery &delivery : made.log.deliveries)
      if (const PacketOrigin &origin = made.log.packets.origins[delivery.packet];
          origin.kind == PacketKind::Spike && origin.sample == 0)
        logged.insert({delivery.madeCycle, delivery.source, delivery.target, delivery.injectedCycle,
                       delivery.headCycle, delivery.tailCycle});
    uint64_t hops = 0;
    for (const SpikeWay &spike : made.lapse.ways)
      for (const PacketWay &way : spike.packets) {
        hops += way.hops.size();
        for (const WayEnd &end : way.ends)
          shown.insert({way.madeCycle, way.source, end.tile, way.injectedCycle, end.headCycle,
                        end.tailCycle});
      }
    ASSERT_EQ(made.lapse.ways.size(), made.lapse.spikes) << seed; // few enough to show all
    EXPECT_EQ(shown, logged) << seed;
    EXPECT_GE(hops, made.lapse.spikes);
  }
}

/// Frames of a free-running chip end by the clock, and packets cross them.
TEST(LapseRecorder, PacketsOfAFreeRunningChipCrossFrames) {
  ChipCase given(ChipCase::pricedChip({4, 1}), 1, 1, 1, 6);
  given.clustering.units = {{1, 0, kNone}};
  given.clustering.clusters[0].axons = {{0, 1, 0}};
  given.mapping.placements = {{3, 0}};
  given.spike(0, 0, 0);
  given.spike(0, 1, 0);
  given.complete();
  given.chip.synchronisation = Synchronisation::Free;
  given.chip.stepUs = {0.01, "five cycles of 2 ns"};
  TimeLapse lapse = watch(given).lapse;
  ASSERT_EQ(lapse.ways.size(), 2u);
  for (size_t f = 0; f < lapse.frames.size(); ++f) {
    const LapseFrame &frame = lapse.frames[f];
    EXPECT_EQ(frame.beginCycle, 5 * f);
    std::vector<uint64_t> flits(lapse.links.size());
    uint64_t atRouters = 0; // of heads from their source on
    for (const SpikeWay &spike : lapse.ways) {
      const PacketWay &way = spike.packets[0];
      for (const WayHop &hop : way.hops)
        flits[hop.link] += frame.beginCycle <= hop.headCycle && hop.headCycle < frame.endCycle;
      uint64_t begin = std::max(way.injectedCycle, frame.beginCycle);
      uint64_t end = std::min(way.ends[0].headCycle, frame.endCycle);
      atRouters += end > begin ? end - begin : 0;
    }
    EXPECT_EQ(frame.linkFlits, flits) << f;
    EXPECT_EQ(std::accumulate(frame.routerCycles.begin(), frame.routerCycles.end(), uint64_t(0)),
              atRouters)
        << f;
  }
}

TEST(LapseRecorder, ManySlotsShareAFrame) {
  ChipCase given(ChipCase::pricedChip({2, 1}), 1, 1, 1, 150);
  given.clustering.units = {{1, 0, kNone}};
  given.clustering.clusters[0].axons = {{0, 1, 0}};
  given.mapping.placements = {{1, 0}};
  for (uint32_t step : {0u, 2u, 3u, 149u})
    given.spike(0, step, 0);
  given.complete();
  TimeLapse lapse = watch(given).lapse;
  EXPECT_EQ(lapse.slots, 150u);
  EXPECT_EQ(lapse.slotsPerFrame, 3u);
  ASSERT_EQ(lapse.frames.size(), 50u);
  EXPECT_EQ(flitsOf(lapse, 0), 2u);
  EXPECT_EQ(flitsOf(lapse, 1), 1u);
  EXPECT_EQ(flitsOf(lapse, 49), 1u);
}

/// Layers of a pipeline without time for columns: slots without a spike take no cycles.
TEST(LapseRecorder, FramesWithoutCyclesAreAsWarmAsTheirNeighbours) {
  ChipCase given(ChipCase::pricedChip({2, 1}), 1, 1, 1, 4);
  given.clustering.units = {{1, 0, kNone}};
  given.clustering.clusters[0].axons = {{0, 1, 0}};
  given.mapping.placements = {{1, 0}};
  given.chip.synchronisation = Synchronisation::Pipeline;
  given.chip.latency.neuronUpdateCycles = {0, "none"};
  given.chip.thermal = Thermal{{25, "room"}, {40, "sink"}, {20, "silicon"}};
  given.spike(0, 1, 0);
  given.complete();
  TimeLapse lapse = watch(given).lapse;
  ASSERT_EQ(lapse.frames[0].endCycle, 0u);
  ASSERT_GT(lapse.frames[1].endCycle, 0u);
  ASSERT_EQ(lapse.frames[2].endCycle, lapse.frames[1].endCycle);
  for (const LapseFrame &frame : lapse.frames)
    EXPECT_EQ(frame.celsius, lapse.frames[1].celsius);
  given.trace.recorded[0].clear();
  std::fill(given.trace.counts.begin(), given.trace.counts.end(), 0u);
  EXPECT_THAT(watch(given).lapse.frames[3].celsius, ::testing::ElementsAre(25, 25));
}

/// A frame of constant power is as warm as the chip is in all.
TEST(LapseRecorder, FramesHaveTheTemperatureOfTheirPower) {
  ChipCase given = drawCase(0, 1);
  given.chip.synchronisation = Synchronisation::Barrier;
  given.chip.stepUs = {};
  given.chip.thermal = Thermal{{25, "room"}, {40, "sink"}, {20, "silicon"}};
  given.trace.recorded[0].clear(); // every step is as the next
  std::fill(given.trace.counts.begin(), given.trace.counts.end(), 0u);
  Watched made = watch(given);
  for (const LapseFrame &frame : made.lapse.frames)
    for (TileId tile = 0; tile < given.chip.mesh.tiles(); ++tile)
      EXPECT_NEAR(frame.celsius[tile], made.stats.tileCelsius[tile], 1e-9);
}

} // namespace
