#include "sim/model/devices/WireDrop.h"

#include <Eigen/Dense>

namespace spindle {

namespace {

/// A row as the column nodes beside it see it: they lose `conductance` times their voltages to it,
/// and get `drive` per volt of its driver.
struct RowWire {
  Eigen::MatrixXd conductance;
  Eigen::VectorXd drive;
};

} // namespace

/// The inverse of the matrix of a row wire's nodes, which stand in a line, driver first: three
/// diagonals, -1 beside the main one. `cells` are conductances in units of a wire segment. Pivots
/// from both ends give the diagonal, and its neighbours follow from them one after the other.
static Eigen::MatrixXd wireInverse(const Eigen::VectorXd &cells) {
  Eigen::Index columns = cells.size();
  Eigen::VectorXd own = cells.array() + 2;
  own[columns - 1] -= 1; // the wire ends there
  Eigen::VectorXd fromDriver = own, fromEnd = own;
  for (Eigen::Index c = 1; c < columns; ++c)
    fromDriver[c] -= 1 / fromDriver[c - 1];
  for (Eigen::Index c = columns - 1; c-- > 0;)
    fromEnd[c] -= 1 / fromEnd[c + 1];
  Eigen::MatrixXd inverse(columns, columns);
  for (Eigen::Index c = 0; c < columns; ++c) {
    double value = inverse(c, c) = 1 / (fromDriver[c] + fromEnd[c] - own[c]);
    for (Eigen::Index before = c; before-- > 0;)
      inverse(before, c) = inverse(c, before) = value /= fromDriver[before];
  }
  return inverse;
}

static RowWire eliminateWire(const Eigen::VectorXd &cells) {
  Eigen::MatrixXd inverse = wireInverse(cells);
  RowWire row;
  row.drive = cells.cwiseProduct(inverse.col(0));
  row.conductance = -(cells.asDiagonal() * inverse * cells.asDiagonal());
  row.conductance.diagonal() += cells;
  return row;
}

CellMatrix transferOf(const CellMatrix &conductances, double segment) {
  Eigen::Index columns = conductances.columns, rows = conductances.rows;
  CellMatrix transfer(conductances.rows, conductances.columns);
  if (columns == 0)
    return transfer;
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::Map<const RowMajor> cells(conductances.values.data(), rows, columns);
  Eigen::MatrixXd voltages(columns, rows); // of the nodes beside row r, by driven row, plus those
                                           // that the nodes of the next row cause
  Eigen::MatrixXd inverse = Eigen::MatrixXd::Zero(columns, columns); // of these nodes
  for (Eigen::Index r = 0; r < rows; ++r) {
    RowWire row = eliminateWire(segment * cells.row(r).transpose());
    Eigen::MatrixXd nodes = row.conductance - inverse;
    nodes.diagonal().array() += r > 0 ? 2 : 1; // segments to the rows before and after
    inverse = nodes.llt().solve(Eigen::MatrixXd::Identity(columns, columns));
    voltages.col(r) = row.drive;
    voltages.leftCols(r + 1) = inverse * voltages.leftCols(r + 1).eval();
  }
  Eigen::Map<RowMajor>(transfer.values.data(), rows, columns) = voltages.transpose() / segment;
  return transfer;
}

} // namespace spindle
