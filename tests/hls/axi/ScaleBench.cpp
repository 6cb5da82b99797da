// Runs scale.mlir behind its wrapper (-DSTREAM: AXI4-Stream, else AXI4): values, order, protocol,
// restart, reset in mid-run.
#include "Vscale_axi.h"
#include "tests/hls/axi/BusModels.h"

#include <algorithm>

constexpr unsigned rows = 5, columns = 3, elements = rows * columns;
Vscale_axi circuit;
uint64_t cycles = 0;
Held b{"b"}, r{"r"};
#ifdef STREAM
constexpr unsigned factorRegister = 0x10, resultRegister = 0x18;
Source in0, in2;
std::deque<uint64_t> out2;
Held stream{"arg2_out"};
#else
constexpr unsigned factorRegister = 0x18, resultRegister = 0x28;
Slave memory0(4, 4), memory2(4, 4);
uint64_t base0, base2;
#endif

void driveBuses() {
#ifdef STREAM
  in0.drive();
  in2.drive();
  circuit.arg0_in_tvalid = in0.valid;
  circuit.arg0_in_tdata = in0.valid ? in0.elements.front() : random64();
  circuit.arg2_in_tvalid = in2.valid;
  circuit.arg2_in_tdata = in2.valid ? in2.elements.front() : random64();
  circuit.arg2_out_tready = goes();
#else
  memory0.drive();
  memory2.drive();
  circuit.arg0_arready = memory0.arready;
  circuit.arg0_rvalid = memory0.rvalid;
  circuit.arg0_rdata = memory0.rdata;
  circuit.arg0_rresp = memory0.rresp;
  circuit.arg0_rlast = memory0.rlast;
  circuit.arg2_arready = memory2.arready;
  circuit.arg2_rvalid = memory2.rvalid;
  circuit.arg2_rdata = memory2.rdata;
  circuit.arg2_rresp = memory2.rresp;
  circuit.arg2_rlast = memory2.rlast;
  circuit.arg2_awready = memory2.awready;
  circuit.arg2_wready = memory2.wready;
  circuit.arg2_bvalid = memory2.bvalid;
  circuit.arg2_bresp = memory2.bresp;
#endif
}

void seeBuses() {
#ifdef STREAM
  in0.see(circuit.arg0_in_tready);
  in2.see(circuit.arg2_in_tready);
  stream.see(circuit.arg2_out_tvalid, circuit.arg2_out_tready,
             {circuit.arg2_out_tdata, circuit.arg2_out_tlast});
  if (circuit.arg2_out_tvalid && circuit.arg2_out_tready) {
    out2.push_back(circuit.arg2_out_tdata);
    if (circuit.arg2_out_tlast != (out2.size() % elements == 0))
      fail("tlast at the wrong element");
  }
#else
  memory0.see({bool(circuit.arg0_arvalid), false, false, false, bool(circuit.arg0_rready), false,
               circuit.arg0_araddr, 0, 0, 0, circuit.arg0_arlen, 0, circuit.arg0_arsize, 0,
               circuit.arg0_arburst, 0});
  memory2.see({bool(circuit.arg2_arvalid), bool(circuit.arg2_awvalid), bool(circuit.arg2_wvalid),
               bool(circuit.arg2_wlast), bool(circuit.arg2_rready), bool(circuit.arg2_bready),
               circuit.arg2_araddr, circuit.arg2_awaddr, circuit.arg2_wdata, circuit.arg2_wstrb,
               circuit.arg2_arlen, circuit.arg2_awlen, circuit.arg2_arsize, circuit.arg2_awsize,
               circuit.arg2_arburst, circuit.arg2_awburst});
#endif
}

/// The wires before the edge are those that both sides see; then the edge.
void settle() {
  driveBuses();
  circuit.clk = 0;
  circuit.eval();
  seeBuses();
  b.see(circuit.bvalid, circuit.bready, {circuit.bresp});
  r.see(circuit.rvalid, circuit.rready, {circuit.rdata, circuit.rresp});
}
void edge() {
  circuit.clk = 1;
  circuit.eval();
  if (++cycles > 200000)
    fail("no end in 200000 cycles");
}
void tick() {
  settle();
  edge();
}

void write(unsigned address, uint32_t data, unsigned strobes = 15) {
  bool addressWaits = true, dataWaits = true, answered = false;
  circuit.awaddr = address;
  circuit.wdata = data;
  circuit.wstrb = strobes;
  while (!answered) {
    circuit.awvalid = addressWaits && (circuit.awvalid || goes());
    circuit.wvalid = dataWaits && (circuit.wvalid || goes());
    circuit.bready = goes();
    settle();
    if (circuit.awvalid && circuit.awready)
      addressWaits = false;
    if (circuit.wvalid && circuit.wready)
      dataWaits = false;
    answered = circuit.bvalid && circuit.bready;
    if (answered && (addressWaits || dataWaits))
      fail("answered before address and data were taken");
    edge();
    if (!addressWaits)
      circuit.awvalid = 0;
    if (!dataWaits)
      circuit.wvalid = 0;
  }
  circuit.bready = 0;
}

uint32_t read(unsigned address) {
  bool addressWaits = true;
  circuit.araddr = address;
  for (;;) {
    circuit.arvalid = addressWaits && (circuit.arvalid || goes());
    circuit.rready = goes();
    settle();
    if (circuit.arvalid && circuit.arready)
      addressWaits = false;
    bool answered = circuit.rvalid && circuit.rready;
    uint32_t data = circuit.rdata;
    edge();
    if (!addressWaits)
      circuit.arvalid = 0;
    if (answered) {
      circuit.rready = 0;
      return data;
    }
  }
}

