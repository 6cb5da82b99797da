#include "lib/emulation/runtime/Team.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

using namespace spindle;

namespace {

using namespace std::chrono_literals;

struct Pieces {
  std::atomic<int> next = 0, done = 0, inside = 0;
  int count = 0;
  bool hasMore() const { return next < count; }
  std::chrono::milliseconds work() {
    ++inside;
    for (int piece = next++; piece < count; piece = next++) {
      std::this_thread::yield();
      ++done;
    }
    --inside;
    return 0ms;
  }
};

/// Each of `owners` threads has works of its own, the other threads none.
void runTeam(int threads, int owners, int works) {
  Team<Pieces> team;
  for (int thread = 0; thread < threads; ++thread)
    team.enroll();
  std::atomic<int> finished = 0;
  auto loop = [&](bool isOwner) {
    Pieces pieces; // of one work after the other
    for (int k = 0; isOwner && k < works; ++k) {
      pieces.next = pieces.done = 0;
      pieces.count = 1 + k % 50;
      team.open(pieces);
      pieces.work();
      team.close(pieces);
      EXPECT_EQ(pieces.inside, 0) << "closed while somebody helps";
      EXPECT_EQ(pieces.done, pieces.count);
      ++finished;
    }
    team.help([&](Pieces &others) { return others.work(); });
    EXPECT_EQ(finished, owners * works) << "left before all was done";
  };
  std::vector<std::thread> others;
  for (int thread = 1; thread < threads; ++thread)
    others.emplace_back(loop, thread < owners);
  loop(owners > 0);
  for (std::thread &other : others)
    other.join();
}

TEST(Team, LeavesNothingUndoneAndNobodyInside) {
  for (int threads : {1, 2, 5})
    for (int owners = 0; owners <= threads; ++owners)
      runTeam(threads, owners, 200);
}

/// A thread that helps with the only piece of work, whose owner does nothing; gives how often it
/// came.
int helpOnce(Pieces &pieces, std::chrono::milliseconds rest) {
  Team<Pieces> team;
  team.enroll();
  team.enroll();
  team.open(pieces);
  std::atomic<int> came = 0;
  std::thread helper([&] {
    team.help([&](Pieces &others) {
      ++came;
      others.next = others.done = 1;
      return rest;
    });
  });
  while (pieces.done == 0)
    std::this_thread::yield();
  team.close(pieces);
  pieces.next = 0;
  team.open(pieces);
  if (rest == 0ms)
    while (came < 2)
      std::this_thread::yield();
  team.close(pieces);
  auto none = [](Pieces &) {
    ADD_FAILURE() << "nothing is open";
    return 0ms;
  };
  team.help(none);
  helper.join();
  return came;
}

TEST(Team, ThreadsWithoutWorkHelp) {
  Pieces pieces;
  pieces.count = 1;
  EXPECT_EQ(helpOnce(pieces, 0ms), 2);
}

TEST(Team, HelpersStayAwayAsLongAsTheyAreTold) {
  Pieces pieces;
  pieces.count = 1;
  EXPECT_EQ(helpOnce(pieces, 1h), 1) << "and the end does not wait for them";
}

} // namespace
