#include "hw/synthesis/EstimateArea.h"

#include "dialects/hls/Hls.h"
#include "dialects/rtl/Rtl.h"
#include "hw/hls/body/ConstantProduct.h"
#include "hw/hls/lower/rtl/FifoInstances.h"
#include "hw/synthesis/VariableBits.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>

namespace spindle::hls {

namespace {

namespace arith = mlir::arith;

/// LUTs for a bit of each kind of logic. Those of six inputs are fitted to Yosys
/// (docs/benchmarks/hls.md): neighbours share a LUT, so most take less than one. Those of four are
/// what the functions need by themselves.
struct LogicLuts {
  double equal, order, choice, gate;
};
constexpr LogicLuts kSixInputs{0.33, 0.5, 0.6, 0.35}, kFourInputs{0.67, 1, 1, 0.5};
constexpr double kSum = 1.0, kTransition = 1.0;

/// Constants of so few words are functions of at most four bits, which the logic behind them takes
/// up in part: those of one bit are that bit.
constexpr uint64_t kMergedWords = 16;

/// The least stages that are a shift register in a LUT, and the most that one LUT holds.
constexpr int64_t kLeastShift = 3, kMostShift = 32;

DeviceArea ofUnit(const Target &target, llvm::StringRef module, mlir::DictionaryAttr parameters) {
  auto has = [&](const std::pair<const std::string, int64_t> &parameter) {
    auto value = parameters ? parameters.getAs<mlir::IntegerAttr>(parameter.first) : nullptr;
    return value && value.getInt() == parameter.second;
  };
  for (const FunctionalUnit &unit : target.units)
    if (unit.module == module && parameters && parameters.size() == unit.parameters.size() &&
        llvm::all_of(unit.parameters, has))
      return {double(unit.area.lut), double(unit.area.ff), double(unit.area.dsp)};
  return {};
}

class AreaEstimate {
public:
  AreaEstimate(mlir::ModuleOp wholeDesign, const Target &forTarget)
      : design(wholeDesign), target(forTarget),
        luts(forTarget.lutInputs < 6 ? kFourInputs : kSixInputs) {}

  DeviceArea of(rtl::CircuitModuleOp module) {
    auto known = modules.find(module);
    if (known != modules.end())
      return known->second;
    DeviceArea area;
    for (mlir::Operation &op : *module.getBodyBlock())
      area += of(op);
    return modules[module] = area;
  }

  DeviceArea of(mlir::Operation &op) {
    if (op.getNumResults() == 0)
      return {};
    auto width = op.getResultTypes().front().getIntOrFloatBitWidth();
    auto logic = [&](double perBit) { return DeviceArea{perBit * width}; };
    auto isFixed = [this](mlir::Value value) { return isConstant(value); };
    return llvm::TypeSwitch<mlir::Operation *, DeviceArea>(&op)
        .Case([&](rtl::InstanceOp instance) { return of(instance); })
        .Case([&](rtl::RegOp) { return DeviceArea{0, double(width)}; })
        .Case([&](rtl::DelayOp delay) { return of(delay, width); })
        .Case([&](rtl::MemoryOp memory) { return of(memory, width); })
        .Case([&](rtl::MachineOp machine) {
          return DeviceArea{kTransition * double(machine.getTargets().size()),
                            double(machine.getNumResults())};
        })
        .Case([&](rtl::OneHotOp choice) {
          auto inputs = choice.getValues().size() - llvm::count_if(choice.getValues(), isFixed);
          if (inputs <= 1 && llvm::all_of(op.getUsers(), llvm::IsaPred<rtl::RegOp>))
            return DeviceArea(); // constants are set and reset of the registers
          return logic(std::ceil(double(inputs) / (target.lutInputs < 6 ? 2 : 3)));
        })
        .Case<arith::AddIOp, arith::SubIOp>([&](auto) { return logic(kSum); })
        .Case([&](arith::MulIOp product) { return of(product, width); })
        .Case([&](arith::CmpIOp comparison) { return of(comparison); })
        .Case([&](arith::SelectOp choice) {
          // Between two constants it is the condition itself.
          return DeviceArea{luts.choice * ofPair(choice.getTrueValue(), choice.getFalseValue())};
        })
        .Case<arith::AndIOp, arith::OrIOp, arith::XOrIOp>([&](auto) {
          return DeviceArea{luts.gate * wires.countBoth(op.getOperand(0), op.getOperand(1))};
        })
        .Case<arith::ShLIOp, arith::ShRUIOp, arith::ShRSIOp>([&](auto) {
          // Two stages of a shifter are a multiplexer of four in one LUT.
          return isConstant(op.getOperand(1)) ? DeviceArea{}
                                              : logic(std::ceil(llvm::Log2_32_Ceil(width) / 2.0));
        })
        .Default(DeviceArea());
  }

private:
  /// Bits of two words that logic looks at: half where one of the two is a constant.
  double ofPair(mlir::Value a, mlir::Value b) {
    unsigned both = wires.countBoth(a, b);
    return both + 0.5 * (wires.count(a) + wires.count(b) - 2 * both);
  }

