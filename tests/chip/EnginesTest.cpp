// The engines of SystemC against the model: the same cycle for every packet. Each of them runs in a
// process of its own, since a kernel is elaborated once.
#include "sim/chip/Engines.h"

#include "core/chip/routing/ChannelDependences.h"
#include "core/support/CounterRandom.h"
#include "core/support/files/RunApart.h"
#include "sim/model/Replay.h"
#include "sim/model/router/MeshNetwork.h"
#include "tests/sim/ChipCase.h"

#include "fmt/format.h"
#include "gmock/gmock.h"

#include <array>
#include <cstdio>

using namespace spindle;
using ::testing::HasSubstr;

namespace {

/// What a child process finds different; empty where nothing is.
std::string differencesApart(llvm::function_ref<std::string()> find) {
  llvm::Expected<std::string> found =
      runApart({"test", "the engine", ""}, [&](const Refusal &) { return find(); });
  return found ? *found : toText(found.takeError());
}

std::string textOf(const Delivery &d) {
  return fmt::format("packet {} {}->{} of {} flits made {} injected {} head {} tail {}", d.packet,
                     d.source, d.target, d.flits, d.madeCycle, d.injectedCycle, d.headCycle,
                     d.tailCycle);
}

template <typename Value>
std::string differences(llvm::Expected<Value> found, llvm::Expected<Value> expected) {
  if (!found)
    return toText(found.takeError());
  if (!expected)
    return toText(expected.takeError());
  return *found == *expected ? "" : "other results";
}

std::string replayDifferences(Engine engine, const Chip &chip, const PacketTrace &trace,
                              const std::vector<WatchedLink> &watched) {
  return differencesApart([&]() -> std::string {
    std::vector<LinkFlit> ourFlits, theirFlits;
    auto network = makeNetwork(engine, chip);
    if (!network)
      return toText(network.takeError());
    auto found = replay(trace, chip, watched, &ourFlits, network->get());
    auto expected = replay(trace, chip, watched, &theirFlits);
    if (!found || !expected)
      return toText(!found ? found.takeError() : expected.takeError());
    for (size_t i = 0; i < expected->size(); ++i)
      if (!(found->at(i) == expected->at(i)))
        return textOf(found->at(i)) + ", expected " + textOf(expected->at(i));
    if (vcdText(watched, ourFlits) != vcdText(watched, theirFlits))
      return "other flits on the watched links";
    std::unique_ptr<ClockedNetwork> model = makeModel(chip.mesh, chip.router);
    llvm::cantFail(replay(trace, chip, {}, nullptr, model.get()));
    if (!((*network)->bufferUse() == model->bufferUse()))
      return "other cycles of flits in buffers";
    uint64_t end = expected->empty() ? 0 : expected->back().tailCycle;
    if (!((*network)->gatingUse(end) == model->gatingUse(end)))
      return "other cycles of routers that sleep";
    for (TileId tile = 0; tile < chip.mesh.routers(); ++tile)
      for (uint32_t port = 0; port < kPorts; ++port)
        if ((*network)->linkFlits(tile, port) != model->linkFlits(tile, port))
          return fmt::format("other flits of tile {} port {}", tile, port);
    return "";
  });
}

/// A chip and packets drawn from a seed, over all that a router file may say.
struct DrawnCase {
  Chip chip;
  PacketTrace trace;
  std::vector<WatchedLink> watched;
};

DrawnCase drawCase(uint64_t seed, bool forPins) {
  CounterRandom draw(seed);
  auto between = [&](uint32_t least, uint32_t most) {
    return least + draw.below(most - least + 1);
  };
  DrawnCase made;
  Router &router = made.chip.router;
  uint32_t longest = forPins ? 4 : 8;
  do {
    made.chip.mesh = {between(1, longest), between(1, longest)};
    if (draw.below(4) == 0)
      made.chip.mesh.topology = Topology::Torus;
    else if (!forPins && draw.below(3) == 0)
      made.chip.mesh.topology = draw.below(3) == 0 ? Topology::SegmentedBus : Topology::Tree;
    router = {};
    const bool isMesh = made.chip.mesh.topology == Topology::Mesh;
    if (!forPins && isMesh && draw.below(3) == 0) {
      Mesh &mesh = made.chip.mesh;
      mesh.chipColumns = mesh.columns % 2 == 0 ? mesh.columns / 2 : 1;
      mesh.chipRows = mesh.rows % 3 == 0 ? mesh.rows / 3 : mesh.rows;
      router.chipLink = ChipLink{between(1, 20), between(1, 4)};
    }
    if (made.chip.mesh.isGrid())
      router.routing = static_cast<Routing>(draw.below(7));
    router.bus = {between(1, 3), draw.below(9)};
    router.virtualChannels = between(leastChannels(router.routing, made.chip.mesh.topology), 6);
    router.bufferFlits = between(1, 16);
    router.linkIntervalCycles = draw.below(4) == 0 ? between(2, 3) : 1;
    router.endCycles = between(forPins ? 1 : 0, 5);
    router.allocator = static_cast<SwitchAllocation>(draw.below(2));
    router.adaptiveOptions = static_cast<AdaptiveOptions>(draw.below(2));
    router.pipelineCycles = between(1, 7);
    if (draw.below(3) == 0)
      router.stages = StageCycles{.routing = 0, .speculative = true};
    else if (draw.below(2) == 0)
      router.stages = StageCycles{.routing = between(0, 3),
                                  .channelAllocation = between(1, 3),
                                  .switchAllocation = between(1, 3),
                                  .switchTraversal = between(1, 3),
                                  .link = between(1, 4),
                                  .credit = between(0, 3)};
    if (!forPins && !made.chip.mesh.wraps() &&
        (router.routing == Routing::XY || router.routing == Routing::YX))
      router.multicast = static_cast<Multicast>(draw.below(isMesh ? 3 : 2));
    if (!forPins && !made.chip.mesh.isBus() && draw.below(3) == 0)
      router.gating =
          Gating{draw.below(9), draw.below(12), static_cast<Granularity>(draw.below(4))};
    for (uint32_t left = router.routing == Routing::UpDown ? draw.below(4) : 0; left > 0; --left) {
      TileId one = draw.below(made.chip.mesh.tiles());
      router.deadLinks.push_back({one, neighbourOf(made.chip.mesh, one, draw.below(kLocal))});
    }
  } while (llvm::errorToBool(checkDeadlockFree(made.chip)));
  uint32_t tiles = made.chip.mesh.tiles();
  // Longer packets may come to a standstill in adaptive channels.
  uint32_t mostFlits = router.routing == Routing::MinAdaptive ? 1 : between(1, 9);
  if (router.multicast != Multicast::Unicast)
    mostFlits = std::min(mostFlits, router.bufferFlits);
  uint64_t cycle = draw.below(3) == 0 ? 5000 : 0;
  uint32_t gap = between(0, 12);
  for (uint32_t left = between(1, 400); left > 0; --left) {
    TracedPacket packet{cycle, draw.below(tiles), {}, between(1, mostFlits)};
    bool isMulticast = router.multicast != Multicast::Unicast && draw.below(2) == 0;
    for (TileId target = 0; target < tiles && isMulticast; ++target)
      if (draw.below(4) == 0)
        packet.targets.push_back(target);
    if (packet.targets.empty())
      packet.targets.push_back(draw.below(tiles));
    made.trace.packets.push_back(packet);
    cycle += draw.below(gap + 1) / 4;
    cycle += draw.below(200) == 0 ? 9000 : 0; // over the end of a quantum
  }
  for (TileId tile = 0; tile < made.chip.mesh.routers() && made.watched.size() < 3; ++tile)
    for (uint32_t port = 0; port < kPorts; ++port)
      if (TileId to = neighbourOf(made.chip.mesh, tile, port);
          made.chip.mesh.hops(tile, to) == 1 && draw.below(3) == 0 &&
          (made.watched.empty() || !(made.watched.back() == WatchedLink{tile, to})))
        made.watched.push_back({tile, to});
  return made;
}

TEST(Engines, TransactionsTakeTheCyclesOfTheModel) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    DrawnCase drawn = drawCase(seed, false);
    ASSERT_EQ(replayDifferences(Engine::Tlm, drawn.chip, drawn.trace, drawn.watched), "")
        << "seed " << seed;
  }
}

