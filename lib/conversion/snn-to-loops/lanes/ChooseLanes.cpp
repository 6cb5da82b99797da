#include "lib/conversion/snn-to-loops/lanes/ChooseLanes.h"

#include "lib/conversion/snn-to-loops/SnnToLoops.h"

#include "fmt/format.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace spindle {

/// Events of one source come one by one; those of several are merged.
static double cyclesOf(const LayerWork &work, const SpikeRates &rates, double steps) {
  double events = 0, busiest = 0;
  for (const LayerWork::Spikes &spikes : work.takes) {
    auto rate = rates.find(spikes.from);
    double own = rate == rates.end() ? 0 : rate->second;
    // Words of no spike take a cycle, too; as many as when spikes fall at random.
    double empty = spikes.words > 0 ? spikes.words * std::exp(-own / spikes.words) : 0;
    busiest = std::max(busiest, own + steps + empty);
    events += own;
  }
  double merged = work.takes.size() > 1 ? events + steps * double(work.takes.size()) : 0;
  return std::max({work.perEvent * events + work.perSample, busiest, merged});
}

std::map<std::string, double> processCycles(const LoopProgram &program, const SpikeRates &rates,
                                            const CircuitCost &cost) {
  std::map<std::string, double> cycles;
  for (const HardwareLayer &layer : program.layers)
    cycles[layer.name] = 0;
  for (const auto &[name, work] : program.work) {
    auto interval = cost.intervals.find(name);
    cycles[name] = cyclesOf(work, rates, double(program.steps)) *
                   double(interval == cost.intervals.end() ? 1 : interval->second);
  }
  for (const HardwareLayer &layer : program.layers)
    if (auto known = cost.cycles.find(layer.name); known != cost.cycles.end())
      cycles[layer.name] = double(known->second);
  return cycles;
}

LayerPlaces layerPlaces(mlir::ModuleOp program) {
  LayerPlaces places;
  program.walk([&](mlir::Operation *loop) {
    auto layer = loop->getAttrOfType<mlir::StringAttr>(kLayerName);
    auto at = llvm::dyn_cast<mlir::FileLineColLoc>(loop->getLoc());
    if (layer && at)
      places[layer.str()].push_back(fmt::format("{}:{}:{}",
                                                llvm::sys::path::filename(at.getFilename()).str(),
                                                at.getLine(), at.getColumn()));
  });
  return places;
}

std::map<std::string, hls::DeviceArea>
areasOfLayers(const LayerPlaces &layers, const std::map<std::string, hls::DeviceArea> &areas) {
  std::map<std::string, hls::DeviceArea> found;
  for (const auto &[layer, places] : layers)
    for (const std::string &place : places)
      if (auto area = areas.find(place); area != areas.end())
        found[layer] += area->second;
  return found;
}

namespace {

/// A circuit that was measured.
struct Measured {
  std::map<std::string, int64_t> lanes;
  CircuitCost cost;
  std::map<std::string, double> cycles; // of layers and processes
  double all = 0;                       // as the objective has it
};

class LaneChooser {
public:
  LaneChooser(mlir::ModuleOp given, const CircuitOptions &asked, const SpikeRates &spikes,
              const MeasureCircuit &measureCircuit)
      : network(given), options(asked), rates(spikes), measure(measureCircuit) {}

  llvm::Expected<LaneChoice> run() {
    SPINDLE_ASSIGN(std::optional<LaneChoice> choice, find());
    if (!choice)
      return refuse();
    return std::move(*choice);
  }

  llvm::Expected<std::optional<LaneChoice>> find() {
    SPINDLE_ASSIGN(LoopProgram widest, snnToLoops(network, options));
    lanes = widest.lanes;
    std::set<int64_t> counts{1};
    for (const auto &[layer, choices] : lanes)
      counts.insert(choices.begin(), choices.end());
    for (int64_t count : counts) {
      std::map<std::string, int64_t> level;
      for (const auto &[layer, choices] : lanes) {
        auto above = std::upper_bound(choices.begin(), choices.end(), count);
        level[layer] = above == choices.begin() ? *above : *std::prev(above);
      }
      SPINDLE_ASSIGN(Measured made, measureLanes(level));
      levels.push_back(std::move(made));
    }
    std::optional<Measured> best;
    for (Measured &level : levels)
      take(best, level);
    SPINDLE_RETURN_IF_ERROR(combine(best));
    if (!best)
      return std::nullopt;
    LaneChoice choice{options, best->all, best->cost.whole};
    setLanes(choice.options, best->lanes);
    return std::optional(std::move(choice));
  }

private:
  bool isSum() const {
    return options.objective == LaneObjective::Latency || !options.takesEvents() ||
           options.isCentralised();
  }
  bool fits(const Measured &circuit) const {
    return hls::excessText(circuit.cost.whole, options.budget).empty();
  }

  /// Fewer cycles, then fewer LUTs.
  void take(std::optional<Measured> &best, const Measured &circuit) const {
    if (fits(circuit) && (!best || std::pair(circuit.all, circuit.cost.whole.lut) <
                                       std::pair(best->all, best->cost.whole.lut)))
      best = circuit;
  }

