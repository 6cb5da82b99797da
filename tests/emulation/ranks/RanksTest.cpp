// How ranks talk, and what they say when they cannot.
#include "lib/emulation/ranks/Ranks.h"
#include "lib/emulation/ranks/ShareMessages.h"

#include "gmock/gmock.h"

#include <atomic>
#include <cstdlib>
#include <numeric>

using namespace spindle;
using ::testing::ElementsAre;

namespace {

/// A message of `size` bytes that says who sent it.
ranks::Bytes message(size_t from, size_t size) { return ranks::Bytes(size, char('a' + from)); }

TEST(ThreadRanks, MessagesKeepTheirOrder) {
  std::atomic<int> right = 0;
  auto check = [&](bool holds) { right += holds; };
  auto talk = [&](Ranks &ranks) {
    size_t next = (ranks.rank() + 1) % ranks.size(), last = (ranks.rank() + 2) % ranks.size();
    for (size_t size = 0; size < 50; ++size)
      ranks.send(next, message(ranks.rank(), size));
    for (size_t size = 0; size < 50; ++size)
      check(ranks.receive(last) == message(last, size));
  };
  runThreadRanks(3, talk, talk);
  EXPECT_EQ(right, 150);
}

TEST(ThreadRanks, ExchangesGiveEveryRankTheSame) {
  std::atomic<int> right = 0;
  auto talk = [&](Ranks &ranks) {
    for (uint32_t round = 0; round < 100; ++round) {
      std::vector<uint32_t> mine(ranks.rank() * round), all, expected;
      std::iota(mine.begin(), mine.end(), round);
      std::vector<size_t> ends, expectedEnds;
      ranks.exchange(mine, all, ends);
      for (size_t r = 0; r < 3; ++r) {
        for (uint32_t k = 0; k < r * round; ++k)
          expected.push_back(round + k);
        expectedEnds.push_back(expected.size());
      }
      right += all == expected && ends == expectedEnds;
    }
  };
  runThreadRanks(3, talk, talk);
  EXPECT_EQ(right, 300);
}

std::string textOf(llvm::Expected<Share> answer) {
  return answer ? "" : toText(answer.takeError());
}

TEST(ShareMessages, KeepErrors) {
  llvm::Error input = inputError("net.mlir:3:4", "found this, expected that");
  llvm::Expected<Share> answer = ranks::unpackAnswer(ranks::packAnswer(std::move(input)));
  ASSERT_FALSE(answer);
  llvm::Error error = answer.takeError();
  EXPECT_EQ(kindOf(error), ErrorKind::Input);
  EXPECT_EQ(toText(std::move(error)), "net.mlir:3:4: error: found this, expected that");
  EXPECT_EQ(
      textOf(ranks::unpackAnswer(ranks::packAnswer(llvm::createStringError("no symbol 'main'")))),
      "error: no symbol 'main'");
}

TEST(ShareMessages, RefuseWhatIsNoNetwork) {
  mlir::MLIRContext context;
  context.getDiagEngine().registerHandler([](mlir::Diagnostic &) {});
  auto module = ranks::unpackNetwork({'x', 'y'}, context);
  ASSERT_FALSE(module);
  EXPECT_EQ(toText(module.takeError()),
            "emulation: error: a rank cannot read the network that it got");
}

TEST(NoMpi, IsOneRankWhichMpirunMustNotMultiply) {
  int argc = 0;
  char **argv = nullptr;
  std::unique_ptr<Ranks> only = llvm::cantFail(joinRanks(argc, argv));
  EXPECT_EQ(only->rank(), 0u);
  EXPECT_EQ(only->size(), 1u);
  std::vector<uint32_t> words{3, 1}, all;
  std::vector<size_t> ends;
  only->exchange(words, all, ends);
  EXPECT_THAT(all, ElementsAre(3, 1));
  EXPECT_THAT(ends, ElementsAre(2));
  for (const char *variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    setenv(variable, "4", 1);
    llvm::Expected<std::unique_ptr<Ranks>> ranks = joinRanks(argc, argv);
    unsetenv(variable);
    ASSERT_FALSE(ranks);
    EXPECT_EQ(toText(ranks.takeError()),
              "mpirun: error: 4 processes were started of a program without MPI; expected "
              "spindle-mpi, which is built where Open MPI is found (apt-get install "
              "libopenmpi-dev)");
  }
}

} // namespace