/// A switch that takes several cycles and links that take others, neither a multiple of the other.
TEST(Engines, PinsKeepTheIntervalOfLinksBehindASlowSwitch) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    DrawnCase drawn = drawCase(seed, true);
    CounterRandom draw(seed);
    drawn.chip.router.stages = StageCycles{.routing = 1,
                                           .channelAllocation = 1,
                                           .switchAllocation = 1 + draw.below(2),
                                           .switchTraversal = 2 + draw.below(3),
                                           .link = 1 + draw.below(2),
                                           .credit = 1};
    drawn.chip.router.linkIntervalCycles = 1 + draw.below(4);
    EXPECT_EQ(replayDifferences(Engine::Pins, drawn.chip, drawn.trace, drawn.watched), "")
        << "seed " << seed;
  }
}

TEST(Engines, PinsTakeTheCyclesOfTheModel) {
  for (uint64_t seed = 0; seed < 120; ++seed) {
    DrawnCase drawn = drawCase(seed, true);
    EXPECT_EQ(replayDifferences(Engine::Pins, drawn.chip, drawn.trace, drawn.watched), "")
        << "seed " << seed;
  }
}

/// Batch after batch through one network, as the steps of a mapped network are.
TEST(Engines, MappedNetworksHaveTheSameFigures) {
  for (Engine engine : {Engine::Tlm, Engine::Pins})
    for (uint64_t seed = 0; seed < 6; ++seed) {
      Mesh mesh{4, 3};
      if (engine == Engine::Tlm && seed > 2)
        mesh.topology = seed == 3 ? Topology::SegmentedBus : Topology::Tree;
      ChipCase drawn = ChipCase::random(seed, mesh, 2, 16);
      drawn.chip.router.virtualChannels = 1 + seed % 3;
      if (engine == Engine::Tlm && seed % 2 == 1)
        drawn.chip.router.multicast = Multicast::Tree;
      EXPECT_EQ(differencesApart([&]() -> std::string {
                  auto network = makeNetwork(engine, drawn.chip);
                  if (!network)
                    return toText(network.takeError());
                  PacketLog ours, theirs;
                  TimeLapse ourLapse, theirLapse;
                  std::string found = differences(
                      simulateChip(drawn.clustering, drawn.mapping, drawn.trace, drawn.chip, {}, {},
                                   {.log = &ours, .lapse = &ourLapse, .network = network->get()}),
                      simulateChip(drawn.clustering, drawn.mapping, drawn.trace, drawn.chip, {}, {},
                                   {.log = &theirs, .lapse = &theirLapse}));
                  return found +
                         (ours.deliveries == theirs.deliveries ? "" : ", other deliveries") +
                         (ourLapse == theirLapse ? "" : ", another time-lapse");
                }),
                "")
          << kEngineNames[static_cast<size_t>(engine)] << ", seed " << seed;
    }
}

