#include "core/support/files/FolderLock.h"

#include "core/support/files/FileHash.h"
#include "core/support/files/StagingFolder.h"
#include "core/support/files/TemporaryFile.h"
#include "tests/support/TemporaryFolder.h"

#include "gmock/gmock.h"

namespace spindle {
namespace {

TEST(FolderLock, IsHeldByOne) {
  TemporaryFolder folder;
  {
    llvm::Expected<FolderLock> first = FolderLock::take(folder.path());
    ASSERT_TRUE(static_cast<bool>(first));
    EXPECT_EQ(toText(FolderLock::take(folder.path()).takeError()),
              folder.path() + ": error: another spindle works in this folder; wait for its end or "
                              "choose another folder");
  }
  EXPECT_TRUE(static_cast<bool>(FolderLock::take(folder.path())));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(FolderLock, NeedsAFolder) {
  TemporaryFolder folder;
  EXPECT_EQ(toText(FolderLock::take(folder / "none").takeError()),
            folder / "none" + ": error: cannot open this folder: No such file or directory");
  folder.write("file", "");
  EXPECT_EQ(toText(makeFolder(folder / "file/x")),
            folder / "file/x" + ": error: cannot make this folder: Not a directory");
}

TEST(StagingFolder, IsGoneAfterwards) {
  TemporaryFolder folder;
  {
    StagingFolder staging = llvm::cantFail(StagingFolder::create(folder.path()));
    std::ofstream(staging.path() + "/x") << "x";
    EXPECT_EQ(toText(staging.inParent(inputError(staging.path() + "/x", "is wrong"))),
              folder / "x" + ": error: is wrong");
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(StagingFolder, LeftOverOnesAreRemovedAndNothingElse) {
  TemporaryFolder folder, elsewhere;
  elsewhere.write("precious", "mine");
  for (const char *name : {".spindle-unfinished-a1B2c3/20-snn.mlir", ".spindle-notes/x",
                           ".spindle-abcdef/mine", ".spindle-unfinished-a1B2c/x"})
    folder.write(name, "x");
  folder.write(".spindle-unfinished-abcdef", "a file of the user");
  std::filesystem::create_directory_symlink(elsewhere.path(),
                                            folder / ".spindle-unfinished-ABCDEF");
  folder.write(temporaryName("run.json"), "a half");
  folder.write(".notes.part", "a file of the user");
  folder.write(".notes.0123456789.part/x", "a folder of the user");
  StagingFolder::removeLeftOver(folder.path());
  std::vector<std::string> parts;
  for (const auto &entry : std::filesystem::directory_iterator(folder.path()))
    if (entry.path().extension() == ".part")
      parts.push_back(entry.path().filename().string());
  EXPECT_THAT(parts, ::testing::UnorderedElementsAre(".notes.part", ".notes.0123456789.part"));
  EXPECT_FALSE(std::filesystem::exists(folder / ".spindle-unfinished-a1B2c3"));
  EXPECT_TRUE(std::filesystem::exists(folder / ".spindle-unfinished-a1B2c/x"));
  EXPECT_TRUE(std::filesystem::exists(folder / ".spindle-abcdef/mine"));
  EXPECT_TRUE(std::filesystem::exists(folder / ".spindle-unfinished-abcdef"));
  EXPECT_EQ(elsewhere.read("precious"), "mine");
}

TEST(FileHash, IsThatOfTheStandardsTestVectors) {
  // https://github.com/BLAKE3-team/BLAKE3/blob/master/test_vectors: bytes 0, 1, …, 250, 0, …
  TemporaryFolder folder;
  std::string bytes;
  for (size_t i = 0; i < 2048; ++i)
    bytes += static_cast<char>(i % 251);
  EXPECT_EQ(hashText(""), "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262");
  EXPECT_EQ(llvm::cantFail(hashFile(folder.write("x", bytes))), hashText(bytes));
  EXPECT_EQ(hashText(bytes), "e776b6028c7cd22a4d0ba182a8bf62205d2ef576467e838ed6f2529b85fba24a");
  EXPECT_EQ(toText(hashFile(folder / "none").takeError()),
            folder / "none" + ": error: cannot open: No such file or directory");
}

} // namespace
} // namespace spindle
