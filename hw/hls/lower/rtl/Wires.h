// Short names for the operations that modules are built of.
#pragma once

#include "dialects/rtl/NameHints.h"
#include "dialects/rtl/Rtl.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <map>
#include <string>

namespace spindle::hls {

/// Builds values of one module; a null wire counts as true in `conjunction` and as false in
/// `disjunction`.
class Wires {
public:
  Wires(mlir::Location location, mlir::Block *body, mlir::Value clk, mlir::Value rst)
      : builder(mlir::ImplicitLocOpBuilder::atBlockEnd(rtl::withoutNames(location), body)),
        clock(clk), reset(rst) {}

  /// While it lives, what is made is part of `name`, at the place of `location`.
  class Part {
  public:
    Part(Wires &module, mlir::Location location, llvm::StringRef name)
        : wires(module), before(module.builder.getLoc()) {
      wires.builder.setLoc(rtl::withName(location, {name, false}));
    }
    Part(Wires &module, llvm::StringRef name) : Part(module, module.builder.getLoc(), name) {}
    ~Part() { wires.builder.setLoc(before); }
    Part(const Part &) = delete;
    Part &operator=(const Part &) = delete;

  private:
    Wires &wires;
    mlir::Location before;
  };

  mlir::Value constant(int64_t value, unsigned bits);
  mlir::Value one() { return constant(1, 1); }
  mlir::Value zero() { return constant(0, 1); }
  mlir::Value negation(mlir::Value wire);
  mlir::Value conjunction(mlir::Value a, mlir::Value b);
  mlir::Value disjunction(mlir::Value a, mlir::Value b);
  mlir::Value choose(mlir::Value condition, mlir::Value whenHigh, mlir::Value whenLow);
  mlir::Value equals(mlir::Value a, int64_t value);
  /// A delay of `cycles`, called `name` or after the value and then `_d3`; the value itself for 0
  /// and for constants.
  mlir::Value delayed(mlir::Value value, int64_t cycles, bool resets = false,
                      llvm::StringRef name = {});
  /// Calls a value `name` where it has no name yet: ports, constants, registers and results of
  /// instances keep theirs.
  mlir::Value named(mlir::Value value, llvm::StringRef name);
  /// The value whose valid bit is high; the only value as it is.
  mlir::Value oneHot(llvm::ArrayRef<std::pair<mlir::Value, mlir::Value>> choices);
  /// A register to be driven later by setNext.
  rtl::RegOp holding(unsigned bits, llvm::StringRef name, mlir::Value enable = {},
                     bool resets = false);
  rtl::WireOp wire(unsigned bits, llvm::StringRef name);
  /// A flag that is set, and cleared where both happen.
  mlir::Value flag(mlir::Value set, mlir::Value clear, llvm::StringRef name);
  /// Extended or cut to `bits`.
  mlir::Value resized(mlir::Value value, unsigned bits, bool isSigned);
  /// Ends the module: each of its outputs is driven by the value of its name.
  void drive(rtl::CircuitModuleOp module, const std::map<std::string, mlir::Value> &outputs);

  mlir::ImplicitLocOpBuilder builder;
  mlir::Value clock, reset;
};

} // namespace spindle::hls
