#include "sim/model/energy/TemperatureGrid.h"

#include "core/support/CounterRandom.h"

#include "gmock/gmock.h"
#include <Eigen/Sparse>

#include <numeric>

using namespace spindle;

namespace {

const Thermal kThermal = {{40, ""}, {30, ""}, {4, ""}};

TEST(TemperatureGrid, EqualPowerFlowsOutwardsAlone) {
  std::vector<double> tiles = tileTemperatures({7, 3}, kThermal, std::vector<double>(21, 0.25));
  for (double celsius : tiles)
    EXPECT_NEAR(celsius, 40 + 0.25 * 30, 1e-9);
  for (double celsius : tileTemperatures({7, 3}, kThermal, std::vector<double>(21, 0)))
    EXPECT_EQ(celsius, 40);
}

/// One of two is heated: R_a (R_a + R_b) / (2 R_a + R_b), and by how much of it the other.
TEST(TemperatureGrid, TwoTilesByHand) {
  std::vector<double> tiles = tileTemperatures({1, 2}, kThermal, {2, 0});
  EXPECT_NEAR(tiles[0], 40 + 2 * 30 * 34 / 64.0, 1e-9);
  EXPECT_NEAR(tiles[1], 40 + 2 * 30 * 34 / 64.0 * 30 / 34, 1e-9);
}

TEST(TemperatureGrid, AgreesWithASparseSolution) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    CounterRandom draw(seed);
    Mesh mesh{1 + draw.below(12), 1 + draw.below(12),
              draw.below(2) == 0 ? Topology::Torus : Topology::Mesh}; // heat knows no torus
    Thermal thermal = {
        {25, ""}, {0.1 + 100 * draw.uniform(), ""}, {0.1 + 100 * draw.uniform(), ""}};
    std::vector<double> watts(mesh.tiles());
    for (uint32_t source = seed < 5 ? 1 : 1 + draw.below(8); source > 0; --source)
      watts[draw.below(mesh.tiles())] = draw.uniform();
    std::vector<Eigen::Triplet<double>> entries;
    auto connect = [&](TileId one, TileId other, double conductance) {
      entries.emplace_back(int(one), int(one), conductance);
      entries.emplace_back(int(other), int(other), conductance);
      entries.emplace_back(int(one), int(other), -conductance);
      entries.emplace_back(int(other), int(one), -conductance);
    };
    for (TileId one = 0; one < mesh.tiles(); ++one) {
      entries.emplace_back(int(one), int(one), 1 / thermal.toAmbientKPerW.value);
      for (TileId other = one + 1; other < mesh.tiles(); ++other)
        if (std::abs(int(mesh.x(one)) - int(mesh.x(other))) +
                std::abs(int(mesh.y(one)) - int(mesh.y(other))) ==
            1)
          connect(one, other, 1 / thermal.betweenTilesKPerW.value);
    }
    Eigen::SparseMatrix<double> matrix(mesh.tiles(), mesh.tiles());
    matrix.setFromTriplets(entries.begin(), entries.end());
    Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> solver(matrix);
    Eigen::VectorXd kelvin = solver.solve(Eigen::Map<Eigen::VectorXd>(watts.data(), mesh.tiles()));
    std::vector<double> ours = tileTemperatures(mesh, thermal, watts);
    double heat = std::accumulate(watts.begin(), watts.end(), 0.0), lost = 0;
    for (TileId tile = 0; tile < mesh.tiles(); ++tile) {
      EXPECT_NEAR(ours[tile] - 25, kelvin[tile], 1e-8 * kelvin.maxCoeff()) << "seed " << seed;
      lost += (ours[tile] - 25) / thermal.toAmbientKPerW.value;
    }
    EXPECT_NEAR(lost, heat, 1e-9 * heat); // all of it leaves the chip
  }
}

} // namespace