void reset() {
  circuit.rst = 1;
  for (int i = 0; i < 2; ++i) {
    circuit.clk = 0;
    circuit.eval();
    edge();
  }
  circuit.rst = 0;
  b.reset();
  r.reset();
#ifdef STREAM
  in0 = in2 = {};
  out2.clear();
  stream.reset();
#else
  memory0.reset();
  memory2.reset();
#endif
}

struct Inputs {
  uint32_t x[elements], factor;
  uint8_t old[elements];
};

Inputs before;      // of the last run that came to its end
bool keeps = false; // arg0, which is only read, does not come again

Inputs prepare() {
  Inputs inputs;
  inputs.factor = uint32_t(random64());
  for (unsigned i = 0; i < elements; ++i) {
    inputs.x[i] = uint32_t(random64());
    inputs.old[i] = uint8_t(random64());
  }
#ifdef STREAM
  if (keeps)
    std::copy(before.x, before.x + elements, inputs.x);
  else
    in0.elements.assign(inputs.x, inputs.x + elements);
  in2.elements.assign(inputs.old, inputs.old + elements);
  out2.clear();
#else
  base0 = 0x1234567000 + 4096 - 4 * (random64() % 20);
  base2 = 0x9876543000 + 4096 - random64() % 20;
  memory2.bytes.clear();
  memory0.bytes.clear(); // what is read without being there ends the bench
  if (keeps)
    std::copy(before.x, before.x + elements, inputs.x);
  for (unsigned i = 0; i < elements; ++i) {
    for (unsigned k = 0; k < 4 && !keeps; ++k)
      memory0.bytes[base0 + 4 * i + k] = uint8_t(inputs.x[i] >> 8 * k);
    memory2.bytes[base2 + i] = inputs.old[i];
  }
  write(0x10, uint32_t(base0));
  write(0x14, uint32_t(base0 >> 32));
  write(0x20, uint32_t(base2));
  write(0x24, uint32_t(base2 >> 32));
#endif
  write(factorRegister, inputs.factor & 0xffff, 3);
  write(factorRegister, inputs.factor, 12);
  if (read(factorRegister) != inputs.factor)
    fail("register does not keep its bytes");
  return inputs;
}

void check(const Inputs &inputs) {
  uint32_t sum = 0;
  for (unsigned i = 0; i < elements; ++i) {
    uint32_t product = inputs.x[i] * inputs.factor;
    bool stored = i % columns != 1;
    sum += stored ? product : 0;
    uint8_t expected = stored ? uint8_t(product) : inputs.old[i];
#ifdef STREAM
    if (out2.size() != elements || out2[i] != expected)
      fail("wrong element " + std::to_string(i));
#else
    if (memory2.bytes.size() != elements || memory2.bytes[base2 + i] != expected)
      fail("wrong element " + std::to_string(i));
#endif
  }
  if (read(resultRegister) != sum)
    fail("wrong result");
}

void run(bool byInterrupt, bool mayKeep) {
  keeps = mayKeep;
  Inputs inputs = prepare();
  if ((read(0) & 15) != 4)
    fail("not idle before the start");
  write(4, byInterrupt);
  write(0, keeps ? 17 : 1);
  write(0, 1); // while it works: ignored
  if (byInterrupt)
    while (!circuit.irq)
      tick();
  uint32_t status = 0;
  while (!((status = read(0)) & 2))
    if (circuit.irq != byInterrupt && circuit.irq)
      fail("interrupt that was not asked for");
  if (status != 6)
    fail("status " + std::to_string(status) + " after the run, expected done and idle");
  if (read(0) != 4)
    fail("done is not cleared by reading");
  if (byInterrupt && !(read(8) & 1))
    fail("no pending interrupt");
  write(8, 1);
  if (read(8) != 0 || circuit.irq)
    fail("pending interrupt is not cleared");
  check(inputs);
  before = inputs;
}

/// After a reset there is nothing to keep: the array is filled although it was not asked for.
void runWithNothingToKeep() {
  keeps = false;
  Inputs inputs = prepare();
  write(0, 17);
  while (!(read(0) & 2)) {
  }
  write(8, 1);
  check(inputs);
  before = inputs;
}

int main() {
  reset();
  for (unsigned turn = 0; turn < 60; ++turn) {
    stalls = turn % 3 == 0 ? 0 : turn % 3 == 1 ? 8 : 14;
    run(turn % 2, turn > 0 && turn % 5 == 3);
    if (turn % 10 == 5) { // reset somewhere in a run
      keeps = false;
      prepare();
      write(0, 1);
      for (unsigned i = 0, wait = unsigned(random64() % 60); i < wait; ++i)
        tick();
      circuit.awvalid = circuit.wvalid = circuit.arvalid = circuit.bready = circuit.rready = 0;
      reset();
      runWithNothingToKeep();
    }
  }
#ifndef STREAM
  stalls = 4;
  keeps = false;
  prepare();
  memory0.errors = 1;
  write(0, 1);
  uint32_t status = 0;
  while (!((status = read(0)) & 2)) {
  }
  if (status != 14)
    fail("a bus error does not show");
  if (memory2.bursts < 60)
    fail("no bursts");
#endif
  puts("passed");
}
