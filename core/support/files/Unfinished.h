// What nobody is to find: removed where the work on it fails, and where the user interrupts it.
#pragma once

#include <mutex>
#include <string>
#include <system_error>

namespace spindle {

/// A file or folder that is removed, with all that is in it, when this goes or an interruption ends
/// the process, unless it was kept.
class Unfinished {
public:
  /// It need not be there yet.
  explicit Unfinished(std::string path);
  Unfinished(Unfinished &&other) noexcept;
  Unfinished &operator=(Unfinished &&other) = delete;
  ~Unfinished();

  const std::string &path() const { return name; }
  /// Gives it its real name, in place of what had it.
  std::error_code keepAs(const std::string &target);

private:
  std::string name; // empty once there is nothing to remove
};

/// What is done wholly or not at all: an interruption waits while one of these lives. Where one
/// came before, the thread waits here until it has ended the process.
class Uninterrupted {
public:
  Uninterrupted();
  Uninterrupted(const Uninterrupted &) = delete;
  ~Uninterrupted();

private:
  std::unique_lock<std::recursive_mutex> lock;
};

/// From now on SIGINT, SIGTERM and SIGHUP, unless they are ignored, remove what is unfinished,
/// print `line` on standard error and then end the process as they do by themselves. To be called
/// once. In processes made by fork alone they do nothing; programs that are started know none of
/// this.
void endCleanlyWhenInterrupted(const std::string &line);

} // namespace spindle
