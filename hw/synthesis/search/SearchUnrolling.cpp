#include "hw/synthesis/search/SearchUnrolling.h"

#include "hw/hls/body/OperationCost.h"
#include "hw/hls/dependence/Effort.h"
#include "hw/hls/dependence/Nest.h"
#include "hw/hls/loops/analysis/EstimateNest.h"
#include "hw/hls/loops/analysis/TripCount.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

namespace spindle::hls {

namespace {

using Factors = std::vector<uint64_t>;
using Trips = std::vector<std::vector<uint64_t>>; // by nest, outermost first

/// Operations of reshaped programs, over all candidates: some seconds. So is the effort of their
/// dependences.
constexpr uint64_t kMostWork = 25'000, kMostEffort = 400'000'000;
/// Factors that are judged again without some steps; candidates that are scheduled and were not too
/// large, those that were, and those that seemed so.
constexpr size_t kReordered = 4, kScheduled = 8, kTooLarge = 16, kDoubted = 4;
/// Iterations side by side of one candidate, and of nests whose three loops may all be unrolled.
constexpr uint64_t kMostLanes = 512, kSmallNest = 4096;
/// Rows from here on are divided by no more than four with a rest.
constexpr uint64_t kLongRow = 16;

uint64_t lanesOf(const Factors &factors) {
  return std::accumulate(factors.begin(), factors.end(), uint64_t(1), std::multiplies<>());
}

/// What loops of so many iterations are divided by without a rest, and with a small one.
std::set<uint64_t> factorsFor(uint64_t trip) {
  std::set<uint64_t> factors;
  for (uint64_t part = 1; part <= std::min<uint64_t>(trip, trip > kLongRow ? 4 : 8); ++part)
    factors.insert(llvm::divideCeil(trip, part));
  for (uint64_t factor = 1; factor <= std::min(trip, kMostUnroll); ++factor)
    if (trip % factor == 0)
      factors.insert(factor);
  return factors;
}

struct Candidate {
  SynthesisOptions options;
  uint64_t cycles = 0;
  DeviceArea units;
  bool isTooLarge = false; // by its units alone

  bool operator<(const Candidate &other) const {
    return std::tuple(isTooLarge, cycles, lanesOf(options.loops.unroll)) <
           std::tuple(other.isTooLarge, other.cycles, lanesOf(other.options.loops.unroll));
  }
};

class Search {
public:
  Search(mlir::ModuleOp wholeProgram, const Target &forTarget, const SynthesisOptions &given)
      : program(wholeProgram), target(withVariants(forTarget, given.variants)), options(given),
        room(roomFor(given, forTarget)) {}

  llvm::Expected<Synthesis> run();

private:
  llvm::Expected<Candidate> judge(const SynthesisOptions &tried);
  std::map<std::string, uint64_t> straightUnits(mlir::func::FuncOp function,
                                                const LoopCosts &costs) const;
  DeviceArea unitsOf(mlir::func::FuncOp function, const LoopCosts &costs) const;
  std::vector<Candidate> judgeAll(const std::vector<SynthesisOptions> &all);
  llvm::Expected<Trips> tripsOf(const SynthesisOptions &plain);
  llvm::Expected<bool> isTooLarge(Synthesis &made);
  DeviceArea expectedArea(const Candidate &candidate) const;
  bool seemsTooLarge(const Candidate &candidate) const;
  llvm::Expected<bool> compare(const Candidate &candidate, Synthesis &best, double share = 1);
  void addWhole(const SynthesisOptions &plain, std::vector<SynthesisOptions> &all);

