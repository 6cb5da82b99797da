#include "hw/synthesis/search/ChooseVariants.h"

#include "hw/synthesis/EstimateArea.h"

#include "llvm/ADT/STLExtras.h"

namespace spindle::hls {

namespace {

/// Circuits are weighed by what they take of the part; without capacity the resources are worth
/// what they are on the default target.
constexpr DeviceArea kUsualPart{53200, 106400, 220, 140};

double shareOf(const DeviceArea &area, const DeviceArea &part) {
  auto share = [](double taken, double all) { return all > 0 ? taken / all : 0; };
  return share(area.lut, part.lut) + share(area.ff, part.ff) + share(area.dsp, part.dsp) +
         share(area.bram, part.bram);
}

/// Cycles in which circuits differ less than this are no reason for more area.
constexpr double kEqualCycles = 1.005;

struct Cost {
  bool isTooLarge;
  double cycles, share; // of the part
};

bool isLess(const Cost &one, const Cost &other, Aim aim) {
  if (one.isTooLarge != other.isTooLarge)
    return other.isTooLarge;
  if (aim == Aim::Area)
    return one.share < other.share;
  double equal = aim == Aim::Trade ? kEqualCycles : 1;
  if (one.cycles * equal < other.cycles || other.cycles * equal < one.cycles)
    return one.cycles < other.cycles;
  return one.share < other.share;
}

Cost costWith(const DeviceArea &area, const Synthesis &made, const Target &target) {
  std::optional<DeviceArea> room = roomFor(made.options, target);
  bool isTooLarge = room && !excessText(area, *room).empty();
  // Where data decide the cycles, nothing is known to be faster.
  auto cycles = double(made.interface.predictedCycles.value_or(1));
  double share = shareOf(area, target.capacity.value_or(kUsualPart));
  return Cost{isTooLarge, cycles, share};
}

llvm::Expected<Cost> costOf(Synthesis &made, const Target &target) {
  SPINDLE_RETURN_IF_ERROR(addCircuit(made, target));
  return costWith(*made.interface.estimate, made, target);
}

/// What it costs at least, with its units alone: the circuit of what is not less is not needed.
Cost leastCostOf(Synthesis &made, const Target &target) {
  return costWith(areaOfUnits(made.kernel, target), made, target);
}

class VariantChoice {
public:
  VariantChoice(mlir::ModuleOp wholeProgram, const Target &forTarget, Aim wanted)
      : program(wholeProgram), target(forTarget), aim(wanted) {}

  /// From the variants that the circuit has; where several kinds are open, from the fastest ones,
  /// too: a fast divider pays only beside a fast root.
  llvm::Expected<Synthesis> from(Synthesis given, const UnitVariants &fixed) {
    std::vector<std::string> kinds;
    for (const std::string &kind : kindsIn(given.kernel))
      if (!fixed.count(kind) && variantsOf(kind, target).size() > 1)
        kinds.push_back(kind);
    UnitVariants fastest = fastestVariants(kinds, target);
    SynthesisOptions fast = given.options;
    for (const auto &[kind, variant] : fastest)
      fast.variants[kind] = variant;
    SPINDLE_ASSIGN(Synthesis best, improve(std::move(given), kinds));
    if (fastest.size() < 2)
      return best;
    SPINDLE_ASSIGN(Synthesis other, attempt(program, target, fast));
    SPINDLE_ASSIGN(other, improve(std::move(other), kinds));
    bool areGranted = llvm::all_of(fastest, [&](const auto &kind) {
      return fast.schedule.units.count(kind.first) && fast.schedule.units.at(kind.first) > 1;
    });
    SPINDLE_ASSIGN(bool isPreferred, isBetter(other, best, target, areGranted ? Aim::Cycles : aim));
    return isPreferred ? std::move(other) : std::move(best);
  }

private:
  llvm::Expected<Synthesis> improve(Synthesis best, const std::vector<std::string> &kinds) {
    for (const std::string &kind : kinds)
      SPINDLE_RETURN_IF_ERROR(choose(kind, best));
    return best;
  }

  llvm::Error choose(const std::string &kind, Synthesis &best) {
    std::vector<const FunctionalUnit *> variants = variantsOf(kind, target);
    if (variants.size() < 2)
      return llvm::Error::success();
    auto now = best.options.variants.find(kind);
    const FunctionalUnit *taken = *llvm::find_if(variants, [&](const FunctionalUnit *unit) {
      return now == best.options.variants.end() || unit->variant == now->second;
    });
    for (const FunctionalUnit *variant : variants) {
      if (variant == taken)
        continue;
      Aim by = isGranted(*variants.front(), *variant, best.options) ? Aim::Cycles : aim;
      SPINDLE_ASSIGN(Cost least, costOf(best, target));
      bool isFaster = variant->latency < taken->latency || variant->interval < taken->interval;
      bool isSmaller = variant->area.lut < taken->area.lut;
      if (!isFaster && !isSmaller && !least.isTooLarge)
        continue; // what is as slow and larger is for what else does not fit
      SynthesisOptions options = best.options;
      options.variants[kind] = variant->variant;
      if (variant == variants.front())
        options.variants.erase(kind);
      SPINDLE_ASSIGN(Synthesis made, attempt(program, target, options));
      if (!isLess(leastCostOf(made, target), least, by))
        continue;
      SPINDLE_ASSIGN(Cost cost, costOf(made, target));
      if (isLess(cost, least, by)) {
        best = std::move(made);
        taken = variant;
      }
    }
    return llvm::Error::success();
  }

  /// Whether the user allows so many units that one of the variant is no more than these.
  static bool isGranted(const FunctionalUnit &first, const FunctionalUnit &variant,
                        const SynthesisOptions &options) {
    auto limit = options.schedule.units.find(first.name);
    return limit != options.schedule.units.end() &&
           variant.area.lut <= int64_t(limit->second) * first.area.lut;
  }

  mlir::ModuleOp program;
  const Target &target;
  Aim aim;
};

} // namespace

llvm::Expected<Synthesis> chooseVariants(Synthesis made, mlir::ModuleOp program,
                                         const Target &target, const UnitVariants &given, Aim aim) {
  return VariantChoice(program, target, aim).from(std::move(made), given);
}

llvm::Expected<bool> isBetter(Synthesis &made, Synthesis &best, const Target &target, Aim aim) {
  SPINDLE_ASSIGN(Cost mine, costOf(made, target));
  SPINDLE_ASSIGN(Cost least, costOf(best, target));
  return isLess(mine, least, aim);
}

UnitVariants fastestVariants(const std::vector<std::string> &kinds, const Target &target) {
  UnitVariants fastest;
  for (const std::string &kind : kinds) {
    std::vector<const FunctionalUnit *> variants = variantsOf(kind, target);
    const FunctionalUnit *best = *llvm::min_element(variants, [](const auto *a, const auto *b) {
      return std::pair(a->interval, a->latency) < std::pair(b->interval, b->latency);
    });
    if (best != variants.front())
      fastest[kind] = best->variant;
  }
  return fastest;
}

} // namespace spindle::hls