  /// Whether a value fits into fewer bits is the equality of those above: how many there are.
  static std::optional<unsigned> bitsAbove(arith::CmpIOp comparison) {
    auto wide = comparison.getLhs().getDefiningOp<arith::ExtSIOp>();
    auto cut = wide ? wide.getIn().getDefiningOp<arith::TruncIOp>() : arith::TruncIOp();
    if (!cut || cut.getIn() != comparison.getRhs())
      return std::nullopt;
    return rtl::widthOf(comparison.getRhs()) - rtl::widthOf(cut) + 1;
  }

  DeviceArea of(arith::CmpIOp comparison) {
    bool isEquality = comparison.getPredicate() == arith::CmpIPredicate::eq ||
                      comparison.getPredicate() == arith::CmpIPredicate::ne;
    if (!isEquality)
      return {luts.order * rtl::widthOf(comparison.getLhs())};
    if (std::optional<unsigned> bits = bitsAbove(comparison))
      return {std::ceil(double(*bits) / target.lutInputs)};
    return {luts.equal * ofPair(comparison.getLhs(), comparison.getRhs())};
  }

  /// A constant, also one that a module gives: the data of a port that only reads.
  bool isConstant(mlir::Value value) {
    auto instance = value.getDefiningOp<rtl::InstanceOp>();
    if (!instance)
      return mlir::matchPattern(value, mlir::m_Constant());
    auto circuit = design.lookupSymbol<rtl::CircuitModuleOp>(instance.getModule());
    unsigned output = llvm::cast<mlir::OpResult>(value).getResultNumber();
    return circuit && isConstant(circuit.getTerminator()->getOperand(output));
  }

  DeviceArea of(rtl::InstanceOp instance) {
    mlir::Operation *module = design.lookupSymbol(instance.getModule());
    if (auto circuit = llvm::dyn_cast_or_null<rtl::CircuitModuleOp>(module))
      return of(circuit);
    auto unit = llvm::dyn_cast_or_null<rtl::ExternOp>(module);
    if (unit && unit.getVerilogName() == kFifoModule)
      return ofFifo(instance.getParametersAttr());
    return unit ? ofUnit(target, unit.getVerilogName(), instance.getParametersAttr())
                : DeviceArea{};
  }

  /// LUT RAM, two pointers, a number of words and two flags.
  static DeviceArea ofFifo(mlir::DictionaryAttr parameters) {
    auto number = [&](const char *name) {
      return parameters.getAs<mlir::IntegerAttr>(name).getInt();
    };
    int64_t words = number("DEPTH"), bits = llvm::Log2_64_Ceil(uint64_t(words)) + 1;
    return {double(lutRamLuts(words, number("WIDTH"), 1, false)) + 4.0 * double(bits),
            3.0 * double(bits) + 2};
  }

