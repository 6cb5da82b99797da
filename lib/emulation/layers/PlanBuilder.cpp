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

/// Adds the function of a kernel.
static void addFunction(ModuleOp module, const std::string &name, StageKernel &kernel) {
  OwningOpRef<func::FuncOp> function = kernel.take();
  function->setName(name);
  module.push_back(function.release());
}

void PlanBuilder::addStage(StageKernel &&kernel) {
  std::string name = nextName();
  addFunction(*plan.module, name, kernel);
  plan.stages.push_back({kernel.work, name, "", kernel.buffers()});
}

void PlanBuilder::addAlternative(StageKernel &&kernel, EventCount events) {
  Stage &stage = plan.stages.back();
  addFunction(*plan.denseModule, stage.kernel, kernel);
  stage.dense = Alternative{stage.kernel, kernel.buffers(), events};
}

std::vector<size_t> PlanBuilder::addStateStage(lanes::KernelBuilder &&kernels,
                                               const std::vector<size_t> &signals) {
  lanes::KernelModule taken = kernels.take();
  std::string name = nextName();
  Stage stage{Work::Steps, name, name + "_setup", {}};
  for (auto [from, to] : {std::pair("step", stage.kernel), {"setup", stage.setup}}) {
    auto function = taken.module->lookupSymbol<func::FuncOp>(from);
    function.setName(to);
    function->remove();
    plan.module->push_back(function);
  }
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
