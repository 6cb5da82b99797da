#include "lib/emulation/Team.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

using namespace spindle;

namespace {

struct Pieces {
  std::atomic<int> next = 0, done = 0, inside = 0;
  int count = 0;
  bool hasMore() const { return next < count; }
  void work() {
    ++inside;
    for (int piece = next++; piece < count; piece = next++) {
      std::this_thread::yield();
      ++done;
    }
    --inside;
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
    team.help([&](Pieces &others) { others.work(); });
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

TEST(Team, ThreadsWithoutWorkHelp) {
  Team<Pieces> team;
  team.enroll();
  team.enroll();
  Pieces pieces;
  pieces.count = 1;
  team.open(pieces);
  std::thread helper([&] { team.help([](Pieces &others) { others.work(); }); });
  while (pieces.done == 0) // its owner does nothing
    std::this_thread::yield();
  team.close(pieces);
  team.help([](Pieces &) { FAIL() << "nothing is open"; });
  helper.join();
}

} // namespace
