// Wrong circuits are caught by running them: registers dropped or added, choices turned round,
// resets and enables removed.
#include "tests/hls/lower/CircuitRun.h"
#include "tests/hls/lower/MutationKernels.h"
#include "tests/hls/lower/ScheduledKernel.h"

#include "hw/hls/lower/PredictCycles.h"

#include "fmt/format.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "gtest/gtest.h"

#include <functional>
#include <iostream>

using namespace spindle;
using namespace spindle::hls;

namespace {

struct CircuitMutant {
  std::string what;
  std::function<void(mlir::Operation *)> apply;
};

void swapOperands(mlir::Operation *op, unsigned a, unsigned b) {
  mlir::Value first = op->getOperand(a);
  op->setOperand(a, op->getOperand(b));
  op->setOperand(b, first);
}

CircuitMutant lengthened(int64_t by) {
  return {fmt::format("stages {:+}", by), [=](mlir::Operation *op) {
            auto delay = llvm::cast<rtl::DelayOp>(op);
            delay.setStages(delay.getStages() + by);
          }};
}

std::vector<CircuitMutant> mutantsOf(mlir::Operation *op) {
  std::vector<CircuitMutant> mutants;
  if (auto delay = llvm::dyn_cast<rtl::DelayOp>(op)) {
    mutants.push_back(lengthened(1));
    mutants.push_back(lengthened(-1));
    if (delay.getReset())
      mutants.push_back({"without reset", [](mlir::Operation *mine) {
                           llvm::cast<rtl::DelayOp>(mine).getResetMutable().clear();
                         }});
  }
  if (auto held = llvm::dyn_cast<rtl::RegOp>(op)) {
    if (held.getReset())
      mutants.push_back({"without reset", [](mlir::Operation *mine) {
                           auto one = llvm::cast<rtl::RegOp>(mine);
                           one.getResetMutable().clear();
                           one.removeResetValueAttr();
                         }});
    if (held.getEnable())
      mutants.push_back({"without enable", [](mlir::Operation *mine) {
                           llvm::cast<rtl::RegOp>(mine).getEnableMutable().clear();
                         }});
  }
  if (llvm::isa<mlir::arith::SelectOp>(op) && op->getOperand(1) != op->getOperand(2))
    mutants.push_back(
        {"operands swapped", [](mlir::Operation *mine) { swapOperands(mine, 1, 2); }});
  unsigned values = op->getNumOperands() / 2;
  if (llvm::isa<rtl::OneHotOp>(op) && op->getOperand(values) != op->getOperand(values + 1))
    mutants.push_back({"values swapped", [](mlir::Operation *mine) {
                         unsigned count = mine->getNumOperands() / 2;
                         swapOperands(mine, count, count + 1);
                       }});
  return mutants;
}

std::string registerName(mlir::Operation *op) {
  auto name = op->getAttrOfType<mlir::StringAttr>("name");
  return name ? name.str() : "";
}

/// Whether a bit only says when arrays inside the kernel are written: all that it is combined into
/// leaves the module as their ports, or as those of pipelined units, whose results nobody takes.
bool onlyWritesInside(mlir::Value bit) {
  auto module = bit.getDefiningOp()->getParentOfType<rtl::CircuitModuleOp>();
  llvm::SmallVector<mlir::Value> open{bit};
  llvm::SmallPtrSet<mlir::Operation *, 16> seen;
  while (!open.empty())
    for (mlir::OpOperand &use : open.pop_back_val().getUses()) {
      mlir::Operation *user = use.getOwner();
      if (llvm::isa<rtl::OutputOp>(user)) {
        llvm::StringRef port =
            llvm::cast<mlir::StringAttr>(module.getOutputNames()[use.getOperandNumber()]);
        bool isInside = llvm::any_of(
            llvm::ArrayRef<llvm::StringRef>{"local", "register", "mulf_", "muli_", "addf_"},
            [&](llvm::StringRef kind) { return port.starts_with(kind); });
        if (!isInside)
          return false;
      } else if (seen.insert(user).second) {
        open.append(user->result_begin(), user->result_end());
      }
    }
  return true;
}

/// Why a circuit without this reset computes the same.
std::string whyWithoutReset(mlir::Operation *op) {
  std::string name = registerName(op);
  bool runsOnce = op->getParentOfType<rtl::CircuitModuleOp>().getSymName().contains("_run");
  if (name == "phase" || name == "first_iteration")
    return "start sets it as well";
  if (name == "running" && runsOnce)
    return "it is high for one cycle, which the reset takes";
  if (llvm::StringRef(name).ends_with("_finished"))
    return "the task is done before the other one that is waited for";
  auto delay = llvm::dyn_cast<rtl::DelayOp>(op);
  mlir::Operation *source = delay ? delay.getInput().getDefiningOp() : nullptr;
  if (source && registerName(source) == "first_iteration")
    return "start sets its input as well, as many cycles before";
  // The next run's own bits come out of the same stages, so whatever was in them comes before.
  if (delay && onlyWritesInside(delay))
    return "late writes go to an array inside, and the run that follows writes it later";
  return "";
}

/// Why a mutant computes the same: empty where it should not.
std::string whyEquivalent(mlir::Operation *op, const std::string &what) {
  auto module = op->getParentOfType<rtl::CircuitModuleOp>();
  std::string name = registerName(op);
  bool waits = false; // between iterations
  module.walk([&](rtl::RegOp held) { waits |= registerName(held) == "phase"; });
  if (what == "without reset")
    return whyWithoutReset(op);
  if (what == "without enable")
    return "nobody looks at it in other cycles";
  if (llvm::isa<rtl::DelayOp>(op) && !llvm::cast<rtl::DelayOp>(op).getReset()) {
    if (waits)
      return "its input stays for the interval";
    if (module.getSymName().contains("_run"))
      return "its input is the same for the whole run";
  }
  return "";
}

mlir::Operation *operationAt(mlir::ModuleOp design, size_t position) {
  mlir::Operation *found = nullptr;
  design.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (position-- == 0)
      found = op;
  });
  return found;
}

