// The body of a pipeline as registers and wires.
#pragma once

#include "hw/hls/lower/rtl/Connections.h"
#include "hw/hls/lower/rtl/Counters.h"

namespace spindle::hls {

/// Values on the way through a pipeline: each is asked for in a cycle after the start of its
/// iteration and is then delayed until there.
class Datapath {
public:
  /// `issue` is high in the first cycle of an iteration, `first` for the first iteration of a run.
  /// With `bubbles`, an interval may pass without an iteration: carried values go through it as
  /// they are.
  Datapath(Wires &module, PipelineOp body, const IndexRanges &indices, mlir::Value issue,
           mlir::Value first, bool bubbles)
      : wires(module), arithmetic(module), pipeline(body), ranges(indices), issued(issue),
        isFirst(first), hasBubbles(bubbles) {}

  /// A value that is there at any time (bounds, scalars), or from the first cycle on (counters).
  void define(mlir::Value original, mlir::Value wire, bool isInvariant);
  /// The result of an operation at a port of the module, e.g. of a unit.
  void defineInput(llvm::StringRef name, mlir::Value wire) { inputs[name.str()] = wire; }
  void build();

  mlir::Value at(mlir::Value original, int64_t cycle);
  /// Whether an iteration is in this cycle.
  mlir::Value validAt(int64_t cycle) { return wires.delayed(issued, cycle, true, "valid"); }

  /// Whether there is another iteration, in the cycle in which this is known; null where counters
  /// tell.
  mlir::Value condition() const { return decision; }

  /// What drives the outputs, by name: arg0_b0_p0_en, mulf_f64_0_a, …
  const std::map<std::string, mlir::Value> &outputs() const { return driven; }
  /// Results that come in through a port, and the port: mulf_l12, mulf_f64_0_y.
  const std::vector<std::pair<std::string, std::string>> &aliases() const { return results; }

private:
  struct Known {
    mlir::Value wire;
    int64_t ready;    // cycle; -1: invariant
    std::string name; // of delays; empty: after the wire
  };
  void nameOperations();
  void buildOperation(mlir::Operation *op);
  void buildAccess(mlir::Operation *op);
  void buildUnit(mlir::Operation *op, UnitOp unit);
  void buildToken(mlir::Operation *op);
  mlir::Value combinational(mlir::Operation *op);
  mlir::Value onFloatBits(mlir::Operation *op, int64_t cycle);
  int64_t readyCycle(mlir::Value value, unsigned turns = 0);
  mlir::Value extendedAt(mlir::Operation *op, int64_t cycle);
  mlir::Value carriedAt(mlir::BlockArgument argument, int64_t cycle);
  Index indexAt(mlir::Value original, int64_t cycle);
  void defineResult(mlir::Operation *op, const std::string &port);
  void enable(const std::string &port, mlir::Value acts);
  void collectOutputs();
  using Choices = std::vector<std::pair<mlir::Value, mlir::Value>>;

  Wires &wires;
  IndexArithmetic arithmetic;
  PipelineOp pipeline;
  const IndexRanges &ranges;
  mlir::Value issued, isFirst, decision;
  bool hasBubbles;
  llvm::DenseMap<mlir::Value, Known> known;
  llvm::DenseMap<mlir::Operation *, std::string> names;         // each once
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> carried; // expression: an earlier one
  std::vector<std::pair<std::string, std::string>> results;
  std::map<std::string, mlir::Value> inputs, driven;
  std::map<std::string, Choices> choices; // by output: who drives it when
  std::map<std::string, mlir::Value> enables;
  llvm::DenseMap<mlir::Value, rtl::WireOp> pending; // carried values used before they are made
};

} // namespace spindle::hls
