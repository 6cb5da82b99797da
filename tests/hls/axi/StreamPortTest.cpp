// A stream behind AXI4-Stream beside a model of packets: random shapes, stalls, and packets of
// another length than was agreed on.
#include "hw/hls/axi/StreamPort.h"

#include "dialects/rtl/simulation/Simulation.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "gtest/gtest.h"

#include <random>

namespace spindle::hls {
namespace {

class StreamPorts : public testing::Test {
protected:
  StreamPorts() { context.loadDialect<rtl::RtlDialect, mlir::arith::ArithDialect>(); }

  uint64_t below(uint64_t bound) { return random() % bound; }

  /// A stream of a drawn width, in packets or without any.
  void draw(bool isWritten) {
    stream = {};
    stream.index = 3;
    stream.kind = KernelArgument::Kind::Stream;
    stream.type = {ElementType::Kind::Integer, unsigned(1 + below(64))};
    stream.isRead = !isWritten;
    stream.isWritten = isWritten;
    shape = {"arg3", stream.type.bytes(), below(4), stream.type.bytes()};
    if (shape.hasPackets())
      shape.lastBytes = uint32_t(1 + below(shape.bytes));
  }

  /// A module with nothing but the port, whose kernel is outside.
  std::unique_ptr<rtl::Simulation> build() {
    auto bits = [&](unsigned width) { return mlir::IntegerType::get(&context, width); };
    std::vector<rtl::Port> inputs = {
        {"clk", bits(1)}, {"rst", bits(1)}, {"works", bits(1)}, {"start", bits(1)}};
    std::vector<rtl::Port> outs = {{"drained", bits(1)}, {"error", bits(1)}};
    for (const BusSignal &signal : StreamPort::signals(stream, shape))
      (signal.isOutput ? outs : inputs).push_back({"arg3_" + signal.name, bits(signal.bits)});
    unsigned width = stream.type.bits;
    std::vector<rtl::Port> &given = stream.isWritten ? inputs : outs,
                           &taken = stream.isWritten ? outs : inputs;
    given.insert(given.end(), {{"arg3_data", bits(width)}, {"arg3_valid", bits(1)}});
    taken.push_back({"arg3_ready", bits(1)});
    design = mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
    mlir::OpBuilder builder = mlir::OpBuilder::atBlockEnd(design->getBody());
    auto module =
        rtl::CircuitModuleOp::create(builder, builder.getUnknownLoc(), "port", inputs, outs);
    Wires wires(builder.getUnknownLoc(), module.getBodyBlock(), module.getInput("clk"),
                module.getInput("rst"));
    AxiExterns::Values kernel, outputs;
    std::map<std::string, rtl::WireOp> feeds;
    for (const char *name : {"arg3_data", "arg3_valid", "arg3_ready"}) {
      bool isInput = llvm::StringRef(name).ends_with("ready") != stream.isWritten;
      if (isInput)
        kernel[name] = module.getInput(name);
      else
        feeds[name] = wires.wire(llvm::StringRef(name).ends_with("data") ? width : 1, "");
    }
    StreamPort port(wires, module, stream, shape,
                    {module.getInput("works"), module.getInput("start")}, kernel, feeds);
    outputs.insert(port.outputs().begin(), port.outputs().end());
    for (auto &[name, wire] : feeds)
      outputs[name] = wire;
    outputs["drained"] = port.isDrained();
    outputs["error"] = port.error() ? port.error() : wires.zero();
    wires.drive(module, outputs);
    auto made = rtl::Simulation::create(*design, "port");
    EXPECT_TRUE(bool(made));
    return made ? std::move(*made) : nullptr;
  }

  void set(rtl::Simulation &port, const std::string &name, unsigned bits, uint64_t value) {
    port.set(name, llvm::APInt(bits, value, false, true));
  }
  uint64_t get(rtl::Simulation &port, const std::string &name) {
    return port.get(name).getZExtValue();
  }
  uint64_t bytes(uint64_t count) const { return (uint64_t(1) << count) - 1; }

