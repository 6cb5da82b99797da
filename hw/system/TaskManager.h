// The manager of a task: begins its inputs one after the other, and counts those that are done.
#pragma once

#include "core/kernel/TaskGraph.h"
#include "hw/hls/lower/rtl/Wires.h"

#include <memory>

namespace spindle::hls {

/// The managers of a system, with what goes to and from each.
struct TaskManagers {
  struct Signals {
    mlir::Value isReady;  // could begin an input now, and is not at work
    mlir::Value starts;   // begins one
    mlir::Value isAtWork; // since the cycle after that, up to the one in which the kernel is done
    mlir::Value isActive; // starts or is at work
    mlir::Value inputs;   // that are done
    rtl::WireOp granted, ended; // to be driven: whether it may start; the circuit's done
  };
  std::vector<Signals> tasks;
  mlir::Value allDone;
};

/// Bits of a number of inputs.
unsigned inputBits(const TaskGraph &graph);

/// Declares the module `name` and makes an instance for each task. `clear` starts a run, `runs`
/// lasts as long as it. What tasks wait for is connected; `granted` and `ended` are not.
TaskManagers addManagers(Wires &wires, mlir::ModuleOp design, const std::string &name,
                         const TaskGraph &graph, mlir::Value clear, mlir::Value runs);

} // namespace spindle::hls
