// A handler may do next to nothing: it wakes a thread, which removes files as any code may.
#include "core/support/files/Unfinished.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <semaphore.h>
#include <set>
#include <sys/types.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace spindle {

namespace {

/// Signals belong to the process, and so does this.
struct UnfinishedWork {
  std::recursive_mutex mutex; // of the members below
  std::set<std::string> names;
  size_t holders = 0; // the Uninterrupted of the thread that has the mutex
};

/// Never destroyed, since threads outlive main.
UnfinishedWork &unfinishedWork() {
  static auto *const only = new UnfinishedWork;
  return *only;
}

std::atomic<int> caughtSignal = 0;
static_assert(std::atomic<int>::is_always_lock_free, "handlers use it");
sem_t signalCaught;

void noteSignal(int signal) {
  int before = errno, none = 0;
  if (caughtSignal.compare_exchange_strong(none, signal))
    sem_post(&signalCaught);
  errno = before;
}

/// Once it has the mutex, other threads stop at the next file that they would make, rename or
/// remove, and so report no error about what is removed here.
void endAfterSignal(const std::string &line) {
  while (sem_wait(&signalCaught) != 0) // interrupted by the handler itself
    continue;
  UnfinishedWork &work = unfinishedWork();
  std::lock_guard lock(work.mutex);
  auto removeAll = [&] {
    std::error_code ignored;
    for (const std::string &name : work.names)
      std::filesystem::remove_all(name, ignored);
  };
  removeAll();
  removeAll(); // what was made, under a name noted before, during the first time
  std::string text = (isatty(STDERR_FILENO) == 1 ? "\n" : "") + line + "\n"; // after ^C or a bar
  [[maybe_unused]] ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
  std::signal(caughtSignal, SIG_DFL);
  std::raise(caughtSignal);
  _exit(128 + caughtSignal); // where the signal is blocked
}

} // namespace

Uninterrupted::Uninterrupted() : lock(unfinishedWork().mutex) {
  if (caughtSignal != 0 && unfinishedWork().holders == 0) {
    lock.unlock();
    while (true)
      pause();
  }
  ++unfinishedWork().holders;
}

Uninterrupted::~Uninterrupted() { --unfinishedWork().holders; }

Unfinished::Unfinished(std::string path) : name(std::move(path)) {
  Uninterrupted noting;
  unfinishedWork().names.insert(name);
}

Unfinished::Unfinished(Unfinished &&other) noexcept : name(std::exchange(other.name, "")) {}

Unfinished::~Unfinished() {
  if (name.empty())
    return;
  Uninterrupted removing;
  std::error_code ignored;
  std::filesystem::remove_all(name, ignored);
  unfinishedWork().names.erase(name);
}

std::error_code Unfinished::keepAs(const std::string &target) {
  Uninterrupted renaming;
  std::error_code status;
  std::filesystem::rename(name, target, status);
  if (!status) {
    unfinishedWork().names.erase(name);
    name.clear();
  }
  return status;
}

void endCleanlyWhenInterrupted(const std::string &line) {
  if (sem_init(&signalCaught, 0, 0) != 0)
    return;
  try {
    std::thread(endAfterSignal, line).detach();
  } catch (const std::system_error &) { // no thread to be had: signals do what they always do
    return;
  }
  std::signal(SIGXFSZ, SIG_IGN); // a file above its limit is an error of its write
  struct sigaction action{};
  action.sa_handler = noteSignal;
  action.sa_flags = SA_RESTART;
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before{};
    if (sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_DFL)
      sigaction(signal, &action, nullptr);
  }
}

} // namespace spindle
