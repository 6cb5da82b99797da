#include "lib/emulation/layers/PlanBuilder.h"

#include "lib/emulation/lanes/KernelBuilder.h"

using namespace mlir;

namespace spindle::layers {

PlanBuilder::PlanBuilder(MLIRContext &context) {
  context.loadDialect<func::FuncDialect>();
  plan.module = ModuleOp::create(UnknownLoc::get(&context));
  plan.denseModule = ModuleOp::create(UnknownLoc::get(&context));
}

size_t PlanBuilder::addBuffer(Unit unit, size_t bytes) {
  plan.buffers.push_back({unit, roundUp(bytes, 64), {}});
  return plan.buffers.size() - 1;
}

size_t PlanBuilder::addFloats(Unit unit, size_t count) {
  return addBuffer(unit, (roundUp(count, kVector) + kVector) * sizeof(float));
}

Signal PlanBuilder::addSignal(Unit unit, size_t elements, bool binary) {
  return {addFloats(unit, elements), elements, {elements, {}}, binary};
}

std::string PlanBuilder::addFunction(ModuleOp module, OwningOpRef<func::FuncOp> function) {
  function->setName("kernel");
  std::string text;
  llvm::raw_string_ostream stream(text);
  function->print(stream, OpPrintingFlags().assumeVerified());
  auto [known, isNew] = functions.try_emplace({module.getOperation(), std::move(text)});
  if (isNew) {
    known->second = "kernel" + std::to_string(functions.size() - 1);
    function->setName(known->second);
    module.push_back(function.release());
  }
  return known->second;
}

void PlanBuilder::addStage(StageKernel &&kernel) {
  std::string name = addFunction(*plan.module, kernel.take());
  plan.stages.push_back({kernel.work, name, "", kernel.buffers()});
}

void PlanBuilder::addAlternative(StageKernel &&kernel, EventCount events) {
  std::string name = addFunction(*plan.denseModule, kernel.take());
  plan.stages.back().dense = Alternative{name, kernel.buffers(), events};
}

std::vector<size_t> PlanBuilder::addStateStage(lanes::KernelBuilder &&kernels,
                                               const std::vector<size_t> &signals) {
  lanes::KernelModule taken = kernels.take();
  auto add = [&](StringRef name) {
    auto function = taken.module->lookupSymbol<func::FuncOp>(name);
    function->remove();
    return addFunction(*plan.module, function);
  };
  std::string step = add("step"), setup = add("setup");
  Stage stage{Work::Steps, step, setup, {}};
  for (size_t k = 0; k < taken.buffers.size(); ++k) {
    lanes::KernelBuffer &buffer = taken.buffers[k];
    if (k < signals.size())
      stage.buffers.push_back(signals[k]);
    else if (!buffer.contents.empty())
      stage.buffers.push_back(addParameter(buffer.contents));
    else
      stage.buffers.push_back(addFloats(Unit::Slot, size_t(buffer.elements) * kVector));
  }
  plan.stages.push_back(stage);
  return stage.buffers;
}

std::optional<EventList> PlanBuilder::findList(size_t buffer, size_t planes,
                                               const std::vector<uint32_t> &table) const {
  for (const KnownList &known : lists)
    if (known.buffer == buffer && known.planes == planes && known.table == table)
      return known.list;
  return std::nullopt;
}

void PlanBuilder::keepList(size_t buffer, size_t planes, std::vector<uint32_t> table,
                           EventList list) {
  lists.push_back({buffer, planes, std::move(table), std::move(list)});
}

} // namespace spindle::layers
