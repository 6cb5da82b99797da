#include "lib/sdf/Repetitions.h"

#include "fmt/format.h"

#include <numeric>
#include <optional>

namespace spindle {

namespace {

/// Turns of an actor relative to the first actor of its component, in lowest terms.
struct Ratio {
  uint64_t numerator = 0, denominator = 1; // numerator 0: not known yet
  bool operator==(const Ratio &) const = default;
};

/// ratio · multiply / divide. Dividing crosswise first keeps the products as small as the result.
std::optional<Ratio> scaled(Ratio ratio, uint64_t multiply, uint64_t divide) {
  for (auto [above, below] : {std::pair{&ratio.numerator, &divide},
                              {&multiply, &ratio.denominator},
                              {&multiply, &divide}}) {
    uint64_t common = std::gcd(*above, *below);
    *above /= common;
    *below /= common;
  }
  Ratio result;
  if (__builtin_mul_overflow(ratio.numerator, multiply, &result.numerator) ||
      __builtin_mul_overflow(ratio.denominator, divide, &result.denominator))
    return std::nullopt;
  return result;
}

class Balance {
public:
  explicit Balance(const SdfGraph &g)
      : graph(g), phases(phasesOf(g)), ratios(g.actors.size()), touching(g.actors.size()) {
    for (size_t c = 0; c < graph.channels.size(); ++c) {
      touching[graph.channels[c].source].push_back(c);
      touching[graph.channels[c].target].push_back(c);
    }
  }

  llvm::Expected<std::vector<uint64_t>> solve() {
    std::vector<uint64_t> repetitions(graph.actors.size());
    for (ActorId first = 0; first < graph.actors.size(); ++first) {
      if (ratios[first].numerator != 0)
        continue;
      SPINDLE_ASSIGN(std::vector<ActorId> component, spread(first));
      SPINDLE_RETURN_IF_ERROR(toIntegers(component, repetitions));
    }
    for (size_t a = 0; a < repetitions.size(); ++a)
      if (__builtin_mul_overflow(repetitions[a], phases[a], &repetitions[a]))
        return tooLarge();
    return repetitions;
  }

private:
  llvm::Error tooLarge() const {
    return inputError(place(),
                      "the repetition vector exceeds 64 bits; choose rates with common factors");
  }
  std::string place() const { return fmt::format("data-flow graph '{}'", graph.name); }

  /// Tokens of one turn of an actor.
  uint64_t turnOf(ActorId actor, const PerPhase<uint32_t> &rate) const {
    return rate.total() * (phases[actor] / rate.phases());
  }

  /// Carries the ratio 1 of `first` along every channel of its component; returns the component.
  llvm::Expected<std::vector<ActorId>> spread(ActorId first) {
    std::vector<ActorId> component{first};
    ratios[first] = {1, 1};
    for (size_t next = 0; next < component.size(); ++next)
      for (size_t c : touching[component[next]]) {
        const SdfChannel &channel = graph.channels[c];
        bool forward = channel.source == component[next];
        ActorId other = forward ? channel.target : channel.source;
        uint64_t produced = turnOf(channel.source, channel.produce),
                 consumed = turnOf(channel.target, channel.consume);
        std::optional<Ratio> ratio = forward ? scaled(ratios[channel.source], produced, consumed)
                                             : scaled(ratios[channel.target], consumed, produced);
        if (!ratio)
          return tooLarge();
        if (ratios[other].numerator == 0) {
          ratios[other] = *ratio;
          component.push_back(other);
        } else if (!(ratios[other] == *ratio)) {
          return inputError(
              place(),
              fmt::format(
                  "inconsistent rates: channel {} ({} -> {}) produces {} and consumes {}{}, which "
                  "contradicts the other channels between its actors; correct one of the rates",
                  c, graph.actors[channel.source].name, graph.actors[channel.target].name, produced,
                  consumed,
                  phases[channel.source] > 1 || phases[channel.target] > 1
                      ? " in a turn of all phases"
                      : ""));
        }
      }
    return component;
  }

  /// Least common multiple of the denominators, then no common divisor is left: the ratios are in
  /// lowest terms and the first of them is one.
  llvm::Error toIntegers(const std::vector<ActorId> &component,
                         std::vector<uint64_t> &repetitions) {
    uint64_t multiple = 1;
    for (ActorId a : component) {
      uint64_t denominator = ratios[a].denominator;
      if (__builtin_mul_overflow(multiple / std::gcd(multiple, denominator), denominator,
                                 &multiple))
        return tooLarge();
    }
    for (ActorId a : component)
      if (__builtin_mul_overflow(ratios[a].numerator, multiple / ratios[a].denominator,
                                 &repetitions[a]))
        return tooLarge();
    return llvm::Error::success();
  }

  const SdfGraph &graph;
  std::vector<uint64_t> phases;              // per actor
  std::vector<Ratio> ratios;                 // per actor, of turns of all phases
  std::vector<std::vector<size_t>> touching; // channels at each actor
};

} // namespace

llvm::Expected<std::vector<uint64_t>> repetitionVector(const SdfGraph &graph) {
  return Balance(graph).solve();
}

} // namespace spindle
