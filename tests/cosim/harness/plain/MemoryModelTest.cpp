#include "hw/cosim/harness/plain/MemoryModel.h"

#include "gmock/gmock.h"

using namespace spindle::hls;
using testing::Optional;

namespace {

/// One bank of two ports; what Verilator would hold.
struct Port {
  uint8_t enable = 0, write = 0;
  uint16_t address = 0;
  uint32_t writeData = 0, readData = 0;
  PortPins pins() {
    return {pinOf(enable), pinOf(write), pinOf(address), pinOf(writeData), pinOf(readData)};
  }
};

struct TwoPorts {
  Port ports[2];
  MemoryPins pins;
  explicit TwoPorts(uint32_t readLatency = 1, size_t words = 8) {
    pins.name = "arg0";
    pins.words = words;
    pins.mask = 0xffffffff;
    pins.readLatency = readLatency;
    pins.banks = {{ports[0].pins(), ports[1].pins()}};
  }
  void access(int port, bool isWrite, uint16_t address, uint32_t data = 0) {
    ports[port] = {1, isWrite, address, data, ports[port].readData};
  }
  void rest() { ports[0].enable = ports[1].enable = 0; }
};

TEST(MemoryModel, DataIsThereForOneCycle) {
  for (uint32_t latency : {1u, 2u, 3u}) {
    TwoPorts memory(latency);
    MemoryModel model(memory.pins, 1);
    model.load({10, 11, 12, 13, 14, 15, 16, 17});
    memory.access(0, false, 5);
    for (uint32_t cycle = 1; cycle <= 5; ++cycle) {
      EXPECT_EQ(model.sample(cycle, true), std::nullopt);
      model.drive();
      EXPECT_EQ(memory.ports[0].readData == 15, cycle == latency) << latency << " " << cycle;
      memory.rest();
    }
  }
}

TEST(MemoryModel, WritesAreSeenInTheNextCycle) {
  TwoPorts memory;
  MemoryModel model(memory.pins, 1);
  model.load(Words(8, 0));
  memory.access(1, true, 3, 99);
  EXPECT_EQ(model.sample(7, true), std::nullopt);
  memory.rest();
  memory.access(0, false, 3);
  EXPECT_EQ(model.sample(8, true), std::nullopt);
  model.drive();
  EXPECT_EQ(memory.ports[0].readData, 99u);
  EXPECT_EQ(model.contents()[3], 99u);
  EXPECT_EQ(model.lastWrites()[3], 7u);
  EXPECT_EQ(model.lastWrites()[2], kNever);
  EXPECT_EQ(model.reads(), 1u);
  EXPECT_EQ(model.writes(), 1u);
  EXPECT_EQ(model.lastAccess(10), "port 0 of bank 0 reads word 3 2 cycles ago");
}

TEST(MemoryModel, BreachesAreNamed) {
  struct Case {
    bool write0, write1;
    uint16_t address0, address1;
    std::optional<std::string> problem;
  };
  const Case cases[] = {
      {false, false, 4, 4, std::nullopt},
      {true, true, 4, 5, std::nullopt},
      {false, true, 4, 4,
       "arg0: port 1 of bank 0 writes word 4, which port 0 reads in the same cycle"},
      {true, false, 4, 4,
       "arg0: port 1 of bank 0 reads word 4, which port 0 writes in the same cycle"},
      {true, true, 4, 4,
       "arg0: port 1 of bank 0 writes word 4, which port 0 writes in the same cycle"},
      {true, false, 8, 4, "arg0: port 0 of bank 0 writes word 8, expected 0 to 7"},
      {false, false, 1, 9, "arg0: port 1 of bank 0 reads word 9, expected 0 to 7"}};
  for (const Case &each : cases) {
    TwoPorts memory;
    MemoryModel model(memory.pins, 1);
    memory.access(0, each.write0, each.address0);
    memory.access(1, each.write1, each.address1);
    EXPECT_EQ(model.sample(1, true), each.problem);
  }
}

TEST(MemoryModel, WritesOfTheIdleAndIntoWhatIsReadOnlyAreBreaches) {
  TwoPorts memory;
  memory.pins.isWritten = false;
  MemoryModel model(memory.pins, 1);
  memory.access(0, true, 2);
  EXPECT_THAT(
      model.sample(1, false),
      Optional(std::string("arg0: port 0 of bank 0 writes word 2 while no run is under way")));
  EXPECT_THAT(model.sample(1, true),
              Optional(std::string(
                  "arg0: port 0 of bank 0 writes word 2, but the kernel only reads this array")));
  memory.access(0, false, 200); // nobody looks at what an idle kernel reads
  EXPECT_EQ(model.sample(1, false), std::nullopt);
}

} // namespace