  mlir::ModuleOp program;
  Target target;
  const SynthesisOptions &options;
  const std::optional<DeviceArea> room;
  uint64_t work = 0;
  bool isBestTooLarge = false;
  std::vector<std::pair<Candidate, double>> large; // circuits that were too large, and their LUTs
};

/// Units that operations outside all loops take: of those that wait for each other the fewer, the
/// longer it all takes. Twice the mean, as they come in bursts.
std::map<std::string, uint64_t> Search::straightUnits(mlir::func::FuncOp function,
                                                      const LoopCosts &costs) const {
  mlir::Block &block = function.getBody().front();
  std::map<std::string, uint64_t> users, units;
  for (mlir::Operation &op : block)
    if (const FunctionalUnit *unit = unitFor(&op, target))
      ++users[unit->name];
  uint64_t cycles = std::max<uint64_t>(1, estimateStraight(block, costs));
  for (const auto &[kind, count] : users) {
    const FunctionalUnit &unit = *variantsOf(kind, target).front();
    uint64_t busy = 2 * count * std::max(unit.latency, unit.interval);
    units[kind] = std::min(count, uint64_t(llvm::divideCeil(busy, cycles)));
  }
  return units;
}

/// As many units of each kind as the busiest nest needs at its interval: nests share them.
DeviceArea Search::unitsOf(mlir::func::FuncOp function, const LoopCosts &costs) const {
  std::map<std::string, uint64_t> most = straightUnits(function, costs);
  for (NamedEstimate &nest : estimateNests(function, costs)) {
    std::map<std::string, uint64_t> busy;
    nest.outermost.walk([&](mlir::Operation *op) {
      if (const FunctionalUnit *unit = unitFor(op, target))
        busy[unit->name] += unit->interval;
    });
    for (const auto &[kind, cycles] : busy)
      most[kind] =
          std::max(most[kind], uint64_t(llvm::divideCeil(cycles, nest.estimate.interval())));
  }
  DeviceArea area;
  for (const auto &[kind, count] : most) {
    const UnitArea &one = variantsOf(kind, target).front()->area;
    area += {double(count) * double(one.lut), double(count) * double(one.ff),
             double(count) * double(one.dsp)};
  }
  return area;
}

llvm::Expected<Candidate> Search::judge(const SynthesisOptions &tried) {
  mlir::OwningOpRef<mlir::ModuleOp> copy = program.clone();
  SPINDLE_ASSIGN(mlir::func::FuncOp function, reshape(*copy, target, tried));
  function.walk([&](mlir::Operation *) { ++work; });
  LoopCosts costs{target, tried.loops.units};
  Candidate candidate{tried, estimateFunction(function, costs), unitsOf(function, costs)};
  if (room)
    candidate.isTooLarge = !excessText(candidate.units, *room).empty();
  return candidate;
}

std::vector<Candidate> Search::judgeAll(const std::vector<SynthesisOptions> &all) {
  std::vector<Candidate> judged;
  uint64_t most = work + kMostWork, mostEffort = dependenceEffort() + kMostEffort;
  for (const SynthesisOptions &tried : all) {
    if (work > most || dependenceEffort() > mostEffort)
      break;
    if (llvm::Expected<Candidate> candidate = judge(tried))
      judged.push_back(std::move(*candidate));
    else
      llvm::consumeError(candidate.takeError()); // too large to unroll
  }
  llvm::stable_sort(judged);
  return judged;
}

llvm::Expected<Trips> Search::tripsOf(const SynthesisOptions &plain) {
  mlir::OwningOpRef<mlir::ModuleOp> copy = program.clone();
  SPINDLE_ASSIGN(mlir::func::FuncOp function, reshape(*copy, target, plain));
  Trips trips;
  for (NamedEstimate &nest : estimateNests(function, {target, options.loops.units})) {
    trips.emplace_back();
    for (mlir::affine::AffineForOp loop : perfectNest(nest.outermost))
      trips.back().push_back(uint64_t(std::max<int64_t>(1, largestTripCount(loop).value_or(8))));
  }
  return trips;
}

llvm::Expected<bool> Search::isTooLarge(Synthesis &made) {
  if (!room)
    return false;
  SPINDLE_RETURN_IF_ERROR(addCircuit(made, target));
  return !excessText(*made.interface.estimate, *room).empty();
}

/// What is around the units, multiplexers and addresses, grows with them and with the iterations
/// side by side: by what it was in circuits of the same form that were too large; by half of that
/// after the first of them, two thirds after the second, and so on.
DeviceArea Search::expectedArea(const Candidate &candidate) const {
  unsigned known = 0;
  double around = 0;
  for (const auto &[other, luts] : large) {
    if (other.options.loops.without != candidate.options.loops.without || other.units.lut == 0)
      continue;
    double units = candidate.units.lut / other.units.lut;
    double lanes = double(lanesOf(candidate.options.loops.unroll)) /
                   double(lanesOf(other.options.loops.unroll));
    around = std::max(around, (luts - other.units.lut) * units * lanes);
    ++known;
  }
  DeviceArea area = candidate.units;
  if (known > 0)
    area.lut += around / (1 + 1.0 / known);
  return area;
}

bool Search::seemsTooLarge(const Candidate &candidate) const {
  return room && !excessText(expectedArea(candidate), *room).empty();
}

/// Schedules a candidate, which takes the place of the best where it is faster, taking no more than
/// this share of its cycles, and fits. Whether it was too large.
llvm::Expected<bool> Search::compare(const Candidate &candidate, Synthesis &best, double share) {
  llvm::Expected<Synthesis> made = attempt(program, target, candidate.options);
  if (!made) {
    llvm::consumeError(made.takeError());
    return false;
  }
  auto orderOf = [](Synthesis &of) {
    return std::pair(of.interface.predictedCycles.value_or(UINT64_MAX),
                     llvm::range_size(of.kernel.getOps<UnitOp>()));
  };
  if (!isBestTooLarge && (orderOf(*made) >= orderOf(best) ||
                          double(orderOf(*made).first) > share * double(orderOf(best).first)))
    return false;
  SPINDLE_ASSIGN(bool isLarge, isTooLarge(*made));
  if (isLarge)
    large.emplace_back(candidate, made->interface.estimate->lut);
  if (isLarge ? isBestTooLarge && orderOf(*made) < orderOf(best)
              : isBestTooLarge || orderOf(*made) < orderOf(best)) {
    best = std::move(*made);
    isBestTooLarge = isLarge;
  }
  return isLarge;
}

/// The innermost loops of the written order as a whole, sums among them: what they read in
/// neighbouring iterations may wait in shift registers and line buffers.
void Search::addWhole(const SynthesisOptions &plain, std::vector<SynthesisOptions> &all) {
  SynthesisOptions written = plain;
  written.loops.without.insert("interchange");
  llvm::Expected<Trips> trips = tripsOf(written);
  if (!trips)
    return llvm::consumeError(trips.takeError());
  for (uint64_t factor : wholeLoops(*trips)) {
    all.push_back(written);
    all.back().loops.unroll = {factor};
  }
}

llvm::Expected<Synthesis> Search::run() {
  SynthesisOptions plain = options;
  plain.loops.unroll = {1};
  SPINDLE_ASSIGN(Synthesis best, attempt(program, target, plain));
  SPINDLE_ASSIGN(isBestTooLarge, isTooLarge(best));
  SPINDLE_ASSIGN(Trips trips, tripsOf(plain));
  // What candidates cannot do is no error of the program's.
  mlir::ScopedDiagnosticHandler quiet(program.getContext(),
                                      [](mlir::Diagnostic &) { return mlir::success(); });
  std::vector<SynthesisOptions> all;
  for (Factors &factors : candidateFactors(trips, mostSearched(options.schedule.units))) {
    all.push_back(options);
    all.back().loops.unroll = std::move(factors);
  }
  addWhole(plain, all);
  std::vector<Candidate> judged = judgeAll(all);
  all.clear();
  for (const Candidate &candidate : llvm::ArrayRef(judged).take_front(kReordered))
    for (const std::set<std::string> &steps :
         {std::set<std::string>{"fuse"}, {"interchange"}, {"fuse", "interchange"}}) {
      all.push_back(candidate.options);
      all.back().loops.without.insert(steps.begin(), steps.end());
    }
  llvm::append_range(judged, judgeAll(all));
  llvm::stable_sort(judged);
  size_t scheduled = 0, tooLarge = 0;
  uint64_t mostEffort = dependenceEffort() + kMostEffort;
  std::vector<Candidate> doubted;
  for (const Candidate &candidate : judged) {
    if (scheduled == kScheduled || tooLarge == kTooLarge || dependenceEffort() > mostEffort)
      break;
    if (seemsTooLarge(candidate)) {
      if (!candidate.isTooLarge)
        doubted.push_back(candidate);
      continue;
    }
    SPINDLE_ASSIGN(bool isLarge, compare(candidate, best));
    ++(isLarge ? tooLarge : scheduled);
  }
  // Banks without a rest take far less than expected: the smallest of those that were left out, if
  // they gain enough for the variants of their units to be chosen, which takes long.
  llvm::stable_sort(doubted, [&](const Candidate &one, const Candidate &other) {
    return expectedArea(one).lut < expectedArea(other).lut;
  });
  for (const Candidate &candidate : llvm::ArrayRef(doubted).take_front(kDoubted))
    if (dependenceEffort() <= mostEffort)
      SPINDLE_RETURN_IF_ERROR(compare(candidate, best, 0.98).takeError());
  return best;
}

} // namespace

std::vector<std::vector<uint64_t>> candidateFactors(const std::vector<std::vector<uint64_t>> &trips,
                                                    uint64_t mostAlone) {
  std::set<uint64_t> factors{1};
  size_t deepest = 0;
  bool isSmall = true;
  for (const Factors &nest : trips) {
    deepest = std::max(deepest, nest.size());
    isSmall &= lanesOf(nest) <= kSmallNest;
    for (uint64_t trip : nest)
      factors.merge(factorsFor(trip));
  }
  size_t most = std::min<size_t>(deepest, isSmall ? 3 : 2);
  std::set<Factors> all;
  for (uint64_t factor = 2; factor <= mostAlone; ++factor)
    all.insert({factor});
  for (uint64_t first : factors)
    for (uint64_t second : factors)
      for (uint64_t third : factors) {
        if (first == 1 || (second == 1 && third > 1) || first * second * third > kMostLanes)
          continue;
        Factors made{first, second, third};
        made.resize(third > 1 ? 3 : second > 1 ? 2 : 1);
        if (made.size() <= most)
          all.insert(std::move(made));
      }
  std::vector<Factors> ordered(all.begin(), all.end());
  llvm::stable_sort(ordered, [](const Factors &a, const Factors &b) {
    return std::pair(lanesOf(a), a.size()) < std::pair(lanesOf(b), b.size());
  });
  return ordered;
}

std::set<uint64_t> wholeLoops(const std::vector<std::vector<uint64_t>> &trips) {
  std::set<uint64_t> factors;
  for (const Factors &nest : trips) {
    uint64_t product = 1;
    for (size_t loop = nest.size(); loop-- > 1;) { // one loop is left
      product *= nest[loop];
      if (product > kMostLanes)
        break;
      if (product > 1)
        factors.insert(product);
    }
  }
  return factors;
}

llvm::Expected<Synthesis> searchUnrolling(mlir::ModuleOp program, const Target &target,
                                          const SynthesisOptions &options) {
  return Search(program, target, options).run();
}

} // namespace spindle::hls
