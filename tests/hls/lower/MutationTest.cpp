// Wrong schedules are caught: by the verifier, by the interpreter, or by the comparison with the
// program. Mutants that get through change nothing, which the simulation of the circuit made from
// them confirms.
#include "tests/hls/lower/CircuitRun.h"
#include "tests/hls/lower/MutationKernels.h"
#include "tests/hls/lower/ScheduledKernel.h"

#include "hw/hls/lower/PredictCycles.h"

#include "fmt/format.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Verifier.h"
#include "gtest/gtest.h"

#include <functional>
#include <iostream>

using namespace spindle;
using namespace spindle::hls;

namespace {

enum class Verdict { Refused, Stopped, WrongResult, WrongCycles, Survived };
constexpr const char *verdictNames[] = {"refused by the verifier", "stopped by the interpreter",
                                        "wrong result", "wrong cycles", "survived"};

struct KernelMutant {
  std::string name;
  std::function<void(KernelOp)> apply;
};

/// What every mutant of a kernel is held against.
struct Reference {
  Values values;
  std::vector<KernelArray> inputs;
  uint64_t cycles;
};

Reference referenceOf(const ScheduledKernel &scheduled) {
  Golden golden =
      llvm::cantFail(Golden::compile(*scheduled.original, scheduled.top, GoldenCode::Plain));
  std::vector<KernelArray> inputs = randomArguments(golden, 7);
  return {llvm::cantFail(golden.run(inputs)), inputs, *predictCycles(scheduled.kernel)};
}

Verdict verdictWithoutVerifier(KernelOp kernel, const Reference &reference) {
  auto found = interpret(kernel, reference.inputs, unitFunctions());
  if (!found) {
    llvm::consumeError(found.takeError());
    return Verdict::Stopped;
  }
  if (!difference(found->values, reference.values).empty())
    return Verdict::WrongResult;
  return found->cycles == reference.cycles ? Verdict::Survived : Verdict::WrongCycles;
}

/// The operation at a position of the kernel's walk, the same in every copy.
mlir::Operation *operationAt(KernelOp kernel, size_t position) {
  mlir::Operation *found = nullptr;
  kernel.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    if (position-- == 0)
      found = op;
  });
  return found;
}

std::string nameOf(mlir::Operation *op, size_t position) {
  return fmt::format("{} {}", op->getName().getStringRef().str(), position);
}

void addNumber(mlir::Operation *op, llvm::StringRef attribute, int64_t by) {
  auto old = op->getAttrOfType<mlir::IntegerAttr>(attribute);
  op->setAttr(attribute, mlir::IntegerAttr::get(old.getType(), old.getInt() + by));
}

std::vector<KernelMutant> mutantsOf(KernelOp kernel) {
  std::vector<KernelMutant> mutants;
  size_t position = 0;
  kernel.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    size_t at = position++;
    auto change = [&](const std::string &what, std::function<void(mlir::Operation *)> apply) {
      mutants.push_back(
          {nameOf(op, at) + ": " + what, [=](KernelOp copy) { apply(operationAt(copy, at)); }});
    };
    auto move = [&](const char *attribute, int64_t by) {
      change(fmt::format("{} {:+}", attribute, by),
             [=](mlir::Operation *mine) { addNumber(mine, attribute, by); });
    };
    if (op->hasAttr("hls.start"))
      for (int64_t by : {-2, -1, 1, 2})
        if (startOf(op) + by >= 0)
          move("hls.start", by);
    if (op->hasAttr("port"))
      move("port", op->getAttrOfType<mlir::IntegerAttr>("port").getInt() == 0 ? 1 : -1);
    if (UnitOp unit = unitOf(op))
      for (UnitOp other : kernel.getOps<UnitOp>())
        if (other != unit && other.getOperations() == unit.getOperations())
          change("on " + other.getSymName().str(), [name = other.getSymName().str()](
                                                       mlir::Operation *mine) {
            mine->setAttr("hls.unit", mlir::FlatSymbolRefAttr::get(mine->getContext(), name));
          });
    if (llvm::isa<LoadOp, StoreOp>(op) && op->getNumOperands() > 0 &&
        op->getOperands().back().getType().isInteger(1))
      change("without its condition", [](mlir::Operation *mine) {
        if (auto load = llvm::dyn_cast<LoadOp>(mine))
          load.getConditionMutable().clear();
        else
          llvm::cast<StoreOp>(mine).getConditionMutable().clear();
      });
    if (llvm::isa<PipelineOp>(op)) {
      for (const char *attribute : {"interval", "depth"})
        for (int64_t by : {-1, 1})
          move(attribute, by);
      if (llvm::cast<PipelineOp>(op).getLevels() > 0)
        for (int64_t by : {-1, 1})
          change(fmt::format("at_least {:+}", by), [=](mlir::Operation *mine) {
            auto pipeline = llvm::cast<PipelineOp>(mine);
            llvm::SmallVector<int64_t> least(pipeline.getAtLeast());
            least.back() += by;
            pipeline.setAtLeast(least);
          });
      for (unsigned carried = 0; carried < llvm::cast<PipelineOp>(op).getCarried().size();
           ++carried)
        change("carries nothing", [=](mlir::Operation *mine) {
          auto pipeline = llvm::cast<PipelineOp>(mine);
          mlir::Operation *yield = pipeline.getBody().front().getTerminator();
          yield->setOperand(carried, pipeline.getCarriedArguments()[carried]);
        });
    }
    if (op->hasAttr("after"))
      change("waits for nothing", [](mlir::Operation *mine) { mine->removeAttr("after"); });
    if (llvm::isa<mlir::arith::SubFOp, mlir::arith::DivFOp, mlir::arith::CmpIOp>(op))
      change("operands swapped", [](mlir::Operation *mine) {
        mlir::Value first = mine->getOperand(0);
        mine->setOperand(0, mine->getOperand(1));
        mine->setOperand(1, first);
      });
  });
  return mutants;
}

