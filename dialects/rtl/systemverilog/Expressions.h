// Values as SystemVerilog expressions.
#pragma once

#include "dialects/rtl/Rtl.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

#include <string>

namespace spindle::rtl {

/// Bits of a declared vector or scalar that a value is.
struct Place {
  std::string name;
  unsigned low = 0;
  unsigned width = 1;
  unsigned vectorWidth = 1; // of the declaration

  /// `name`, `name[3]` or `name[7:4]`: `count` bits of the value from bit `from`.
  std::string text(unsigned from, unsigned count) const;
};

/// `8'd5`, `64'h3ff0000000000000`.
std::string literal(const llvm::APInt &bits);

/// `[7:0] ` before a name, nothing for one bit.
std::string range(unsigned width);

/// The text of values: a place where the value is declared, else the expression of its operation.
class Expressions {
public:
  /// Whether the operation's expression needs this operand to be declared, as it takes parts of it.
  static bool needsPlace(mlir::OpOperand &operand);

  void declare(mlir::Value value, Place place) { places[value] = std::move(place); }
  bool isDeclared(mlir::Value value) const { return places.count(value) > 0; }
  const Place &placeOf(mlir::Value value) const { return places.find(value)->second; }
  /// Gives the expression of a value whose operation has none here: a state of a machine.
  void define(mlir::Value value, std::string text) { texts[value] = std::move(text); }

  /// The expression of a value, as one operand of a bigger one: in parentheses where it is not a
  /// single term.
  std::string operand(mlir::Value value);
  /// The expression of a value that stands alone.
  std::string whole(mlir::Value value);
  /// The expression of the operation behind a value, also where that is declared.
  std::string definition(mlir::Value value);
  /// All stages of a delay but the last, which its place is.
  std::string stagesBefore(const Place &place);
  /// Characters of the definition.
  size_t lengthOf(mlir::Value value);

  /// The bits of the declaration `name` that texts returned so far read; may be shorter than the
  /// declaration.
  llvm::BitVector usedBits(llvm::StringRef name) const { return used.lookup(name); }

private:
  bool isTerm(mlir::Value value) const;
  std::string shift(mlir::Operation *op);
  std::string part(const Place &place, unsigned from, unsigned count);

  llvm::DenseMap<mlir::Value, Place> places;
  llvm::DenseMap<mlir::Value, std::string> texts;
  llvm::StringMap<llvm::BitVector> used;
  bool isRecording = true;
};

} // namespace spindle::rtl