class CircuitMutants : public testing::TestWithParam<MutationKernel> {};

TEST_P(CircuitMutants, AreCaught) {
  ScheduledKernel scheduled(GetParam().program);
  ASSERT_FALSE(HasFailure());
  Golden golden =
      llvm::cantFail(Golden::compile(*scheduled.original, scheduled.top, GoldenCode::Plain));
  std::vector<KernelArray> inputs = randomArguments(golden, 7), others = randomArguments(golden, 8);
  Values expected = llvm::cantFail(golden.run(inputs));
  uint64_t cycles = *predictCycles(scheduled.kernel);
  mlir::OwningOpRef<mlir::ModuleOp> design = circuitOf(scheduled.kernel, scheduled.top);
  ASSERT_TRUE(design);
  // Empty where the circuit is right, whenever a run before is broken off.
  auto fault = [&](mlir::ModuleOp circuit) -> std::string {
    for (uint64_t reset = 0; reset <= cycles; ++reset)
      for (uint64_t pause : {uint64_t(0), cycles}) {
        auto found = runCircuit(circuit, scheduled.top, scheduled.kernel, others, reset, pause,
                                inputs, 2 * cycles);
        if (!found)
          return toText(found.takeError());
        std::string text = difference(found->values, expected);
        if (!text.empty() || found->cycles != cycles)
          return text + fmt::format(" in {} cycles", found->cycles);
      }
    return "";
  };
  ASSERT_EQ(fault(*design), "");

  size_t position = 0, caught = 0, unexplained = 0;
  std::string survivors;
  std::vector<std::pair<size_t, CircuitMutant>> mutants;
  design->walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    for (CircuitMutant &mutant : mutantsOf(op))
      mutants.emplace_back(position, std::move(mutant));
    ++position;
  });
  for (const auto &[at, mutant] : mutants) {
    mlir::OwningOpRef<mlir::ModuleOp> copy = design->clone();
    mlir::Operation *op = operationAt(*copy, at);
    mutant.apply(op);
    if (!fault(*copy).empty()) {
      ++caught;
      continue;
    }
    std::string text, reason = whyEquivalent(op, mutant.what);
    llvm::raw_string_ostream stream(text);
    op->print(stream, mlir::OpPrintingFlags().useLocalScope());
    unexplained += reason.empty();
    if (mutant.what == "without reset") {
      EXPECT_NE(reason, "") << text;
    }
    survivors += fmt::format("\n  {}: {}: {}", mutant.what, text, reason);
  }
  std::cout << GetParam().name << ": " << caught << " of " << mutants.size()
            << " caught; equivalent:" << survivors << "\n";
  EXPECT_GT(3 * caught, 2 * mutants.size());
  // Mutants that nothing shows and no rule above explains.
  EXPECT_LE(8 * unexplained, mutants.size()) << survivors;
}

INSTANTIATE_TEST_SUITE_P(Kernels, CircuitMutants, testing::ValuesIn(mutationKernels),
                         [](const auto &test) { return std::string(test.param.name); });

} // namespace
