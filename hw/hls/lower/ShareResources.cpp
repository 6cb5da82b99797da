#include "hw/hls/lower/ShareResources.h"

#include "dialects/hls/Concurrency.h"
#include "hw/hls/lower/kernel/TaskOrder.h"

#include "fmt/format.h"

namespace spindle::hls {

void ShareResources::addPipeline(PipelineOp pipeline, const PipelineProblem &problem,
                                 const Schedule &schedule) {
  std::vector<Use> &mine = uses[pipeline];
  for (auto [id, operation] : llvm::enumerate(problem.problem.operations))
    for (auto [position, resource] : llvm::enumerate(operation.uses)) {
      const Resource &taken = problem.problem.resources[resource];
      mine.push_back(
          {problem.operations[id], taken.name, problem.units[id], schedule.instance[id][position]});
      if (!problem.units[id])
        ports[taken.name] = taken.count;
    }
}

ShareResources::Needs ShareResources::needsOf(mlir::Operation &task) {
  Needs needs;
  if (auto pipeline = llvm::dyn_cast<PipelineOp>(task)) {
    for (const Use &use : uses[pipeline])
      needs[use.resource] = std::max(needs[use.resource], use.instance + 1);
    return needs;
  }
  // Repeats run alone: what matters is which instances they need.
  TasksOp tasks = llvm::cast<RepeatOp>(task).getTasks();
  for (mlir::Operation &inner : tasks.getBody().front())
    for (const auto &[resource, count] : needsOf(inner))
      needs[resource] = std::max(needs[resource], count);
  return needs;
}

unsigned ShareResources::capacity(const std::string &resource) const {
  if (auto port = ports.find(resource); port != ports.end())
    return port->second;
  auto limit = options.units.find(resource);
  return limit == options.units.end() ? UINT32_MAX : limit->second;
}

/// Each task takes its instances above those of the earlier tasks it may meet; where they do not
/// suffice, it waits for them.
void ShareResources::place(TasksOp tasks, const Needs &base) {
  std::vector<mlir::Operation *> children;
  std::vector<Needs> tops; // first instance above those of the task
  for (mlir::Operation &task : tasks.getBody().front()) {
    Needs needs = needsOf(task), from;
    auto meets = [&](size_t earlier) { return !precedence(tasks)[earlier][children.size()]; };
    auto count = [](const Needs &of, const std::string &resource) {
      auto found = of.find(resource);
      return found == of.end() ? 0 : found->second;
    };
    auto overlaps = [&](size_t earlier) {
      return llvm::any_of(needs, [&](const auto &need) {
        unsigned top = count(tops[earlier], need.first);
        return top > 0 && top + need.second > capacity(need.first);
      });
    };
    for (size_t earlier = children.size(); earlier-- > 0;) {
      bool isPlain = llvm::isa<PipelineOp>(task) && llvm::isa<PipelineOp>(children[earlier]);
      if (meets(earlier) && (!options.concurrent || !isPlain || overlaps(earlier)))
        orderAfter(&task, children[earlier]);
    }
    for (const auto &need : needs) {
      from[need.first] = count(base, need.first);
      for (size_t earlier = 0; earlier < children.size(); ++earlier)
        if (meets(earlier))
          from[need.first] = std::max(from[need.first], count(tops[earlier], need.first));
    }
    if (auto pipeline = llvm::dyn_cast<PipelineOp>(task))
      bindPipeline(pipeline, from);
    else
      place(llvm::cast<RepeatOp>(task).getTasks(), from);
    children.push_back(&task);
    Needs top = needs;
    for (auto &entry : top)
      entry.second += from[entry.first];
    tops.push_back(std::move(top));
  }
}

void ShareResources::bindPipeline(PipelineOp pipeline, const Needs &base) {
  mlir::OpBuilder builder(kernel.getContext());
  for (const Use &use : uses[pipeline]) {
    unsigned instance = use.instance + base.at(use.resource);
    if (!use.unit) {
      if (MemoryOp memory = memoryOf(use.op); memory.getDistributed() && llvm::isa<StoreOp>(use.op))
        instance = memory.getPorts() - 1;
      use.op->setAttr("port", builder.getI64IntegerAttr(instance));
      continue;
    }
    for (unsigned &made = instances[use.resource]; made <= instance; ++made) {
      builder.setInsertionPoint(kernel.getTasks());
      llvm::SmallVector<mlir::NamedAttribute> parameters;
      for (const auto &[name, value] : use.unit->parameters)
        parameters.push_back(builder.getNamedAttr(name, builder.getI64IntegerAttr(value)));
      llvm::SmallVector<mlir::Attribute> operations;
      for (const std::string &operation : use.unit->operations)
        operations.push_back(builder.getStringAttr(operation));
      UnitOp::create(
          builder, use.op->getLoc(), fmt::format("{}_{}", use.resource, made),
          builder.getArrayAttr(operations), use.op->getOperand(0).getType(), use.unit->module,
          builder.getDictionaryAttr(parameters), use.unit->latency, use.unit->interval,
          use.unit->operandBits.empty() ? mlir::DenseI64ArrayAttr()
                                        : builder.getDenseI64ArrayAttr(use.unit->operandBits));
    }
    use.op->setAttr(HlsDialect::unitName,
                    mlir::FlatSymbolRefAttr::get(kernel.getContext(),
                                                 fmt::format("{}_{}", use.resource, instance)));
  }
}

void ShareResources::bind() { place(kernel.getTasks(), {}); }

} // namespace spindle::hls
