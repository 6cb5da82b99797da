// Runs scale.mlir behind one channel: errors of the memory, addresses that are no multiples of a
// word, answers that come after a reset.
#include "Vscale_axi.h"
#include "tests/hls/axi/BusModels.h"

constexpr unsigned rows = 5, columns = 3, elements = rows * columns, kWord = 8;
Vscale_axi circuit;
uint64_t cycles = 0;

/// Words of 64 bits, answers so many cycles later; it goes on while the circuit is reset.
struct Memory {
  static constexpr uint64_t latency = 20;
  struct Burst {
    uint64_t address, words, due;
  };
  std::map<uint64_t, uint8_t> bytes;
  std::deque<Burst> reads, writes;
  std::deque<uint64_t> answers;
  unsigned bursts = 0;
  bool failsReads = false, failsWrites = false;

  void drive() {
    circuit.mem0_arready = circuit.mem0_awready = circuit.mem0_wready = 1;
    bool reading = !reads.empty() && reads.front().due <= cycles;
    circuit.mem0_rvalid = reading;
    circuit.mem0_rdata = random64();
    circuit.mem0_rresp = failsReads && reading ? 2 : 0;
    circuit.mem0_rlast = reading && reads.front().words == 1;
    if (reading) {
      uint64_t word = 0;
      for (unsigned i = 0; i < kWord; ++i)
        word |= uint64_t(bytes[reads.front().address + i]) << 8 * i;
      circuit.mem0_rdata = word;
    }
    bool answering = !answers.empty() && answers.front() <= cycles;
    circuit.mem0_bvalid = answering;
    circuit.mem0_bresp = failsWrites && answering ? 2 : 0;
  }
  void see() {
    if (circuit.mem0_rvalid && circuit.mem0_rready) {
      reads.front().address += kWord;
      if (--reads.front().words == 0)
        reads.pop_front();
    }
    if (circuit.mem0_bvalid && circuit.mem0_bready)
      answers.pop_front();
    if (circuit.mem0_arvalid) {
      reads.push_back({circuit.mem0_araddr, circuit.mem0_arlen + 1u, cycles + latency});
      ++bursts;
    }
    if (circuit.mem0_awvalid) {
      writes.push_back({circuit.mem0_awaddr, circuit.mem0_awlen + 1u, 0});
      ++bursts;
    }
    if (!circuit.mem0_wvalid)
      return;
    if (writes.empty())
      fail("a word before its address");
    Burst &burst = writes.front();
    for (unsigned i = 0; i < kWord; ++i)
      if (circuit.mem0_wstrb >> i & 1)
        bytes[burst.address + i] = uint8_t(circuit.mem0_wdata >> 8 * i);
    burst.address += kWord;
    if (--burst.words > 0)
      return;
    writes.pop_front();
    answers.push_back(cycles + latency);
  }
} memory;

void tick() {
  memory.drive();
  circuit.clk = 0;
  circuit.eval();
  if (!circuit.rst)
    memory.see();
  circuit.clk = 1;
  circuit.eval();
  ++cycles;
}

void write(unsigned address, uint32_t data) {
  circuit.awaddr = address;
  circuit.wdata = data;
  circuit.wstrb = 15;
  circuit.awvalid = circuit.wvalid = 1;
  tick();
  circuit.awvalid = circuit.wvalid = 0;
  circuit.bready = 1;
  tick();
  circuit.bready = 0;
}

uint32_t read(unsigned address) {
  circuit.araddr = address;
  circuit.arvalid = 1;
  tick();
  circuit.arvalid = 0;
  circuit.rready = 1;
  circuit.clk = 0;
  circuit.eval();
  uint32_t data = circuit.rdata;
  tick();
  circuit.rready = 0;
  return data;
}

constexpr uint64_t source = 0x1000 - 16, target = 0x20000; // the first one lies across 4 KiB

struct Values {
  uint32_t x[elements], factor;
  uint8_t old[elements];
};

/// Begins a run on values of its own; bytes on either side belong to others.
Values begin(uint64_t astray0, uint64_t astray2) {
  Values values;
  values.factor = uint32_t(random64());
  memory.bytes.clear();
  for (unsigned i = 0; i < 64; ++i)
    memory.bytes[target - 16 + i] = 0xee;
  for (unsigned i = 0; i < elements; ++i) {
    values.x[i] = uint32_t(random64());
    values.old[i] = memory.bytes[target + i] = uint8_t(random64());
    for (unsigned k = 0; k < 4; ++k)
      memory.bytes[source + 4 * i + k] = uint8_t(values.x[i] >> 8 * k);
  }
  write(0x10, uint32_t(source + astray0));
  write(0x14, 0);
  write(0x20, uint32_t(target + astray2));
  write(0x24, 0);
  write(0x18, values.factor);
  write(0, 1);
  return values;
}

uint32_t end() {
  for (unsigned waited = 0; waited < 2000; ++waited)
    if (uint32_t status = read(0); status & 2)
      return status;
  fail("is not done");
  return 0;
}

void check(const Values &values, const std::string &when) {
  for (unsigned i = 0; i < elements; ++i)
    if (memory.bytes[target + i] !=
        (i % columns != 1 ? uint8_t(values.x[i] * values.factor) : values.old[i]))
      fail("wrong element " + std::to_string(i) + " " + when);
  for (int i = -16; i < 48; ++i)
    if ((i < 0 || i >= int(elements)) && memory.bytes[target + i] != 0xee)
      fail("a byte of somebody else " + when);
}

void expect(uint32_t status, uint32_t wanted, const std::string &when) {
  if (status != wanted)
    fail("status " + std::to_string(status) + " " + when);
}

void runRight(const std::string &when) {
  Values values = begin(0, 0);
  expect(end(), 6, when);
  check(values, when);
}

int main() {
  circuit.rst = 1;
  tick();
  tick();
  circuit.rst = 0;
  runRight("at first");
  memory.failsReads = true;
  Values values = begin(0, 0);
  expect(end(), 14, "after an error of a read");
  memory.failsReads = false;
  runRight("after a run with an error of a read");
  memory.failsWrites = true;
  values = begin(0, 0);
  expect(end(), 14, "after an error of a write");
  memory.failsWrites = false;
  runRight("after a run with an error of a write");
  for (uint64_t astray = 1; astray < kWord; ++astray)
    for (bool isTarget : {false, true}) {
      unsigned bursts = memory.bursts;
      values = begin(isTarget ? 0 : astray, isTarget ? astray : 0);
      expect(end(), 14, "with an address astray");
      if (memory.bursts != bursts)
        fail("a burst to an address astray");
      for (unsigned i = 0; i < elements; ++i)
        if (memory.bytes[target + i] != values.old[i])
          fail("wrote to an address astray");
      runRight("after an address astray");
    }
  // The memory knows nothing of the reset, but for bursts of which it has no word yet.
  for (unsigned after = 1; after < 90; ++after) {
    begin(0, 0);
    for (unsigned i = 0; i < after; ++i)
      tick();
    circuit.rst = 1;
    tick();
    memory.writes.clear();
    circuit.rst = 0;
    for (unsigned i = 0; i < (after % 3) * 40; ++i)
      tick();
    while (!memory.reads.empty() || !memory.answers.empty())
      tick();
    runRight("after a reset in cycle " + std::to_string(after));
  }
  printf("passed\n");
  return 0;
}
