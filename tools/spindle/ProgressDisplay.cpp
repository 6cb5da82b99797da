#include "tools/spindle/ProgressDisplay.h"

#include "fmt/format.h"

#include <cstdio>
#include <unistd.h>

namespace spindle {

using Clock = std::chrono::steady_clock;

ProgressDisplay::ProgressDisplay() : terminal(isatty(STDERR_FILENO) == 1) {}

double ProgressDisplay::seconds() const {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void ProgressDisplay::startStage(const std::string &name) {
  stage = name;
  start = drawn = Clock::now();
  tenths = 0;
  barShown = false;
}

void ProgressDisplay::update(size_t done, size_t total) {
  std::lock_guard lock(mutex);
  double elapsed = seconds();
  if (elapsed < 1 || total == 0)
    return;
  double share = static_cast<double>(done) / static_cast<double>(total);
  double left = share > 0 ? elapsed / share - elapsed : 0;
  if (terminal) {
    if (Clock::now() - drawn < std::chrono::milliseconds(100))
      return;
    drawn = Clock::now();
    int filled = static_cast<int>(30 * share);
    fmt::print(stderr, "\r{:<10}[{:<30}] {:3.0f} %  {:.0f} of {}  {:.0f} s left ", stage,
               std::string(filled, '#'), 100 * share, static_cast<double>(done), total, left);
    std::fflush(stderr);
    barShown = true;
  } else if (int now = static_cast<int>(10 * share); now > tenths && now < 10) {
    tenths = now;
    fmt::print("{:<10}{} %, {:.0f} s left\n", stage, 10 * now, left);
    std::fflush(stdout);
  }
}

void ProgressDisplay::endStage(const std::string &result) {
  if (barShown)
    fmt::print(stderr, "\r{:80}\r", "");
  fmt::print("{:<10}{}  ({:.1f} s)\n", stage, result, seconds());
  std::fflush(stdout);
}

} // namespace spindle
