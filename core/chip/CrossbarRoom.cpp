#include "core/chip/CrossbarRoom.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>

namespace spindle {

namespace {

/// Fewest columns to leave out besides so many rows; kNever where so many rows do not suffice for
/// any number of columns, which cannot be.
using Losses = std::vector<uint32_t>; // by rows left out
constexpr uint32_t kNever = std::numeric_limits<uint32_t>::max() / 4;

/// Dead cells that hang together by rows and columns; for each of its rows the columns.
struct Tangle {
  std::map<uint32_t, std::vector<uint32_t>> columnsOf, rowsOf;
};

std::vector<Tangle> tanglesOf(const std::vector<CrossbarCell> &cells) {
  std::vector<Tangle> tangles;
  for (const CrossbarCell &cell : cells) {
    Tangle joined;
    for (size_t i = tangles.size(); i-- > 0;)
      if (tangles[i].columnsOf.count(cell.row) || tangles[i].rowsOf.count(cell.column)) {
        joined.columnsOf.merge(tangles[i].columnsOf);
        joined.rowsOf.merge(tangles[i].rowsOf);
        tangles.erase(tangles.begin() + static_cast<std::ptrdiff_t>(i));
      }
    joined.columnsOf[cell.row].push_back(cell.column);
    joined.rowsOf[cell.column].push_back(cell.row);
    tangles.push_back(std::move(joined));
  }
  return tangles;
}

/// Tries every set of lines of the shorter side; what it does not cover, the other side has to.
std::optional<Losses> lossesOf(const Tangle &tangle) {
  bool byRows = tangle.columnsOf.size() <= tangle.rowsOf.size();
  const auto &shorter = byRows ? tangle.columnsOf : tangle.rowsOf;
  const auto &longer = byRows ? tangle.rowsOf : tangle.columnsOf;
  if (shorter.size() > kMostTangledLines)
    return std::nullopt;
  std::map<uint32_t, uint32_t> bitOf;
  for (const auto &[line, others] : shorter)
    bitOf.emplace(line, static_cast<uint32_t>(bitOf.size()));
  std::vector<uint32_t> crossed; // per line of the longer side: bits of the shorter
  for (const auto &[line, others] : longer) {
    crossed.push_back(0);
    for (uint32_t other : others)
      crossed.back() |= 1u << bitOf[other];
  }
  Losses losses(tangle.columnsOf.size() + 1, kNever);
  for (uint32_t left = 0; left < 1u << shorter.size(); ++left) {
    auto own = static_cast<uint32_t>(std::popcount(left));
    auto others = static_cast<uint32_t>(
        llvm::count_if(crossed, [&](uint32_t bits) { return (bits & ~left) != 0; }));
    uint32_t rows = byRows ? own : others, columns = byRows ? others : own;
    losses[rows] = std::min(losses[rows], columns);
  }
  return losses;
}

Losses together(const Losses &a, const Losses &b) {
  Losses sum(a.size() + b.size() - 1, kNever);
  for (size_t i = 0; i < a.size(); ++i)
    for (size_t j = 0; j < b.size(); ++j)
      sum[i + j] = std::min(sum[i + j], a[i] + b[j]);
  for (uint32_t &loss : sum)
    loss = std::min(loss, kNever);
  return sum;
}

} // namespace

std::optional<std::vector<CrossbarSize>> usableSizes(const Crossbar &crossbar,
                                                     const CrossbarFault &fault) {
  std::vector<CrossbarSize> sizes;
  if (fault.isWhole())
    return sizes;
  std::vector<CrossbarCell> cells;
  for (const CrossbarCell &cell : fault.cells)
    if (!llvm::is_contained(fault.rows, cell.row) &&
        !llvm::is_contained(fault.columns, cell.column))
      cells.push_back(cell);
  Losses losses = {0};
  for (const Tangle &tangle : tanglesOf(cells)) {
    std::optional<Losses> own = lossesOf(tangle);
    if (!own)
      return std::nullopt;
    losses = together(losses, *own);
  }
  auto rows = crossbar.rows - static_cast<uint32_t>(fault.rows.size());
  auto columns = crossbar.columns - static_cast<uint32_t>(fault.columns.size());
  uint32_t fewest = kNever; // columns left out with fewer rows left out
  for (uint32_t lost = 0; lost < losses.size() && lost < rows; ++lost)
    if (losses[lost] < std::min(fewest, columns)) {
      fewest = losses[lost];
      sizes.insert(sizes.begin(), {rows - lost, columns - fewest});
    }
  return sizes;
}

CrossbarRoom::CrossbarRoom(const Chip &chip) {
  if (chip.router.deadTiles.empty() && chip.crossbarFaults.empty())
    return;
  sizes.assign(size_t(chip.mesh.tiles()) * chip.crossbarsPerTile,
               {{chip.crossbar.rows, chip.crossbar.columns}});
  for (const CrossbarFault &fault : chip.crossbarFaults)
    sizes[fault.tile * chip.crossbarsPerTile + fault.crossbar] = *usableSizes(chip.crossbar, fault);
  for (TileId tile : chip.router.deadTiles)
    for (uint32_t crossbar = 0; crossbar < chip.crossbarsPerTile; ++crossbar)
      sizes[tile * chip.crossbarsPerTile + crossbar].clear();
}

bool CrossbarRoom::fits(CrossbarSize need, uint32_t slot) const {
  return sizes.empty() || llvm::any_of(sizes[slot], [&](CrossbarSize size) {
           return need.rows <= size.rows && need.columns <= size.columns;
         });
}

} // namespace spindle
