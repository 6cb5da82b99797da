#include "dialects/hls/Concurrency.h"

#include <map>

namespace spindle::hls {

std::optional<Claim> claimOf(mlir::Operation *op) {
  if (UnitOp unit = unitOf(op))
    return Claim{unit.getSymName().str(), static_cast<int64_t>(unit.getInterval())};
  if (llvm::isa<PopOp, PushOp>(op))
    return Claim{(fifoOf(op).getSymName() + " " + op->getName().stripDialect()).str(), 1};
  if (!llvm::isa<LoadOp, StoreOp>(op) || !op->hasAttr("port"))
    return std::nullopt;
  auto number = [&](const char *name) {
    return op->getAttrOfType<mlir::IntegerAttr>(name).getInt();
  };
  return Claim{(memoryOf(op).getSymName() + " bank " + llvm::Twine(number("bank")) + " port " +
                llvm::Twine(number("port")))
                   .str(),
               1};
}

std::vector<std::vector<bool>> precedence(TasksOp tasks) {
  std::map<std::string, size_t> position;
  std::vector<std::vector<bool>> before;
  for (mlir::Operation &task : tasks.getBody().front()) {
    size_t mine = position.size();
    position[nameOf(&task).str()] = mine;
    for (std::vector<bool> &row : before)
      row.push_back(false);
    before.emplace_back(mine + 1, false);
    for (llvm::StringRef name : predecessorsOf(&task)) {
      size_t earlier = position.at(name.str());
      before[earlier][mine] = true;
      for (size_t other = 0; other < mine; ++other)
        if (before[other][earlier])
          before[other][mine] = true;
    }
  }
  return before;
}

namespace {

mlir::LogicalResult verifyTasks(TasksOp tasks) {
  std::vector<std::vector<bool>> before = precedence(tasks);
  std::map<std::string, std::vector<std::pair<size_t, mlir::Operation *>>> claims;
  mlir::LogicalResult result = mlir::success();
  for (auto [position, task] : llvm::enumerate(tasks.getBody().front()))
    task.walk([&, at = position](mlir::Operation *op) {
      std::optional<Claim> claim = claimOf(op);
      if (!claim || mlir::failed(result))
        return;
      auto &users = claims[claim->what];
      if (!users.empty() && users.back().first == at)
        return;
      for (auto [other, first] : users)
        if (!before[other][at]) {
          mlir::InFlightDiagnostic error = op->emitOpError("uses ")
                                           << claim->what << " in a task that may run at the same "
                                           << "time as another that uses it (kernel_c3)";
          error.attachNote(first->getLoc()) << "used here too";
          result = error;
        }
      users.emplace_back(at, op);
    });
  return result;
}

} // namespace

mlir::LogicalResult verifyConcurrency(KernelOp kernel) {
  mlir::WalkResult walk = kernel.walk([](TasksOp tasks) {
    return mlir::failed(verifyTasks(tasks)) ? mlir::WalkResult::interrupt()
                                            : mlir::WalkResult::advance();
  });
  return mlir::failure(walk.wasInterrupted());
}

} // namespace spindle::hls
