#include "tests/hls/lower/CircuitRun.h"

#include "dialects/hls/interpreter/MemoryState.h"
#include "dialects/rtl/simulation/Simulation.h"
#include "hw/hls/lower/rtl/KernelModule.h"
#include "tests/hls/lower/ScheduledKernel.h"
#include "tests/support/FifoModel.h"

#include "fmt/format.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "gtest/gtest.h"

#include <bit>
#include <deque>

namespace spindle::hls {

using llvm::APInt;

mlir::OwningOpRef<mlir::ModuleOp> circuitOf(KernelOp kernel, const std::string &top) {
  auto design = buildKernelModule(kernel, top);
  if (!design) {
    ADD_FAILURE() << toText(design.takeError());
    return {};
  }
  mlir::PassManager passes(kernel.getContext());
  passes.addPass(mlir::createCanonicalizerPass());
  passes.addPass(mlir::createCSEPass());
  EXPECT_TRUE(mlir::succeeded(passes.run(**design)));
  return std::move(*design);
}

namespace {

/// LLVM's number of a predicate has a bit each for unordered, less, greater and equal.
template <typename Float> bool holds(uint64_t predicate, Float x, Float y) {
  unsigned relation = x == y ? 1 : x > y ? 2 : x < y ? 4 : 8;
  return predicate & relation;
}

/// What a unit of floats computes, as bits of its result.
template <typename Float, typename Bits>
APInt onFloats(const std::string &module, const APInt &mode, Bits a, Bits b) {
  auto x = std::bit_cast<Float>(a), y = std::bit_cast<Float>(b);
  if (module == "spindle_cmpf")
    return APInt(1, holds(mode.getZExtValue(), x, y));
  Float result = module == "spindle_mulf"   ? x * y
                 : module == "spindle_divf" ? x / y
                 : mode.isOne()             ? x - y
                                            : x + y;
  return APInt(8 * sizeof(Bits), std::bit_cast<Bits>(result));
}

/// A unit as a shift register behind the host's arithmetic.
class UnitModel : public rtl::ExternModel {
public:
  UnitModel(rtl::ExternOp unit, unsigned latency, mlir::DictionaryAttr given)
      : module(unit.getVerilogName().str()), parameters(given),
        bits(rtl::interfaceOf(unit).type.getResult(0).getIntOrFloatBitWidth()),
        stages(latency, APInt(bits, 0)) {}

  std::vector<APInt> outputs(llvm::ArrayRef<APInt>) override { return {stages.back()}; }

  /// Operands come last, the modes of an operation before them.
  void clock(llvm::ArrayRef<APInt> inputs) override {
    const APInt &a = inputs[inputs.size() - 2], &b = inputs.back(),
                &mode = inputs[inputs.size() - 3];
    stages.pop_back();
    if (module == "spindle_muli_pair")
      stages.push_front(pairOf(inputs[inputs.size() - 4].isOne(), inputs[inputs.size() - 3],
                               inputs[inputs.size() - 2], inputs.back()));
    else if (module == "spindle_muli")
      stages.push_front(a.sext(bits) * b.sext(bits));
    else if (a.getBitWidth() == 32)
      stages.push_front(
          onFloats<float>(module, mode, uint32_t(a.getZExtValue()), uint32_t(b.getZExtValue())));
    else
      stages.push_front(onFloats<double>(module, mode, a.getZExtValue(), b.getZExtValue()));
  }

private:
  /// As the DSP block of spindle_muli_pair does it, so that factors which it does not take show.
  APInt pairOf(bool hasSign, const APInt &a, const APInt &b, const APInt &c) const {
    unsigned shift = unsigned(parameters.getAs<mlir::IntegerAttr>("SHIFT").getInt());
    unsigned wide = a.getBitWidth() + shift, all = wide + c.getBitWidth();
    APInt factor = (a.sext(wide) << shift) + b.sextOrTrunc(wide);
    APInt sum = factor.sext(all) * c.sext(all) + (APInt(all, hasSign) << (shift - 1));
    APInt below = sum.trunc(shift) ^ (APInt(shift, hasSign) << (shift - 1));
    APInt second = hasSign ? below.sextOrTrunc(bits / 2) : below.zextOrTrunc(bits / 2);
    return sum.ashr(shift).sextOrTrunc(bits / 2).concat(second);
  }