  static void setLanes(CircuitOptions &to, const std::map<std::string, int64_t> &chosen) {
    to.picksLanes = false;
    for (const auto &[layer, count] : chosen) {
      auto own = to.layers.try_emplace(layer, to.others).first;
      own->second.lanes = count;
    }
  }

  llvm::Expected<Measured> measureLanes(const std::map<std::string, int64_t> &chosen) {
    Measured made{chosen, {}, {}, 0};
    CircuitOptions with = options;
    setLanes(with, chosen);
    SPINDLE_ASSIGN(LoopProgram program, snnToLoops(network, with));
    SPINDLE_ASSIGN(made.cost, measure(program));
    made.cycles = processCycles(program, rates, made.cost);
    made.all = cyclesOfAll(made.cycles, isSum());
    return made;
  }

  /// The best forms of layers among all levels. The sum of their areas is not quite that of the
  /// circuit: where it is above the budget, again with so much less.
  llvm::Error combine(std::optional<Measured> &best) {
    constexpr int kMostTries = 6;
    hls::DeviceArea budget = options.budget;
    std::set<std::map<std::string, int64_t>> tried;
    for (const Measured &level : levels)
      tried.insert(level.lanes);
    for (int attempt = 0; attempt < kMostTries; ++attempt) {
      std::optional<std::map<std::string, int64_t>> chosen = search(budget);
      if (!chosen || !tried.insert(*chosen).second)
        return llvm::Error::success();
      SPINDLE_ASSIGN(Measured made, measureLanes(*chosen));
      take(best, made);
      if (fits(made))
        return llvm::Error::success();
      auto less = [](double limit, double given, double found) {
        return found > given ? limit - 1.01 * (found - given) : limit;
      };
      const hls::DeviceArea &given = options.budget, &found = made.cost.whole;
      budget = {less(budget.lut, given.lut, found.lut), less(budget.ff, given.ff, found.ff),
                less(budget.dsp, given.dsp, found.dsp), less(budget.bram, given.bram, found.bram)};
    }
    return llvm::Error::success();
  }

  std::optional<std::map<std::string, int64_t>> search(const hls::DeviceArea &budget) const {
    std::vector<std::vector<LayerForm>> forms;
    std::vector<std::vector<int64_t>> counts;
    hls::DeviceArea rest = levels.front().cost.whole; // what is for no layer
    for (const auto &[name, cycles] : levels.front().cycles) {
      std::map<int64_t, LayerForm> ofLanes;
      for (const Measured &level : levels) {
        auto count = level.lanes.find(name);
        auto area = level.cost.layers.find(name);
        ofLanes[count == level.lanes.end() ? 0 : count->second] = {
            area == level.cost.layers.end() ? hls::DeviceArea() : area->second,
            level.cycles.at(name)};
      }
      forms.emplace_back();
      counts.emplace_back();
      for (const auto &[count, form] : ofLanes) {
        counts.back().push_back(count);
        forms.back().push_back(form);
      }
    }
    for (const auto &[name, area] : levels.front().cost.layers)
      rest = {rest.lut - area.lut, rest.ff - area.ff, rest.dsp - area.dsp, rest.bram - area.bram};
    std::optional<std::vector<size_t>> found = searchForms(forms, rest, budget, isSum());
    if (!found)
      return std::nullopt;
    std::map<std::string, int64_t> chosen;
    size_t layer = 0;
    for (const auto &[name, cycles] : levels.front().cycles) {
      if (lanes.count(name))
        chosen[name] = counts[layer][(*found)[layer]];
      ++layer;
    }
    return chosen;
  }

  /// The level with the fewest LUTs.
  llvm::Error refuse() const {
    const Measured &smallest =
        *std::min_element(levels.begin(), levels.end(), [](const Measured &a, const Measured &b) {
          return a.cost.whole.lut < b.cost.whole.lut;
        });
    std::string largest;
    hls::DeviceArea most;
    for (const auto &[layer, area] : smallest.cost.layers)
      if (largest.empty() || area.lut > most.lut) {
        largest = layer;
        most = area;
      }
    return inputError("", fmt::format("budget is too small: the smallest circuit needs {}; its "
                                      "largest layer is '{}' with {}",
                                      hls::excessText(smallest.cost.whole, options.budget), largest,
                                      hls::areaText(most)));
  }

  mlir::ModuleOp network;
  const CircuitOptions &options;
  const SpikeRates &rates;
  const MeasureCircuit &measure;
  std::map<std::string, std::vector<int64_t>> lanes; // that a layer may have, ascending
  std::vector<Measured> levels;                      // one number of lanes for all
};

} // namespace

llvm::Expected<std::optional<LaneChoice>> findLanes(mlir::ModuleOp network,
                                                    const CircuitOptions &options,
                                                    const SpikeRates &rates,
                                                    const MeasureCircuit &measure) {
  return LaneChooser(network, options, rates, measure).find();
}

llvm::Expected<LaneChoice> chooseLanes(mlir::ModuleOp network, const CircuitOptions &options,
                                       const SpikeRates &rates, const MeasureCircuit &measure) {
  return LaneChooser(network, options, rates, measure).run();
}

} // namespace spindle
