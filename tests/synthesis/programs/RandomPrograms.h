// Random programs with all that the front ends of kernels write.
#pragma once

#include "tests/synthesis/programs/ScalarWriter.h"

namespace spindle::hls {

struct RandomProgramOptions {
  NumberKind numbers = NumberKind::Any;
  unsigned parts = 1;        // programs one behind the other, each with arguments of its own
  unsigned statements = 4;   // of a part, at most, besides two
  bool isClosed = false;     // no loops that data or arguments end
  bool hasDirectives = true; // hls.unroll at some loops, which may be refused
};

/// A module with `func.func @kernel` as text, the same for the same seed on every machine.
///
/// Numbers are of i1 to i64, index, f16 to f64 in mixture, with all operations that have hardware
/// or are spelled out. Arrays are arguments, local or constant, of rank 0 to 3, also of indices,
/// and views of them. Loops are affine.for with constant, negative, triangular, least and largest
/// bounds in steps of 1 to 4, scf.for over indices and integers, scf.while that tests first or
/// last, parallel loops with reductions, with 0, 1 and few iterations, several carried values and
/// statements beside them; conditions affine or not, with results and loops in them; switches;
/// calls of functions with loops. Subscripts are affine with quotients and remainders, or data.
/// Every access is in range, every loop ends, and index arguments are from -8 to 24.
std::string randomProgram(uint64_t seed, const RandomProgramOptions &options = {});

} // namespace spindle::hls