/// A circuit made from what got through, against the program.
void expectRightCircuit(KernelOp kernel, const std::string &top, const Reference &reference,
                        const std::string &name) {
  mlir::OwningOpRef<mlir::ModuleOp> design = circuitOf(kernel, top);
  ASSERT_TRUE(design) << name;
  auto found = runCircuit(*design, top, kernel, {}, 0, 0, reference.inputs, 4 * reference.cycles);
  ASSERT_TRUE(bool(found)) << name << ": " << toText(found.takeError());
  EXPECT_EQ(difference(found->values, reference.values), "") << name;
  EXPECT_EQ(found->cycles, reference.cycles) << name;
}

class Mutants : public testing::TestWithParam<MutationKernel> {};

TEST_P(Mutants, OfASchedule) {
  ScheduledKernel scheduled(GetParam().program);
  ASSERT_FALSE(HasFailure());
  mlir::ScopedDiagnosticHandler quiet(scheduled.context.get(), [](mlir::Diagnostic &) {});
  Reference reference = referenceOf(scheduled);
  ASSERT_EQ(verdictWithoutVerifier(scheduled.kernel, reference), Verdict::Survived);
  expectRightCircuit(scheduled.kernel, scheduled.top, reference, "the schedule as it is");

  size_t counts[std::size(verdictNames)] = {}, refusedAndWrong = 0;
  std::string survivors;
  for (const KernelMutant &mutant : mutantsOf(scheduled.kernel)) {
    mlir::OwningOpRef<mlir::ModuleOp> copy = scheduled.module->clone();
    KernelOp kernel = *copy->getOps<KernelOp>().begin();
    mutant.apply(kernel);
    Verdict verdict = verdictWithoutVerifier(kernel, reference);
    if (mlir::failed(mlir::verify(kernel))) {
      refusedAndWrong += verdict != Verdict::Survived;
      verdict = Verdict::Refused;
    }
    ++counts[static_cast<size_t>(verdict)];
    if (verdict == Verdict::Survived) {
      survivors += "\n  " + mutant.name;
      expectRightCircuit(kernel, scheduled.top, reference, mutant.name);
    }
  }
  std::string table;
  for (size_t verdict = 0; verdict < std::size(verdictNames); ++verdict)
    table += fmt::format("{}{} {}", verdict ? ", " : "", counts[verdict], verdictNames[verdict]);
  RecordProperty("verdicts", table);
  std::cout << GetParam().name << ": " << table << "; " << refusedAndWrong
            << " of those refused are wrong to the interpreter too\nequivalent:" << survivors
            << "\n";
  EXPECT_GT(counts[static_cast<size_t>(Verdict::Refused)], 10u);
}

/// Faults before the schedule: it is made, and holds, for dependences that are not the program's.
TEST_P(Mutants, OfDependences) {
  BuiltKernel built(GetParam().program);
  ASSERT_FALSE(HasFailure());
  std::unique_ptr<Reference> reference;
  {
    ScheduledKernel scheduled(GetParam().program);
    reference = std::make_unique<Reference>(referenceOf(scheduled));
  }
  size_t caught = 0, equivalent = 0;
  auto tryOut = [&](const std::string &name, KernelOp kernel) {
    llvm::Error error = scheduleKernel(kernel, zynqTarget(), {});
    ASSERT_FALSE(error) << toText(std::move(error));
    uint64_t cycles = *predictCycles(kernel);
    std::swap(reference->cycles, cycles);
    if (verdictWithoutVerifier(kernel, *reference) == Verdict::Survived) {
      ++equivalent;
      expectRightCircuit(kernel, built.top, *reference, name);
    } else {
      ++caught;
    }
    std::swap(reference->cycles, cycles);
  };
  size_t position = 0;
  built.kernel.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
    size_t at = position++;
    auto pipeline = llvm::dyn_cast<PipelineOp>(op);
    if (!pipeline)
      return;
    for (size_t index = 0; index < pipeline.getDependences().size(); ++index) {
      mlir::OwningOpRef<mlir::ModuleOp> copy = built.module->clone();
      KernelOp kernel = *copy->getOps<KernelOp>().begin();
      auto mine = llvm::cast<PipelineOp>(operationAt(kernel, at));
      llvm::SmallVector<mlir::Attribute> kept(mine.getDependences().getValue());
      kept.erase(kept.begin() + static_cast<ptrdiff_t>(index));
      mine.setDependencesAttr(mlir::ArrayAttr::get(op->getContext(), kept));
      tryOut(fmt::format("{} without dependence {}", nameOf(op, at), index), kernel);
    }
  });
  std::cout << GetParam().name << ": " << caught << " dropped dependences caught, " << equivalent
            << " equivalent\n";
  if (std::string(GetParam().name) == "recurrence") {
    EXPECT_GT(caught, 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Mutants, testing::ValuesIn(mutationKernels),
                         [](const auto &test) { return std::string(test.param.name); });

} // namespace
