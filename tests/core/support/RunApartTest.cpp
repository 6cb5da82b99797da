#include "core/support/files/RunApart.h"

#include "gmock/gmock.h"

#include <csignal>
#include <cstdlib>
#include <numeric>

using namespace spindle;

namespace {

using Work = llvm::function_ref<std::string(const Refusal &)>;

std::string errorOfWork(Work work, double seconds = 60) {
  llvm::Expected<std::string> bytes =
      runApart({"f.mlir", "the program", "look at it", seconds}, work);
  return bytes ? "no error" : toText(bytes.takeError());
}

TEST(RunApart, HandsBytesOver) {
  for (size_t count : {0, 1, 100'000, 3'000'000}) {
    std::string expected(count, '\0');
    std::iota(expected.begin(), expected.end(), 'x');
    auto bytes = runApart({"", "", "", 60}, [&](const Refusal &) { return expected; });
    ASSERT_TRUE(bool(bytes)) << toText(bytes.takeError());
    EXPECT_TRUE(*bytes == expected) << count;
  }
}

TEST(RunApart, WhatTheWorkChangesStaysThere) {
  int number = 1;
  llvm::cantFail(runApart({"", "", "", 60}, [&](const Refusal &) {
                   number = 2;
                   return std::string();
                 }).takeError());
  EXPECT_EQ(number, 1);
}

TEST(RunApart, CrashesAndLoopsAreErrors) {
  auto raises = [](int signal) {
    return [signal](const Refusal &) {
      std::raise(signal);
      return std::string();
    };
  };
  EXPECT_EQ(errorOfWork(raises(SIGKILL)),
            "f.mlir: error: the program ends in a crash (Killed); look at it");
  EXPECT_EQ(errorOfWork(raises(SIGABRT)),
            "f.mlir: error: the program ends in a crash (Aborted); look at it");
  EXPECT_EQ(errorOfWork([](const Refusal &) -> std::string { std::_Exit(3); }),
            "f.mlir: error: the program ends without a result; look at it");
  auto loops = [](const Refusal &) -> std::string {
    for (volatile bool goesOn = true; goesOn;)
      continue;
    return "";
  };
  EXPECT_EQ(errorOfWork(loops, 0.05),
            "f.mlir: error: the program is not done after 0.05 s; look at it");
}

TEST(RunApart, TheWorkMayRefuse) {
  auto refuses = [](const Refusal &refuse) -> std::string { refuse("f.mlir:1:2", "no"); };
  EXPECT_EQ(errorOfWork(refuses), "f.mlir:1:2: error: no");
}

} // namespace
