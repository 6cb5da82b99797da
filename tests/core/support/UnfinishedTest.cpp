#include "core/support/files/Unfinished.h"

#include "core/support/files/File.h"
#include "core/support/files/RunApart.h"
#include "core/support/files/StagingFolder.h"
#include "tests/support/TemporaryFolder.h"

#include <csignal>
#include <unistd.h>

namespace spindle {
namespace {

const char *const kLine = "x: interrupted";

std::vector<std::string> namesIn(const std::string &folder) {
  std::vector<std::string> names;
  for (const auto &entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  return names;
}

TEST(Unfinished, IsGoneUnlessItIsKept) {
  TemporaryFolder folder;
  folder.write("result", "old");
  {
    Unfinished lost(folder / "lost"), never(folder / "never"), made(folder / "part");
    folder.write("lost/x/y", "a folder");
    folder.write("part", "new");
    Unfinished moved = std::move(made);
    EXPECT_FALSE(moved.keepAs(folder / "result"));
    EXPECT_TRUE(lost.keepAs(folder / "none/x") == std::errc::no_such_file_or_directory);
  }
  EXPECT_EQ(namesIn(folder.path()), std::vector<std::string>{"result"});
  EXPECT_EQ(folder.read("result"), "new");
}

TEST(Unfinished, IsGoneAfterAnInterruption) {
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
    TemporaryFolder folder;
    auto interrupt = [&] {
      std::signal(signal, SIG_DFL);
      endCleanlyWhenInterrupted(kLine);
      llvm::cantFail(writeFile(folder / "result", "whole"));
      StagingFolder staging = llvm::cantFail(StagingFolder::create(folder.path()));
      llvm::cantFail(writeFile(staging.path() + "/x", "a result that waits"));
      Unfinished part(folder / "part");
      folder.write("part", "a half");
      std::raise(signal);
      llvm::consumeError(writeFile(folder / "late", "x")); // waits for the end
      _exit(0);
    };
    EXPECT_EXIT(interrupt(), ::testing::KilledBySignal(signal), kLine);
    EXPECT_EQ(namesIn(folder.path()), std::vector<std::string>{"result"});
  }
}

TEST(Unfinished, AnInterruptionWaitsForWhatIsDoneWholly) {
  TemporaryFolder folder;
  auto interrupt = [&] {
    std::signal(SIGTERM, SIG_DFL);
    endCleanlyWhenInterrupted(kLine);
    {
      Uninterrupted both;
      llvm::cantFail(writeFile(folder / "first", ""));
      std::raise(SIGTERM);
      usleep(100'000);
      llvm::cantFail(writeFile(folder / "second", ""));
    }
    Uninterrupted never;
    _exit(0);
  };
  EXPECT_EXIT(interrupt(), ::testing::KilledBySignal(SIGTERM), kLine);
  EXPECT_EQ(folder.read("first") + folder.read("second"), "");
  EXPECT_EQ(namesIn(folder.path()).size(), 2u);
}

TEST(Unfinished, SignalsThatAreIgnoredStayIgnored) {
  auto hangUp = [] {
    std::signal(SIGHUP, SIG_IGN); // as nohup does
    endCleanlyWhenInterrupted(kLine);
    std::raise(SIGHUP);
    usleep(100'000);
    Uninterrupted goesOn;
    _exit(3);
  };
  EXPECT_EXIT(hangUp(), ::testing::ExitedWithCode(3), "");
}

TEST(Unfinished, SignalsToWorkApartEndNeitherProcess) {
  TemporaryFolder folder;
  auto runBoth = [&] {
    std::signal(SIGTERM, SIG_DFL);
    endCleanlyWhenInterrupted(kLine);
    Unfinished part(folder.write("part", "a half"));
    auto bytes = runApart({"", "", "", 60}, [](const Refusal &) {
      std::raise(SIGTERM);
      return std::string("done");
    });
    bool isThere = std::filesystem::exists(part.path());
    _exit(bytes && *bytes == "done" && isThere ? 0 : 1);
  };
  EXPECT_EXIT(runBoth(), ::testing::ExitedWithCode(0), "");
}

} // namespace
} // namespace spindle
