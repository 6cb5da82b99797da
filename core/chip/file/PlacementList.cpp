#include "core/chip/file/PlacementList.h"

#include "core/support/TextPlace.h"
#include "core/support/files/File.h"

#include "fmt/format.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace spindle {

static constexpr const char *kHeading = "neuron,tile,crossbar";

const ListedNeuron *PlacementList::find(NeuronId neuron) const {
  auto found = std::ranges::lower_bound(neurons, neuron, {}, &ListedNeuron::neuron);
  return found == neurons.end() || found->neuron != neuron ? nullptr : &*found;
}

std::string PlacementList::placeOf(const ListedNeuron &listed) const {
  return fmt::format("{}:{}", path, listed.line);
}

/// A row; `most` has the largest number of each column.
static llvm::Error readRow(llvm::StringRef row, const std::string &place,
                           const std::array<uint32_t, 3> &most, ListedNeuron &listed) {
  constexpr const char *names[] = {"neuron", "tile", "crossbar"};
  llvm::SmallVector<llvm::StringRef, 4> cells;
  row.split(cells, ',');
  if (cells.size() != 3)
    return inputError(place, fmt::format("{} values, expected 3 ({})", cells.size(), kHeading));
  std::array<uint32_t, 3> numbers{};
  for (size_t c = 0; c < 3; ++c)
    if (cells[c].trim(' ').getAsInteger(10, numbers[c]) || numbers[c] > most[c])
      return inputError(place,
                        fmt::format("{} is '{}', expected a whole number from 0 to {}{}", names[c],
                                    excerpt(cells[c], 40), most[c], c == 0 ? "" : " on this chip"));
  listed.neuron = numbers[0];
  listed.place = {numbers[1], numbers[2]};
  return llvm::Error::success();
}

llvm::Expected<PlacementList> readPlacementList(const std::string &path, const Chip &chip) {
  SPINDLE_ASSIGN(std::string bytes, readFile(path));
  PlacementList list{path, {}};
  std::array<uint32_t, 3> most = {UINT32_MAX - 1, chip.mesh.tiles() - 1, chip.crossbarsPerTile - 1};
  llvm::StringRef text = bytes, row;
  text.consume_front("\xEF\xBB\xBF");
  for (size_t line = 1; line == 1 || !text.empty(); ++line) {
    std::tie(row, text) = text.split('\n');
    row = row.rtrim('\r');
    std::string place = fmt::format("{}:{}", path, line);
    if (line == 1 && row != kHeading)
      return inputError(
          place, fmt::format("the columns are '{}', expected {}", excerpt(row, 40), kHeading));
    if (line == 1 || row.empty())
      continue;
    ListedNeuron listed{0, {0, 0}, line};
    SPINDLE_RETURN_IF_ERROR(readRow(row, place, most, listed));
    list.neurons.push_back(listed);
  }
  std::ranges::stable_sort(list.neurons, {}, &ListedNeuron::neuron);
  auto twice = std::ranges::adjacent_find(list.neurons, {}, &ListedNeuron::neuron);
  if (twice != list.neurons.end())
    return inputError(
        list.placeOf(*std::next(twice)),
        fmt::format("neuron {} is listed twice, first in line {}", twice->neuron, twice->line));
  return list;
}

std::string placementText(const std::vector<ListedNeuron> &neurons) {
  std::string text = fmt::format("{}\n", kHeading);
  for (const ListedNeuron &listed : neurons)
    text += fmt::format("{},{},{}\n", listed.neuron, listed.place.tile, listed.place.crossbar);
  return text;
}

} // namespace spindle
