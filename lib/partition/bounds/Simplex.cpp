#include "lib/partition/bounds/Simplex.h"

#include <cstddef>
#include <cstdint>

namespace spindle {

static constexpr double kZero = 1e-11;

namespace {

/// One row per condition and the objective's last; one column per variable and slack, and the
/// limit.
class Tableau {
public:
  explicit Tableau(const LinearProgram &program)
      : variables(program.objective.size()), conditions(program.limits.size()), basis(conditions),
        rows(conditions + 1, std::vector<double>(variables + conditions + 1, 0)) {
    for (size_t i = 0; i < conditions; ++i) {
      for (size_t j = 0; j < variables; ++j)
        rows[i][j] = program.coefficients[i][j];
      rows[i][variables + i] = 1;
      rows[i].back() = program.limits[i];
      basis[i] = variables + i;
    }
    for (size_t j = 0; j < variables; ++j)
      rows.back()[j] = -program.objective[j];
  }

  std::vector<double> run() {
    // The steepest column is quick, the first one never runs in a circle.
    size_t most = 20 * (variables + conditions);
    for (size_t step = 0; step < 2 * most; ++step) {
      size_t column = entering(/*isFirst=*/step >= most);
      size_t row = column == kNowhere ? kNowhere : leaving(column);
      if (row == kNowhere)
        break;
      pivot(row, column);
    }
    std::vector<double> x(variables, 0);
    for (size_t i = 0; i < conditions; ++i)
      if (basis[i] < variables)
        x[basis[i]] = rows[i].back();
    return x;
  }

private:
  static constexpr size_t kNowhere = SIZE_MAX;

  size_t entering(bool isFirst) const {
    size_t best = kNowhere;
    for (size_t j = 0; j + 1 < rows.back().size(); ++j)
      if (rows.back()[j] < -kZero && (best == kNowhere || rows.back()[j] < rows.back()[best])) {
        best = j;
        if (isFirst)
          break;
      }
    return best;
  }

  size_t leaving(size_t column) const {
    size_t best = kNowhere;
    double least = 0;
    for (size_t i = 0; i < conditions; ++i) {
      if (rows[i][column] <= kZero)
        continue;
      double ratio = rows[i].back() / rows[i][column];
      if (best == kNowhere || ratio < least || (ratio == least && basis[i] < basis[best])) {
        best = i;
        least = ratio;
      }
    }
    return best;
  }

  void pivot(size_t row, size_t column) {
    double scale = rows[row][column];
    for (double &value : rows[row])
      value /= scale;
    for (size_t i = 0; i < rows.size(); ++i) {
      double factor = rows[i][column];
      if (i == row || factor == 0)
        continue;
      for (size_t j = 0; j < rows[i].size(); ++j)
        rows[i][j] -= factor * rows[row][j];
    }
    basis[row] = column;
  }

  size_t variables, conditions;
  std::vector<size_t> basis; // per condition, the variable that it gives
  std::vector<std::vector<double>> rows;
};

} // namespace

std::vector<double> maximize(const LinearProgram &program) { return Tableau(program).run(); }

} // namespace spindle
