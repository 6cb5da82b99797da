// Names of which no two are alike.
#pragma once

#include <map>
#include <set>
#include <string>

namespace spindle {

class FreeNames {
public:
  explicit FreeNames(const char *between) : separator(between) {}

  bool isTaken(const std::string &name) const { return taken.count(name) > 0; }
  void take(const std::string &name) { taken.insert(name); }
  /// `name`, or with the separator and 2, 3, … behind it the first that is free; it is taken then.
  std::string takeFree(const std::string &name);

private:
  const char *separator;
  std::set<std::string> taken;
  std::map<std::string, unsigned> nextCopies; // all below are taken
};

} // namespace spindle