  std::string module;
  mlir::DictionaryAttr parameters;
  unsigned bits;
  std::deque<APInt> stages;
};

/// The port of an index has as many bits as an address may have.
unsigned portBits(const KernelArray &scalar) {
  return scalar.type.kind == ElementType::Kind::Index ? 32 : scalar.type.bits;
}

class Bench {
public:
  Bench(KernelOp hardware, rtl::Simulation &circuit) : kernel(hardware), simulation(circuit) {}

  void reset();
  llvm::Error rest(uint64_t cycles);
  /// Nothing where it is stopped after `stop` cycles.
  llvm::Expected<std::optional<Interpretation>>
  run(const std::vector<KernelArray> &arguments, std::optional<uint64_t> stop, uint64_t mostCycles);

private:
  llvm::Error clockMemories(int64_t cycle);
  bool anyEnabled(const std::string &name);
  uint64_t get(const std::string &port) { return simulation.get(port).getZExtValue(); }
  Interpretation result(std::vector<KernelArray> arguments, uint64_t cycles);

  KernelOp kernel;
  rtl::Simulation &simulation;
  std::map<std::string, MemoryState> memories;
};

void Bench::reset() {
  simulation.set("start", APInt(1, 0));
  simulation.set("rst", APInt(1, 1));
  simulation.step();
  simulation.set("rst", APInt(1, 0));
}

llvm::Error Bench::rest(uint64_t cycles) {
  for (uint64_t cycle = 0; cycle < cycles; ++cycle) {
    for (const auto &[name, contents] : memories)
      if (anyEnabled(name))
        return checkError("circuit", "accesses " + name + " while it is idle");
    simulation.step();
  }
  return llvm::Error::success();
}

bool Bench::anyEnabled(const std::string &name) {
  auto memory = kernel.lookupSymbol<MemoryOp>(name);
  for (int64_t bank = 0; bank < memory.getBanks(); ++bank)
    for (int64_t port = 0; port < static_cast<int64_t>(memory.getPorts()); ++port)
      if (get(fmt::format("{}_b{}_p{}_en", name, bank, port)))
        return true;
  return false;
}

/// What the ports ask for in this cycle is there in the next one.
llvm::Error Bench::clockMemories(int64_t cycle) {
  std::vector<std::pair<std::string, APInt>> data;
  for (MemoryOp memory : kernel.getOps<MemoryOp>()) {
    if (!memory.getArgument())
      continue;
    std::string name = memory.getSymName().str();
    MemoryState &contents = memories.at(name);
    unsigned bits = widthOf(memory.getElement());
    for (int64_t bank = 0; bank < memory.getBanks(); ++bank)
      for (int64_t number = 0; number < static_cast<int64_t>(memory.getPorts()); ++number) {
        std::string port = fmt::format("{}_b{}_p{}", name, bank, number);
        if (!get(port + "_en")) {
          // Data is there in the cycle after the address and in no other.
          data.emplace_back(port + "_rdata", APInt(bits, contents.undefinedValue()));
          continue;
        }
        Access access{memory, bank, number, static_cast<int64_t>(get(port + "_addr")),
                      get(port + "_we") != 0};
        SPINDLE_RETURN_IF_ERROR(contents.claim(access, cycle));
        if (access.isStore)
          contents.store(access, get(port + "_wdata"));
        else
          data.emplace_back(port + "_rdata", APInt(bits, contents.load(access)));
      }
    contents.commit();
  }
  simulation.step();
  for (const auto &[port, value] : data)
    simulation.set(port, value);
  return llvm::Error::success();
}

Interpretation Bench::result(std::vector<KernelArray> arguments, uint64_t cycles) {
  for (MemoryOp memory : kernel.getOps<MemoryOp>())
    if (std::optional<uint64_t> index = memory.getArgument())
      arguments[*index] = memories.at(memory.getSymName().str()).contents();
  return {{std::move(arguments), {}}, cycles};
}

llvm::Expected<std::optional<Interpretation>> Bench::run(const std::vector<KernelArray> &arguments,
                                                         std::optional<uint64_t> stop,
                                                         uint64_t mostCycles) {
  memories.clear();
  for (MemoryOp memory : kernel.getOps<MemoryOp>())
    if (std::optional<uint64_t> index = memory.getArgument()) {
      MemoryState contents(memory);
      contents.setContents(arguments[*index]);
      memories.emplace(memory.getSymName().str(), std::move(contents));
    }
  for (int64_t index : kernel.getArgumentIndex()) {
    const KernelArray &scalar = arguments[static_cast<size_t>(index)];
    simulation.set(fmt::format("arg{}", index), APInt(64, scalar.at(0)).trunc(portBits(scalar)));
  }
  if (!get("idle"))
    return checkError("circuit", "is not idle before its start");
  simulation.set("start", APInt(1, 1));
  for (uint64_t cycle = 0; cycle <= mostCycles; ++cycle) {
    if (stop == cycle)
      return std::nullopt;
    bool isDone = get("done") != 0;
    std::vector<KernelArray> results;
    if (std::optional<mlir::ArrayAttr> names = kernel.getResultMemories(); names && isDone)
      for (auto [position, name] : llvm::enumerate(*names)) {
        auto memory = kernel.lookupSymbol<MemoryOp>(llvm::cast<mlir::StringAttr>(name));
        results.push_back(makeArray(elementTypeOf(memory.getElement()), {}));
        results.back().set(0, get(fmt::format("result{}", position)));
      }
    SPINDLE_RETURN_IF_ERROR(clockMemories(static_cast<int64_t>(cycle)));
    simulation.set("start", APInt(1, 0));
    for (int64_t index : kernel.getArgumentIndex()) {
      unsigned bits = portBits(arguments[static_cast<size_t>(index)]);
      simulation.set(fmt::format("arg{}", index), APInt(bits, 0));
    }
    if (isDone) {
      Interpretation found = result(arguments, cycle);
      found.values.results = std::move(results);
      return found;
    }
  }
  return checkError("circuit", fmt::format("is not done after {} cycles", mostCycles));
}

} // namespace

bool hasUnitModels(KernelOp kernel) {
  return llvm::all_of(kernel.getOps<UnitOp>(), [](UnitOp unit) {
    if (unit.getModule().starts_with("spindle_muli"))
      return true;
    return llvm::is_contained({"spindle_addf", "spindle_mulf", "spindle_divf", "spindle_cmpf"},
                              unit.getModule()) &&
           (unit.getType().isF32() || unit.getType().isF64());
  });
}

llvm::Expected<Interpretation>
runCircuit(mlir::ModuleOp design, const std::string &top, KernelOp kernel,
           const std::vector<KernelArray> &interrupted, uint64_t resetCycle, uint64_t pause,
           const std::vector<KernelArray> &arguments, uint64_t mostCycles) {
  auto models = [&](rtl::ExternOp unit,
                    mlir::DictionaryAttr parameters) -> std::unique_ptr<rtl::ExternModel> {
    if (unit.getVerilogName() == "spindle_fifo")
      return std::make_unique<FifoModel>(unit, parameters);
    unsigned latency = 0;
    for (UnitOp one : kernel.getOps<UnitOp>())
      if (one.getSymName().rsplit('_').first == unit.getSymName())
        latency = one.getLatency();
    return std::make_unique<UnitModel>(unit, latency, parameters);
  };
  SPINDLE_ASSIGN(std::unique_ptr<rtl::Simulation> simulation,
                 rtl::Simulation::create(design, top, models));
  Bench bench(kernel, *simulation);
  bench.reset();
  if (resetCycle > 0) {
    SPINDLE_ASSIGN(auto stopped, bench.run(interrupted, resetCycle, mostCycles));
    bench.reset();
    SPINDLE_RETURN_IF_ERROR(bench.rest(pause));
  }
  SPINDLE_ASSIGN(auto first, bench.run(arguments, std::nullopt, mostCycles));
  SPINDLE_ASSIGN(auto second, bench.run(arguments, std::nullopt, mostCycles));
  if (std::string text = difference(second->values, first->values); !text.empty())
    return checkError("circuit", "second run: " + text);
  if (first->cycles != second->cycles)
    return checkError("circuit",
                      fmt::format("takes {} cycles, then {}", first->cycles, second->cycles));
  return std::move(*second);
}

} // namespace spindle::hls
