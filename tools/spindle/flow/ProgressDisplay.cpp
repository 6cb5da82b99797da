#include "tools/spindle/flow/ProgressDisplay.h"

#include "fmt/format.h"

#include <chrono>
#include <cmath>
#include <condition_variable>
#include <iostream>
#include <sys/ioctl.h>
#include <unistd.h>

namespace spindle {

static constexpr size_t kBarColumns = 30;

ProgressOutput standardProgress() {
  winsize size{};
  bool isKnown = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return {std::cout, isatty(STDERR_FILENO) == 1 ? &std::cerr : nullptr,
          isKnown ? size.ws_col : size_t(80), [] {
            auto now = std::chrono::steady_clock::now().time_since_epoch();
            return std::chrono::duration<double>(now).count();
          }};
}

static std::string rateText(double rate) {
  return rate < 100 ? fmt::format("{:.3g}", rate) : fmt::format("{:.0f}", rate);
}

/// 12 s, 3 min 05 s, 2 h 07 min.
static std::string durationText(double seconds) {
  auto whole = static_cast<uint64_t>(std::llround(std::min(seconds, 1e15)));
  if (whole < 60)
    return fmt::format("{} s", whole);
  if (whole < 3600)
    return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

ProgressDisplay::ProgressDisplay(ProgressOutput where) : output(std::move(where)) {}

ProgressDisplay::~ProgressDisplay() { clearBar(); }

void ProgressDisplay::startStage(const std::string &name, const std::string &unit) {
  std::lock_guard lock(mutex);
  stage = name;
  counted = unit;
  start = workStart = updated = shown = output.seconds();
  doneBefore = tenths = 0;
  isCounting = false;
  if (output.bar)
    draw(stage);
}

void ProgressDisplay::tick() {
  std::lock_guard lock(mutex);
  double now = output.seconds();
  if (stage.empty() || isCounting || now - start < 1)
    return;
  std::string text = fmt::format("{:<10}at work for {}", stage, durationText(now - start));
  if (output.bar) {
    draw(text);
  } else if (now - shown >= (shown == start ? 5 : 60)) {
    shown = now;
    output.lines << text << '\n' << std::flush;
  }
}

void ProgressDisplay::setUnit(const std::string &name) { counted = name; }

void ProgressDisplay::update(uint64_t done, uint64_t total) {
  std::lock_guard lock(mutex);
  double now = output.seconds();
  noteStart(done, now);
  if (now - start < 1 || done == 0 || total == 0 || !isDue(done, total, now))
    return;
  shown = now;
  tenths = 10 * done / total;
  double rate = static_cast<double>(done) / std::max(now - workStart, 1e-9);
  uint64_t percent = 100 * done / total;
  std::string left = durationText(static_cast<double>(total - done) / rate);
  std::string rest = fmt::format("{} of {} {}, {} {}/s, {} left", done, total, counted,
                                 rateText(rate), counted, left);
  if (!output.bar) {
    output.lines << fmt::format("{:<10}{} %, {}\n", stage, percent, rest) << std::flush;
    return;
  }
  std::string bar(kBarColumns * done / total, '#');
  std::string text =
      fmt::format("{:<10}[{:<{}}] {:3} %  {}", stage, bar, kBarColumns, percent, rest);
  if (text.size() >= output.columns)
    text = fmt::format("{:<10}{:3} %  {}", stage, percent, rest);
  draw(text);
}

/// Work begins with the first call, or where less is done than before.
void ProgressDisplay::noteStart(uint64_t done, double now) {
  bool isOther = done < doneBefore;
  if (done == 0 && (isOther || !isCounting))
    workStart = now;
  else if (isOther)
    workStart = updated;
  if (isOther)
    tenths = 0;
  isCounting = true;
  updated = now;
  doneBefore = done;
}

bool ProgressDisplay::isDue(uint64_t done, uint64_t total, double now) const {
  double since = now - shown;
  if (output.bar)
    return since >= 0.1;
  return done < total && since >= 5 && (10 * done / total > tenths || since >= 60);
}

void ProgressDisplay::draw(std::string text) {
  text.resize(std::min(text.size(), output.columns - 1));
  *output.bar << '\r' << fmt::format("{:<{}}", text, barLength) << std::flush;
  barLength = text.size();
}

void ProgressDisplay::clearBar() {
  if (barLength > 0)
    *output.bar << fmt::format("\r{:{}}\r", "", barLength) << std::flush;
  barLength = 0;
}

void ProgressDisplay::endStage(const std::string &result) {
  std::lock_guard lock(mutex);
  clearBar();
  output.lines << fmt::format("{:<10}{}  ({:.1f} s)\n", stage, result, output.seconds() - start)
               << std::flush;
  stage.clear();
}

ProgressTicker::ProgressTicker(ProgressDisplay &display)
    : thread([&display](const std::stop_token &stop) {
        std::mutex mutex;
        std::condition_variable_any wake;
        std::unique_lock lock(mutex);
        while (!wake.wait_for(lock, stop, std::chrono::milliseconds(200),
                              [&] { return stop.stop_requested(); }))
          display.tick();
      }) {}

} // namespace spindle
