// Threads that have no samples left help those that have.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <vector>

namespace spindle {

/// `Work` is what several threads can do together, as long as `hasMore()`.
template <typename Work> class Team {
public:
  /// Called for each thread, before any of them begins.
  void enroll() { ++busy; }

  /// Others may help with this from now on.
  void open(Work &work) {
    std::lock_guard<std::mutex> lock(mutex);
    offers.push_back({&work, 0});
    changed.notify_all();
  }

  /// Nobody else joins in; waits until those have left who have.
  void close(Work &work) {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [&] { return offerOf(work).helpers == 0; });
    offers.erase(offers.begin() + (&offerOf(work) - offers.data()));
  }

  /// Calls `help` with the work of other threads that has the fewest helpers, again and again until
  /// every thread of the team has called this. Sleeps while there is none, and as long as `help`
  /// says.
  template <typename Help> void help(Help help) {
    std::unique_lock<std::mutex> lock(mutex);
    if (--busy == 0)
      changed.notify_all();
    while (true) {
      Offer *offer = nullptr;
      changed.wait(lock, [&] { return (offer = choose()) || busy == 0; });
      if (!offer)
        return;
      Work &work = *offer->work;
      ++offer->helpers;
      lock.unlock();
      auto rest = help(work);
      lock.lock();
      --offerOf(work).helpers;
      changed.notify_all();
      changed.wait_for(lock, rest, [&] { return busy == 0; });
    }
  }

private:
  struct Offer {
    Work *work;
    size_t helpers;
  };
  Offer &offerOf(const Work &work) {
    return *std::find_if(offers.begin(), offers.end(),
                         [&](const Offer &offer) { return offer.work == &work; });
  }
  Offer *choose() {
    Offer *best = nullptr;
    for (Offer &offer : offers)
      if (offer.work->hasMore() && (!best || offer.helpers < best->helpers))
        best = &offer;
    return best;
  }

  std::mutex mutex;
  std::condition_variable changed;
  size_t busy = 0;
  std::vector<Offer> offers;
};

} // namespace spindle