std::string refusal(Engine engine, const Chip &chip) {
  auto network = makeNetwork(engine, chip);
  return network ? "" : toText(network.takeError());
}

TEST(Engines, PinsSayWhatTheyDoNot) {
  Chip chip;
  chip.path = "chip.yaml";
  chip.mesh = {5, 4};
  EXPECT_EQ(refusal(Engine::Pins, chip),
            "chip.yaml: error: engine pins simulates up to 4x4 tiles, and the mesh is 5x4; use "
            "engine tlm or model");
  chip.mesh = {4, 4, Topology::Tree};
  EXPECT_EQ(refusal(Engine::Pins, chip),
            "chip.yaml: error: engine pins has the pins of a mesh or torus, and router.topology is "
            "tree; use engine tlm or model");
  chip.mesh = {4, 4};
  chip.router.multicast = Multicast::Tree;
  EXPECT_EQ(refusal(Engine::Pins, chip),
            "chip.yaml: error: the routers of engine pins do not branch, and multicast is tree; "
            "use engine tlm or model");
  chip.router = {.gating = Gating()};
  EXPECT_EQ(refusal(Engine::Pins, chip),
            "chip.yaml: error: the routers of engine pins have no wires to wake each other, and "
            "router.gating is there; use engine tlm or model");
  chip.router = {};
  chip.mesh.chipColumns = chip.mesh.chipRows = 2;
  EXPECT_EQ(refusal(Engine::Pins, chip),
            "chip.yaml: error: engine pins simulates one chip, and several are joined (chips); use "
            "engine tlm or model");
  chip.mesh.chipColumns = chip.mesh.chipRows = 0;
  chip.router = {.endCycles = 0};
  EXPECT_EQ(refusal(Engine::Pins, chip),
            "chip.yaml: error: engine pins has a register between tile and router, which takes a "
            "cycle, and end_cycles is 0; use engine tlm or model");
}

TEST(Engines, AProcessHasOneSimulation) {
  EXPECT_EQ(differencesApart([&]() -> std::string {
              auto first = makeNetwork(Engine::Tlm, {});
              std::string while_ = refusal(Engine::Pins, {});
              (*first)->drain();
              first->reset();
              std::string after = refusal(Engine::Tlm, {});
              return while_ == after ? after : while_ + after;
            }),
            "error: a process simulates with SystemC once, and this one has; use engine model, or "
            "another process");
}

/// What a command prints, on both streams.
std::string outputOf(const std::string &command) {
  std::string text;
  std::array<char, 256> part;
  FILE *pipe = popen((command + " 2>&1").c_str(), "r");
  while (size_t count = fread(part.data(), 1, part.size(), pipe))
    text.append(part.data(), count);
  EXPECT_EQ(pclose(pipe), 0);
  return text;
}

TEST(Engines, SystemCPrintsNothing) {
  EXPECT_EQ(outputOf(CHIP_PROGRAM), "");
  for (const char *engine : {" 0", " 1", " 2"})
    EXPECT_EQ(outputOf(CHIP_PROGRAM + std::string(engine)), "15\n"); // 7 + 2 + 2 · 3
}

} // namespace
