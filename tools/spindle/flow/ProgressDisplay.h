// What the user sees while stages work: a bar on a terminal, a line now and then in a pipe.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <ostream>
#include <string>
#include <thread>

namespace spindle {

/// Where a display writes, and its clock; tests have their own.
struct ProgressOutput {
  std::ostream &lines;             // results of stages; progress too where there is no terminal
  std::ostream *bar;               // a terminal, or none
  size_t columns;                  // of the terminal
  std::function<double()> seconds; // since any moment
};

/// Standard output, and standard error where that is a terminal.
ProgressOutput standardProgress();

class ProgressDisplay {
public:
  explicit ProgressDisplay(ProgressOutput output = standardProgress());
  ~ProgressDisplay(); // takes the bar of a stage that failed away

  /// Shows the name at once where there is a bar. `unit` is the plural of what is counted.
  void startStage(const std::string &name, const std::string &unit = "samples");
  /// What is counted from now on.
  void setUnit(const std::string &name);
  /// Called by libraries, from any thread, with what is done and all there is. The time left is
  /// reckoned from the first call with nothing done, if there is one, else from the start of the
  /// stage. Nothing is shown in the first second; a bar is drawn ten times a second at most. Lines
  /// are 5 s apart at least, and come when another tenth is done, or after a minute.
  void update(uint64_t done, uint64_t total);
  /// Called now and then by a thread of its own (ProgressTicker): while nothing is counted it shows
  /// for how long the stage has worked, as a line after 5 s and every minute.
  void tick();
  /// Prints `name  result  (seconds)`.
  void endStage(const std::string &result);

private:
  void noteStart(uint64_t done, double now);
  bool isDue(uint64_t done, uint64_t total, double now) const;
  void draw(std::string text);
  void clearBar();

  ProgressOutput output;
  std::mutex mutex;
  std::string stage, counted;
  double start = 0;        // of the stage
  double workStart = 0;    // of what is counted
  double updated = 0;      // last call
  double shown = 0;        // last bar or line
  bool isCounting = false; // since the first call of the stage
  uint64_t doneBefore = 0; // at the last call
  uint64_t tenths = 0;     // at the last line
  size_t barLength = 0;    // on the terminal now
};

/// Ticks until it goes.
class ProgressTicker {
public:
  explicit ProgressTicker(ProgressDisplay &display);

private:
  std::jthread thread;
};

} // namespace spindle
