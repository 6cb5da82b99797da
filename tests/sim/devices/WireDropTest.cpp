// Voltage drop along the wires of a crossbar against nodal analysis by a sparse matrix.
#include "sim/model/devices/WireDrop.h"

#include "core/support/CounterRandom.h"

#include "gmock/gmock.h"
#include <Eigen/Sparse>

#include <cmath>

using namespace spindle;

namespace {

/// Every node of both kinds of wires, every segment and cell a resistor between two of them.
class SparseCircuit {
public:
  SparseCircuit(const CellMatrix &given, double segment) : cells(given), wire(1 / segment) {
    for (uint32_t r = 0; r < cells.rows; ++r)
      for (uint32_t c = 0; c < cells.columns; ++c) {
        connect(rowNode(r, c), columnNode(r, c), cells.at(r, c));
        connect(rowNode(r, c), c == 0 ? -1 : rowNode(r, c - 1), wire);
        connect(columnNode(r, c), r + 1 == cells.rows ? -1 : columnNode(r + 1, c), wire);
      }
    Eigen::Index nodes = 2 * Eigen::Index(cells.values.size());
    Eigen::SparseMatrix<double> matrix(nodes, nodes);
    matrix.setFromTriplets(entries.begin(), entries.end());
    solver.compute(matrix);
  }

  /// Currents of the columns with these voltages at the rows.
  std::vector<double> currents(const std::vector<double> &volts) const {
    Eigen::VectorXd injected = Eigen::VectorXd::Zero(2 * Eigen::Index(cells.values.size()));
    for (uint32_t r = 0; r < cells.rows; ++r)
      injected[rowNode(r, 0)] = volts[r] * wire;
    Eigen::VectorXd nodes = solver.solve(injected);
    std::vector<double> made;
    for (uint32_t c = 0; c < cells.columns; ++c)
      made.push_back(nodes[columnNode(cells.rows - 1, c)] * wire);
    return made;
  }

private:
  int rowNode(uint32_t r, uint32_t c) const { return int(2 * (r * cells.columns + c)); }
  int columnNode(uint32_t r, uint32_t c) const { return rowNode(r, c) + 1; }
  /// Node -1 is a source or the ground.
  void connect(int a, int b, double conductance) {
    entries.emplace_back(a, a, conductance);
    if (b < 0)
      return;
    entries.emplace_back(b, b, conductance);
    entries.emplace_back(a, b, -conductance);
    entries.emplace_back(b, a, -conductance);
  }

  const CellMatrix &cells;
  double wire;
  std::vector<Eigen::Triplet<double>> entries;
  Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver;
};

CellMatrix randomCells(CounterRandom &draw, uint32_t rows, uint32_t columns) {
  CellMatrix cells(rows, columns);
  for (double &cell : cells.values)
    cell = draw.below(4) == 0 ? 0.01 : draw.uniform();
  return cells;
}

std::vector<double> currentsBy(const CellMatrix &transfer, const std::vector<double> &volts) {
  std::vector<double> currents(transfer.columns);
  for (uint32_t r = 0; r < transfer.rows; ++r)
    for (uint32_t c = 0; c < transfer.columns; ++c)
      currents[c] += transfer.at(r, c) * volts[r];
  return currents;
}

/// The largest difference, in shares of the current of the circuit.
double worstError(const CellMatrix &transfer, const SparseCircuit &circuit,
                  const std::vector<double> &volts) {
  std::vector<double> expected = circuit.currents(volts), made = currentsBy(transfer, volts);
  double worst = 0;
  for (size_t c = 0; c < made.size(); ++c)
    worst = std::max(worst, std::abs(made[c] - expected[c]) / std::abs(expected[c]));
  return worst;
}

TEST(WireDrop, OneCellIsThreeResistorsInARow) {
  CellMatrix cell(1, 1);
  cell.at(0, 0) = 0.5;
  EXPECT_DOUBLE_EQ(transferOf(cell, 0.25).at(0, 0), 1 / (0.25 + 2 + 0.25));
}

TEST(WireDrop, IsTheCircuitOfRandomCrossbars) {
  CounterRandom draw(1);
  for (int network = 0; network < 60; ++network) {
    CellMatrix cells = randomCells(draw, 1 + draw.below(12), 1 + draw.below(12));
    double segment = std::pow(10.0, -4.0 + 4 * draw.uniform());
    CellMatrix transfer = transferOf(cells, segment);
    SparseCircuit circuit(cells, segment);
    for (uint32_t row = 0; row < cells.rows; ++row) {
      std::vector<double> volts(cells.rows);
      volts[row] = 1;
      EXPECT_LT(worstError(transfer, circuit, volts), 1e-9) << cells.rows << "×" << cells.columns;
    }
  }
}

/// 1 and 10 ohm beside cells of 100 kiloohm: drops of a few per cent, and of a third.
TEST(WireDrop, IsTheCircuitOfALargeCrossbar) {
  CounterRandom draw(2);
  CellMatrix cells = randomCells(draw, 128, 128);
  for (double segment : {1e-5, 1e-4}) {
    CellMatrix transfer = transferOf(cells, segment);
    SparseCircuit circuit(cells, segment);
    for (uint32_t share : {1, 4}) {
      std::vector<double> volts(cells.rows);
      for (double &volt : volts)
        volt = draw.below(share) == 0;
      std::vector<double> straight = currentsBy(cells, volts), made = currentsBy(transfer, volts);
      double error = worstError(transfer, circuit, volts);
      EXPECT_LT(error, 1e-8);
      EXPECT_LT(made.back(), 0.98 * straight.back());
    }
  }
}

TEST(WireDrop, WiresWithoutResistanceAreCellsAlone) {
  CounterRandom draw(3);
  CellMatrix cells = randomCells(draw, 7, 5);
  CellMatrix transfer = transferOf(cells, 1e-12);
  for (size_t cell = 0; cell < cells.values.size(); ++cell)
    EXPECT_NEAR(transfer.values[cell], cells.values[cell], 1e-9);
}

} // namespace
