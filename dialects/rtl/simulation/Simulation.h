// A circuit, cycle by cycle: the meaning of the dialect, against which the emitted text is tested.
#pragma once

#include "dialects/rtl/Rtl.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

#include <functional>
#include <memory>
#include <vector>

namespace spindle::rtl {

/// One instance of a hand-written module.
class ExternModel {
public:
  virtual ~ExternModel() = default;
  /// The outputs now. Only inputs with a declared combinational path may be read; the others may be
  /// of the cycle before.
  virtual std::vector<llvm::APInt> outputs(llvm::ArrayRef<llvm::APInt> inputs) = 0;
  /// A rising edge of the clock.
  virtual void clock(llvm::ArrayRef<llvm::APInt> inputs) = 0;
};

/// Makes the model of an instance.
using ExternModels =
    std::function<std::unique_ptr<ExternModel>(ExternOp, mlir::DictionaryAttr parameters)>;

/// Simulates one module with everything below it. All state starts at zero (memories at their
/// initial contents) and changes in step(): there is one clock, which the clock inputs stand for.
/// Time per step is linear in the flattened design.
class Simulation {
public:
  /// Fails (Check) where the design is not valid, has no module `top`, or instantiates an extern
  /// while there are no models.
  static llvm::Expected<std::unique_ptr<Simulation>>
  create(mlir::ModuleOp design, llvm::StringRef top, ExternModels externs = {});

  /// Drives an input port from now on; the width must be that of the port.
  void set(llvm::StringRef input, const llvm::APInt &value);
  /// The value of an output port before the next edge.
  llvm::APInt get(llvm::StringRef output);
  /// One rising edge.
  void step();

private:
  /// A combinational operation, a copy (no operation), or an output of an extern.
  struct Cell {
    mlir::Operation *op = nullptr;
    std::vector<unsigned> inputs;
    unsigned output = 0;
    int external = -1, port = 0;
    int memory = -1; // the state that a LUT RAM's word is read from
  };
  /// An operation with state.
  struct State {
    mlir::Operation *op;
    std::vector<unsigned> inputs, outputs;
    std::vector<llvm::APInt>
        contents; // stages of a delay, words of a memory, the index of a machine's state
  };
  struct External {
    std::unique_ptr<ExternModel> model;
    std::vector<unsigned> inputs;
  };

  unsigned newValue(mlir::Value value);
  llvm::Error elaborate(CircuitModuleOp module, llvm::ArrayRef<unsigned> inputs,
                        std::vector<unsigned> &outputs);
  llvm::Error addInstance(InstanceOp instance, llvm::ArrayRef<unsigned> inputs,
                          llvm::ArrayRef<unsigned> outputs);
  void addState(mlir::Operation *op, llvm::ArrayRef<unsigned> inputs,
                llvm::ArrayRef<unsigned> outputs);
  void orderCells();
  void settle();
  std::vector<llvm::APInt> valuesOf(llvm::ArrayRef<unsigned> indices) const;

  ExternModels models;
  std::vector<llvm::APInt> values;
  std::vector<Cell> cells; // in the order of their dependencies
  std::vector<State> states;
  std::vector<External> externals;
  llvm::StringMap<unsigned> inputPorts, outputPorts;
  bool isSettled = false;
};

} // namespace spindle::rtl