  DeviceArea of(rtl::MemoryOp memory, unsigned width) {
    unsigned readers = 0, writers = 0;
    for (unsigned port = 0; port < memory.getNumResults(); ++port) {
      readers += !memory.getResult(port).use_empty();
      writers += !isConstant(memory.getPort(port).writeEnable);
    }
    auto words = static_cast<uint64_t>(memory.getDepth());
    if (memory.getDistributed() && writers == 0 && words <= kMergedWords)
      return {double(width) * std::max(0.0, llvm::Log2_64_Ceil(words) - 1.0) / 5};
    if (memory.getDistributed())
      return {double(lutRamLuts(memory.getDepth(), width, readers, writers == 0))};
    return {0, 0, 0, blocksFor(words, width, readers + writers > 2)};
  }

  /// Without a reset, which a shift register in LUTs has not; LUTs of four inputs are none.
  DeviceArea of(rtl::DelayOp delay, unsigned width) const {
    int64_t stages = delay.getStages();
    if (delay.getReset() || stages < kLeastShift || target.lutInputs < 6)
      return {0, double(stages) * width};
    return {double(llvm::divideCeil(stages, kMostShift)) * width, 0};
  }

  /// In blocks of 25 × 18 bits, signed; a product with a constant is sums of shifts.
  static DeviceArea of(arith::MulIOp product, unsigned width) {
    if (std::optional<ConstantProduct> constant = constantProduct(product))
      return {kSum * width * ShiftedSum(signedDigits(constant->factor, width)).adders};
    return {0, 0, double(llvm::divideCeil(width, 24) * llvm::divideCeil(width, 17))};
  }

  mlir::ModuleOp design;
  const Target &target;
  const LogicLuts &luts;
  VariableBits wires;
  llvm::DenseMap<mlir::Operation *, DeviceArea> modules;
};

} // namespace

static rtl::CircuitModuleOp topOf(mlir::ModuleOp design) {
  rtl::CircuitModuleOp top;
  for (auto module : design.getOps<rtl::CircuitModuleOp>())
    top = module;
  return top;
}

DeviceArea estimateArea(mlir::ModuleOp design, const Target &target) {
  rtl::CircuitModuleOp top = topOf(design);
  return top ? AreaEstimate(design, target).of(top) : DeviceArea{};
}

DeviceArea areaOfUnits(KernelOp kernel, const Target &target) {
  DeviceArea area;
  for (UnitOp unit : kernel.getOps<UnitOp>())
    area += ofUnit(target, unit.getModule(), unit.getParameters());
  return area;
}

/// `local0` of `local0_b3`; empty where it is no bank.
static std::string arrayOfBank(llvm::StringRef name) {
  auto [array, bank] = name.rsplit("_b");
  bool isBank = !bank.empty() && llvm::all_of(bank, [](char c) { return llvm::isDigit(c); });
  return isBank ? array.str() : "";
}

std::map<std::string, DeviceArea> estimateParts(mlir::ModuleOp design, const Target &target) {
  std::map<std::string, DeviceArea> parts;
  rtl::CircuitModuleOp top = topOf(design);
  if (!top)
    return parts;
  AreaEstimate estimate(design, target);
  llvm::DenseMap<mlir::Operation *, std::string> names;
  for (mlir::Operation &op : *top.getBodyBlock())
    if (auto instance = llvm::dyn_cast<rtl::InstanceOp>(op))
      names[&op] = instance.getInstanceName().str();
    else if (auto memory = llvm::dyn_cast<rtl::MemoryOp>(op))
      names[&op] = arrayOfBank(memory.getMemoryName());
    else if (auto name = op.getAttrOfType<mlir::StringAttr>("name"); name && isa<rtl::RegOp>(op))
      names[&op] = arrayOfBank(name);
  for (mlir::Operation &op : llvm::reverse(*top.getBodyBlock())) {
    std::optional<std::string> shared; // by all that use it
    for (mlir::Operation *user : op.getUsers()) {
      std::string of = llvm::isa<rtl::InstanceOp>(user) ? "" : names.lookup(user);
      shared = shared.value_or(of) == of ? of : "";
    }
    auto known = names.try_emplace(&op, shared.value_or("")).first;
    parts[known->second] += estimate.of(op);
  }
  return parts;
}

} // namespace spindle::hls
