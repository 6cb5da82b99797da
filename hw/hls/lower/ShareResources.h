// Units and ports shared among the tasks of a kernel.
#pragma once

#include "hw/hls/lower/ScheduleKernel.h"

namespace spindle::hls {

/// What is known of one use: an operation, what it takes, and which of the instances that its
/// pipeline needs.
class ShareResources {
public:
  ShareResources(KernelOp hardware, const ScheduleOptions &wanted)
      : kernel(hardware), options(wanted), hasStreams(!hardware.getOps<FifoOp>().empty()) {}

  void addPipeline(PipelineOp pipeline, const PipelineProblem &problem, const Schedule &schedule);

  /// Decides which independent tasks run at the same time, gives every use an instance of its own
  /// among those that may meet, and makes the `hls.unit` operations. Tasks of a kernel with streams
  /// never wait for each other's units: one might wait for the other's tokens. Errors: an array
  /// with fewer ports than such tasks need.
  llvm::Error bind();

private:
  using Needs = std::map<std::string, unsigned>; // resource → instances

  Needs needsOf(mlir::Operation &task);
  llvm::Error place(TasksOp tasks, const Needs &base);
  unsigned capacity(const std::string &resource) const;
  void bindPipeline(PipelineOp pipeline, const Needs &base);

  struct Use {
    mlir::Operation *op;
    std::string resource;
    const FunctionalUnit *unit; // null for a port
    unsigned instance;
  };

  KernelOp kernel;
  const ScheduleOptions &options;
  bool hasStreams;
  std::map<mlir::Operation *, std::vector<Use>> uses; // by pipeline
  std::map<std::string, unsigned> ports;              // of banks
  std::map<std::string, unsigned> instances;          // of units that are bound
};

} // namespace spindle::hls
