#include "sim/model/energy/TemperatureGrid.h"

#include <cmath>
#include <numeric>

namespace spindle {

namespace {

using Values = std::vector<double>; // per tile

/// Heat that leaves each tile at these temperatures above the surroundings.
Values heatFrom(const Mesh &mesh, const Values &kelvin, double outwards, double sideways) {
  Values watts(kelvin.size());
  for (TileId tile = 0; tile < mesh.tiles(); ++tile) {
    watts[tile] += outwards * kelvin[tile];
    auto share = [&](TileId next) {
      double flow = sideways * (kelvin[tile] - kelvin[next]);
      watts[tile] += flow;
      watts[next] -= flow;
    };
    if (mesh.x(tile) + 1 < mesh.columns)
      share(tile + 1);
    if (mesh.y(tile) + 1 < mesh.rows)
      share(tile + mesh.columns);
  }
  return watts;
}

double product(const Values &a, const Values &b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

} // namespace

std::vector<double> tileTemperatures(const Mesh &mesh, const Thermal &thermal,
                                     const std::vector<double> &watts) {
  const double outwards = 1 / thermal.toAmbientKPerW.value;
  const double sideways = 1 / thermal.betweenTilesKPerW.value;
  Values kelvin(mesh.tiles()), rest = watts, way = rest;
  double left = product(rest, rest);
  const double enough = 1e-24 * left;
  for (uint64_t round = 0; round < 10 * uint64_t(mesh.tiles()) + 100 && left > enough; ++round) {
    Values heat = heatFrom(mesh, way, outwards, sideways);
    double step = left / product(way, heat);
    for (TileId tile = 0; tile < mesh.tiles(); ++tile) {
      kelvin[tile] += step * way[tile];
      rest[tile] -= step * heat[tile];
    }
    double before = left;
    left = product(rest, rest);
    for (TileId tile = 0; tile < mesh.tiles(); ++tile)
      way[tile] = rest[tile] + left / before * way[tile];
  }
  for (double &value : kelvin)
    value += thermal.ambientC.value;
  return kelvin;
}

} // namespace spindle
