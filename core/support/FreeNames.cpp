#include "core/support/FreeNames.h"

namespace spindle {

std::string FreeNames::takeFree(const std::string &name) {
  std::string free = name;
  if (taken.insert(free).second)
    return free;
  unsigned &copy = nextCopies.try_emplace(name, 2).first->second;
  do {
    free = name + separator + std::to_string(copy++);
  } while (!taken.insert(free).second);
  return free;
}

} // namespace spindle
