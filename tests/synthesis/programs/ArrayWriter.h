// Arrays of random programs, and subscripts that stay inside them.
#pragma once

#include "tests/synthesis/programs/ScalarWriter.h"

namespace spindle::hls {

/// A memref of any rank; a view of another one has a type that is not row-major.
struct Array {
  std::string name, element, type;
  std::vector<int64_t> shape;
  bool isConstant = false, isView = false;
};

/// The variable of a loop, from `least` to `most`; any number where the loop never runs.
struct Counter {
  std::string name;
  int64_t least, most;
  bool isAffine; // may stand in affine maps
};

/// An affine expression of counters and its range.
struct Form {
  std::string text;
  int64_t least, most;
};

/// What an affine map is applied to: `(d0, d1)[s0]` and `(%i, %j)[%n]`; or the names themselves
/// stand in the expression.
struct Operands {
  explicit Operands(bool areNamed = false) : isInline(areNamed) {}
  std::string of(const std::string &name, bool isSymbol);
  std::string heading() const; // (d0, d1)[s0]
  std::string given() const;   // (%i, %j)[%n]

  bool isInline;
  std::vector<std::string> dims, symbols;
};

/// What is known at a place of the program.
struct Place {
  Scope scope;
  std::vector<Counter> counters;
  std::vector<Array> arrays;
  std::vector<Counter> symbols; // arguments of the function that are indices, with their range
};

class ArrayWriter : public ScalarWriter {
protected:
  using ScalarWriter::ScalarWriter;

  std::vector<int64_t> anyShape();
  Array anyArray(const std::string &name, const std::string &element);
  /// A constant array: its text goes in front of the functions.
  Array constantArray();
  /// Filled before anybody reads it.
  Array localArray(Place &place);
  /// A part of an array, or the array in another shape; the array itself where it has none.
  Array view(const Place &place, const Array &array);

  Form affineForm(const Place &place, Operands &operands);
  Form moved(Form form, int64_t by);
  Named loaded(Place &place);
  void store(Place &place);
  /// An index that a map computes from counters.
  Named applied(const Place &place);

  std::string globals;

private:
  struct Subscript {
    std::string text; // of all dimensions
    bool isAffine;
  };
  Subscript subscript(const Place &place, const Array &array);
  std::string affineSubscript(const Place &place, int64_t extent);
  Array subview(const Place &place, const Array &array);
  Array reshaped(const Array &array);
  std::string elements(const std::string &element, const std::vector<int64_t> &shape, size_t dim);

  unsigned constants = 0;
};

std::string arrayType(const std::string &element, const std::vector<int64_t> &shape);

} // namespace spindle::hls
