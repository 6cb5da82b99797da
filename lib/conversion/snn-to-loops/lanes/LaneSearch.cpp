#include "lib/conversion/snn-to-loops/lanes/LaneSearch.h"

#include <algorithm>
#include <limits>

namespace spindle {

double combinedCycles(const std::vector<double> &cycles, bool isSum) {
  double all = 0;
  for (double each : cycles)
    all = isSum ? all + each : std::max(all, each);
  return all;
}

double cyclesOfAll(const std::map<std::string, double> &cycles, bool isSum) {
  std::vector<double> values;
  for (const auto &[name, each] : cycles)
    values.push_back(each);
  return combinedCycles(values, isSum);
}

namespace {

class Search {
public:
  Search(const std::vector<std::vector<LayerForm>> &forms, const hls::DeviceArea &limit, bool sums)
      : layers(forms), budget(limit), isSum(sums), chosen(forms.size()), least(forms.size() + 1),
        fewest(forms.size() + 1) {
    constexpr double kNone = std::numeric_limits<double>::infinity();
    for (size_t layer = layers.size(); layer-- > 0;) { // of this layer and all behind it
      hls::DeviceArea smallest{kNone, kNone, kNone, kNone};
      double cycles = kNone;
      for (const LayerForm &form : layers[layer]) {
        smallest = {std::min(smallest.lut, form.area.lut), std::min(smallest.ff, form.area.ff),
                    std::min(smallest.dsp, form.area.dsp), std::min(smallest.bram, form.area.bram)};
        cycles = std::min(cycles, form.cycles);
      }
      least[layer] = least[layer + 1];
      least[layer] += smallest;
      fewest[layer] = combinedCycles({fewest[layer + 1], cycles}, isSum);
    }
  }

  std::optional<std::vector<size_t>> run(const hls::DeviceArea &rest) {
    visit(0, rest, 0);
    return best;
  }

private:
  static constexpr uint64_t kMostVisits = 1'000'000;

  void visit(size_t layer, const hls::DeviceArea &area, double cycles) {
    hls::DeviceArea whole = area;
    whole += least[layer];
    double atLeast = combinedCycles({cycles, fewest[layer]}, isSum);
    bool isWorse =
        best && (atLeast > bestCycles || (atLeast == bestCycles && whole.lut >= bestLut));
    if (isWorse || !hls::excessText(whole, budget).empty() || ++visits > kMostVisits)
      return;
    if (layer == layers.size()) {
      best = chosen;
      bestCycles = cycles;
      bestLut = area.lut;
      return;
    }
    for (size_t form = 0; form < layers[layer].size(); ++form) {
      const LayerForm &one = layers[layer][form];
      chosen[layer] = form;
      hls::DeviceArea with = area;
      with += one.area;
      visit(layer + 1, with, combinedCycles({cycles, one.cycles}, isSum));
    }
  }

  const std::vector<std::vector<LayerForm>> &layers;
  const hls::DeviceArea &budget;
  bool isSum;
  std::vector<size_t> chosen;
  std::vector<hls::DeviceArea> least;
  std::vector<double> fewest;
  std::optional<std::vector<size_t>> best;
  double bestCycles = 0, bestLut = 0;
  uint64_t visits = 0;
};

} // namespace

std::optional<std::vector<size_t>> searchForms(const std::vector<std::vector<LayerForm>> &layers,
                                               const hls::DeviceArea &rest,
                                               const hls::DeviceArea &budget, bool isSum) {
  return Search(layers, budget, isSum).run(rest);
}

} // namespace spindle
