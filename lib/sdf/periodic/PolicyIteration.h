// The circle of greatest cost per transit.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <vector>

namespace spindle {

using Integer = boost::multiprecision::cpp_int;

struct RatioEdge {
  uint32_t source, target;
  Integer cost, transit;
};

/// Of all circles the one whose costs divided by its transits are most, as indices of edges in
/// order; empty for a graph without circles. The transits of every circle add up to more than 0;
/// single ones may be negative. Howard's policy iteration, in exact numbers: Cochet-Terrasson,
/// Cohen, Gaubert, McGettrick & Quadrat, "Numerical computation of spectral elements in max-plus
/// algebra", IFAC 1998.
std::vector<size_t> greatestRatio(uint32_t nodes, const std::vector<RatioEdge> &edges);

} // namespace spindle