  std::mt19937_64 random{7};
  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> design;
  KernelArgument stream;
  AxiStream shape;
};

TEST_F(StreamPorts, TakeWhatIsKeptAndTellWrongPackets) {
  unsigned wrongOnes = 0;
  for (int trial = 0; trial < 60; ++trial) {
    draw(false);
    auto port = build();
    ASSERT_TRUE(port);
    uint64_t beat = 0;
    bool isWrong = false;
    for (int cycle = 0; cycle < 60; ++cycle) {
      bool works = cycle % 20 != 0, starts = cycle % 20 == 0;
      bool valid = below(3) > 0, ready = below(3) > 0;
      bool isLast = shape.hasPackets() && beat % shape.beats == shape.beats - 1;
      uint64_t keep = bytes(isLast ? shape.lastBytes : shape.bytes), data = random();
      bool last = isLast;
      if (trial % 3 == 2 && below(12) == 0)
        last = !last;
      if (isLast && below(2) == 0)
        keep = bytes(shape.lastBytes + below(shape.bytes - shape.lastBytes + 1)); // may be there
      if (trial % 3 == 1 && below(12) == 0)
        keep &= ~(uint64_t(1) << below(shape.bytes));
      set(*port, "works", 1, works);
      set(*port, "start", 1, starts);
      set(*port, "arg3_in_tvalid", 1, valid);
      set(*port, "arg3_in_tdata", 8 * shape.bytes, data);
      set(*port, "arg3_ready", 1, ready);
      if (shape.isPartial())
        set(*port, "arg3_in_tkeep", shape.bytes, keep);
      if (shape.hasPackets())
        set(*port, "arg3_in_tlast", 1, last);
      EXPECT_EQ(get(*port, "arg3_in_tready"), works && ready);
      EXPECT_EQ(get(*port, "arg3_valid"), works && valid);
      uint64_t wanted = data;
      for (uint64_t byte = shape.lastBytes; shape.isPartial() && byte < shape.bytes; ++byte)
        if (!(keep >> byte & 1))
          wanted &= ~(uint64_t(255) << 8 * byte);
      EXPECT_EQ(get(*port, "arg3_data"), wanted & stream.type.mask());
      EXPECT_EQ(get(*port, "error"), isWrong);
      EXPECT_EQ(get(*port, "drained"), 1u);
      port->step();
      uint64_t needed = bytes(isLast ? shape.lastBytes : shape.bytes);
      if (starts)
        isWrong = false;
      if (!works || !valid || !ready)
        continue;
      isWrong |= shape.hasPackets() && last != isLast;
      isWrong |= shape.isPartial() && (keep & needed) != needed;
      wrongOnes += isWrong;
      ++beat;
    }
  }
  EXPECT_GT(wrongOnes, 10u);
}

TEST_F(StreamPorts, MarkTheEndsOfPackets) {
  unsigned ends = 0;
  for (int trial = 0; trial < 40; ++trial) {
    draw(true);
    auto port = build();
    ASSERT_TRUE(port);
    uint64_t beat = 0;
    for (int cycle = 0; cycle < 60; ++cycle) {
      bool valid = below(3) > 0, ready = below(3) > 0;
      uint64_t data = random() & stream.type.mask();
      set(*port, "works", 1, below(2)); // what is there goes out, also behind the end of a run
      set(*port, "arg3_valid", 1, valid);
      set(*port, "arg3_data", stream.type.bits, data);
      set(*port, "arg3_out_tready", 1, ready);
      EXPECT_EQ(get(*port, "arg3_out_tvalid"), valid);
      EXPECT_EQ(get(*port, "arg3_ready"), ready);
      EXPECT_EQ(get(*port, "arg3_out_tdata"), data);
      EXPECT_EQ(get(*port, "drained"), !valid);
      bool isLast = shape.hasPackets() && beat % shape.beats == shape.beats - 1;
      ends += isLast && valid && ready;
      if (shape.hasPackets()) {
        EXPECT_EQ(get(*port, "arg3_out_tlast"), isLast);
      }
      if (shape.isPartial()) {
        EXPECT_EQ(get(*port, "arg3_out_tkeep"), bytes(isLast ? shape.lastBytes : shape.bytes));
      }
      port->step();
      beat += valid && ready;
    }
  }
  EXPECT_GT(ends, 200u);
}

} // namespace
} // namespace spindle::hls
