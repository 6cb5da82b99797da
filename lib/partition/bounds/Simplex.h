// A small linear program.
#pragma once

#include <vector>

namespace spindle {

/// A row of `coefficients` per condition.
struct LinearProgram {
  std::vector<double> objective;
  std::vector<std::vector<double>> coefficients;
  std::vector<double> limits; // per condition, at least 0
};

/// The x >= 0 with the largest objective·x among those with coefficients·x <= limits, by the
/// simplex method from x = 0 (Dantzig 1963; ties by the lowest index, Bland 1977). Requires that
/// the objective is bounded; a few hundred variables and conditions.
std::vector<double> maximize(const LinearProgram &program);

} // namespace spindle
