// What the user sees while stages work: a bar on a terminal, plain lines in a pipe.
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>

namespace spindle {

class ProgressDisplay {
public:
  ProgressDisplay();

  void startStage(const std::string &name);
  /// Called by libraries, from any thread; draws at most ten times a second, and not in the first
  /// second.
  void update(size_t done, size_t total);
  /// Prints `name  result  seconds`.
  void endStage(const std::string &result);

private:
  double seconds() const;

  bool terminal;
  std::mutex mutex;
  std::string stage;
  std::chrono::steady_clock::time_point start, drawn;
  int tenths = 0;
  bool barShown = false;
};

} // namespace spindle
