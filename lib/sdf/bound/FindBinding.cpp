// The binding with the smallest period.
#include "lib/sdf/bound/BindingProblem.h"

#include "fmt/format.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace spindle {

namespace {

using Tiles = std::vector<SdfTileId>;

/// Better bindings have smaller scores: period, time units of wheels, tiles.
struct Score {
  CycleRatio period;
  uint64_t slots, tiles;
  auto operator<=>(const Score &) const = default;
};

class Search {
public:
  explicit Search(const BindingProblem &of)
      : problem(of), actors(of.application.graph.actors.size()),
        tiles(of.architecture.tiles.size()), limit(static_cast<uint64_t>(of.options.candidates)) {}

  const Tiles *run() {
    // At least two of something, or the power would not end.
    double all = 1;
    for (size_t a = 0; a < actors && all <= double(limit); ++a)
      all *= double(tiles);
    isExhaustive = all <= double(limit);
    if (isExhaustive)
      tryAll();
    else
      for (Tiles &start : starts())
        descend(std::move(start));
    return best ? &best->second : nullptr;
  }

  uint64_t tried() const { return scores.size(); }
  bool hasTriedAll() const { return isExhaustive; }
  /// Why a binding does not fit, of one that almost does.
  const std::string &reason() const { return whyNot; }

private:
  /// Without the remedy, which is that of a single binding.
  static std::string causeOf(const std::string &message) {
    return message.substr(0, message.find("; "));
  }
  static std::string causeOf(llvm::Error error) {
    std::string cause;
    llvm::handleAllErrors(std::move(error),
                          [&](const SpindleError &each) { cause = causeOf(each.message); });
    return cause;
  }

  std::optional<Score> scoreOf(const Tiles &of) {
    auto at = scores.find(of);
    if (at != scores.end())
      return at->second;
    if (scores.size() >= limit)
      return std::nullopt;
    at = scores.try_emplace(of).first;
    if (std::optional<std::string> fault = problem.faultOf(of)) {
      if (whyNot.empty())
        whyNot = causeOf(*fault);
      return std::nullopt;
    }
    TileBinding binding{of, {}, std::vector<uint64_t>(tiles, 0)};
    llvm::Expected<BoundCandidate> candidate = problem.complete(std::move(binding));
    if (!candidate) {
      // Such as a throughput that is not reached: nearer than what does not go on the tiles.
      std::string cause = causeOf(candidate.takeError());
      if (!std::exchange(isNear, true))
        whyNot = cause;
      return std::nullopt;
    }
    Tiles used = of;
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    const std::vector<uint64_t> &slices = candidate->binding.slices;
    at->second = Score{candidate->period,
                       std::accumulate(slices.begin(), slices.end(), uint64_t(0)), used.size()};
    if (!best || *at->second < best->first)
      best = {*at->second, of};
    return at->second;
  }

  void tryAll() {
    Tiles each(actors, 0);
    for (size_t a = 0; a < actors;) {
      scoreOf(each);
      for (a = 0; a < actors && ++each[a] == tiles; ++a)
        each[a] = 0;
    }
  }

  /// Takes the best change as long as there is a better one.
  void descend(Tiles at) {
    std::optional<Score> score = scoreOf(at);
    for (bool isMoving = true; isMoving && scores.size() < limit;) {
      isMoving = false;
      Tiles next = at;
      auto consider = [&](const Tiles &changed) {
        std::optional<Score> found = scoreOf(changed);
        if (!found || (score && !(*found < *score)))
          return;
        score = found;
        next = changed;
        isMoving = true;
      };
      for (size_t a = 0; a < actors; ++a) {
        Tiles changed = at;
        for (SdfTileId t = 0; t < tiles; ++t) {
          changed[a] = t;
          if (t != at[a])
            consider(changed);
        }
        for (size_t b = a + 1; b < actors; ++b) {
          Tiles exchanged = at;
          std::swap(exchanged[a], exchanged[b]);
          if (exchanged != at)
            consider(exchanged);
        }
      }
      at = next;
    }
  }

  /// All on one tile, and the largest work first, each to where least is, on two tiles and more.
  std::vector<Tiles> starts() const {
    std::vector<Tiles> result;
    for (SdfTileId t = 0; t < tiles; ++t)
      result.emplace_back(actors, t);
    std::vector<ActorId> order(actors);
    std::iota(order.begin(), order.end(), 0);
    std::ranges::sort(order, {}, [&](ActorId a) { return std::pair(-work(a), a); });
    for (size_t many = 2; many <= tiles; ++many) {
      Tiles &start = result.emplace_back(actors, 0);
      std::vector<double> load(many, 0);
      for (ActorId a : order) {
        auto least = std::min_element(load.begin(), load.end());
        start[a] = static_cast<SdfTileId>(least - load.begin());
        *least += work(a);
      }
    }
    return result;
  }

  double work(ActorId a) const {
    return double(problem.repetitions[a]) *
           double(problem.application.graph.actors[a].executionTime.total());
  }

  const BindingProblem &problem;
  size_t actors;
  size_t tiles;
  uint64_t limit;
  std::map<Tiles, std::optional<Score>> scores;
  std::optional<std::pair<Score, Tiles>> best;
  std::string whyNot;
  bool isExhaustive = false;
  bool isNear = false; // whyNot is of a binding that goes on the tiles
};

} // namespace

llvm::Expected<BindingAnalysis> findBinding(const std::string &place,
                                            const SdfApplication &application,
                                            const SdfArchitecture &architecture,
                                            const SdfOptions &analysis,
                                            const BindingOptions &options) {
  if (options.orders == StaticOrders::Listed)
    return inputError(place, "binding.order is listed, but no binding lists an order; give one, or "
                             "leave the key out");
  SPINDLE_ASSIGN(BindingProblem problem,
                 BindingProblem::make(place, application, architecture, analysis, options));
  Search search(problem);
  const Tiles *best = search.run();
  if (!best)
    return inputError(
        place, fmt::format("none of {} bindings fits: {}; {}", search.tried(), search.reason(),
                           search.hasTriedAll()
                               ? "give tiles that take the graph, or ask for less throughput"
                               : "raise binding.candidates, give tiles that take the graph, "
                                 "or ask for less throughput"));
  TileBinding binding{*best, {}, std::vector<uint64_t>(architecture.tiles.size(), 0)};
  SPINDLE_ASSIGN(BindingAnalysis found,
                 analyzeBinding(place, application, architecture, binding, analysis, options));
  found.candidates = search.tried();
  return found;
}

} // namespace spindle
