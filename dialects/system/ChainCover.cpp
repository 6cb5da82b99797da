#include "dialects/system/ChainCover.h"

#include <optional>

namespace spindle::system {

namespace {

class Matching {
public:
  explicit Matching(const std::vector<llvm::SmallBitVector> &order)
      : before(order), leader(order.size()) {}

  /// By element, the one that it follows.
  std::vector<std::optional<uint32_t>> leaders() {
    for (uint32_t element = 0; element < before.size(); ++element) {
      tried.assign(before.size(), false);
      findFollower(element);
    }
    return leader;
  }

private:
  /// Takes a free follower, or one whose leader finds another.
  bool findFollower(uint32_t element) {
    for (uint32_t next = element + 1; next < before.size(); ++next)
      if (before[next].test(element) && !leader[next]) {
        leader[next] = element;
        return true;
      }
    for (uint32_t next = element + 1; next < before.size(); ++next) {
      if (!before[next].test(element) || tried[next])
        continue;
      tried[next] = true;
      if (findFollower(*leader[next])) {
        leader[next] = element;
        return true;
      }
    }
    return false;
  }

  const std::vector<llvm::SmallBitVector> &before;
  std::vector<std::optional<uint32_t>> leader;
  std::vector<bool> tried;
};

} // namespace

std::vector<uint32_t> coverByChains(const std::vector<llvm::SmallBitVector> &before) {
  std::vector<uint32_t> chains;
  uint32_t count = 0;
  for (const std::optional<uint32_t> &leader : Matching(before).leaders())
    chains.push_back(leader ? chains[*leader] : count++);
  return chains;
}

} // namespace spindle::system
