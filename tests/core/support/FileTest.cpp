#include "core/support/files/File.h"
#include "core/support/files/ByteStream.h"
#include "core/support/files/FileHash.h"

#include "core/support/files/TemporaryFile.h"
#include "tests/support/FullDisk.h"
#include "tests/support/TemporaryFolder.h"
#include "zlib.h"

#include <fcntl.h>
#include <filesystem>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

using namespace spindle;

namespace {

std::string gzipped(const std::string &path, const std::string &bytes) {
  gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
  gzclose(file);
  return path;
}

auto entriesOf(const std::string &folder) {
  return std::distance(std::filesystem::directory_iterator(folder), {});
}

} // namespace

TEST(File, WritesWholeFiles) {
  TemporaryFolder folder;
  std::string bytes("a\0b\n", 4);
  ASSERT_FALSE(static_cast<bool>(writeFile(folder / "x", bytes)));
  EXPECT_EQ(llvm::cantFail(readFile(folder / "x")), bytes);
  EXPECT_EQ(entriesOf(folder.path()), 1) << "nothing else";
}

TEST(File, FollowsNoLinkThatWaitsAtAGuessedName) {
  TemporaryFolder folder;
  folder.write("precious", "mine");
  std::filesystem::create_symlink(folder / "precious", folder / "x.part");
  std::filesystem::create_symlink(folder / "precious", folder / "x");
  llvm::cantFail(writeFile(folder / "x", "new"));
  EXPECT_EQ(folder.read("precious"), "mine");
  EXPECT_EQ(folder.read("x"), "new");
}

TEST(File, WritesIntoDevicesInsteadOfReplacingThem) {
  llvm::cantFail(writeFile("/dev/null", "x"));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_EQ(toText(writeFile("/dev/full", "x")),
            "/dev/full: error: cannot write: No space left on device");
}

TEST(File, WritesIntoWhatTheSystemLinksTo) {
  TemporaryFolder folder;
  auto writeOut = [&] {
    int log = open(folder.write("log", "before ").c_str(), O_WRONLY | O_APPEND);
    dup2(log, STDOUT_FILENO);
    llvm::cantFail(writeFile("/dev/stdout", "all of it"));
    bool isLink = std::filesystem::is_symlink("/dev/stdout");
    return isLink && folder.read("log") == "before all of it";
  };
  EXPECT_EXIT(exit(writeOut() ? 0 : 1), ::testing::ExitedWithCode(0), "");
}

TEST(File, ReplacesFilesInMemoryLikeOthers) {
  std::string path = "/dev/shm/spindle-file-test-" + std::to_string(getpid());
  llvm::cantFail(writeFile(path, "before"));
  llvm::cantFail(writeFile(path, "new"));
  EXPECT_EQ(llvm::cantFail(readFile(path)), "new");
  std::filesystem::remove(path);
}

TEST(File, WritesIntoNoSocket) {
  TemporaryFolder folder;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::string path = folder / "socket";
  ASSERT_LT(path.size(), sizeof address.sun_path);
  path.copy(address.sun_path, path.size());
  int server = socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(bind(server, reinterpret_cast<sockaddr *>(&address), sizeof address), 0);
  EXPECT_EQ(toText(writeFile(path, "x")), path + ": error: is a socket, expected a file");
  close(server);
}

TEST(File, WritesIntoPipesThatSomebodyReads) {
  TemporaryFolder folder;
  std::string pipe = folder / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(toText(writeFile(pipe, "x")),
            pipe + ": error: nobody reads this pipe, expected a file; or start its reader first");
  int reader = open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  llvm::cantFail(writeFile(pipe, "through"));
  char bytes[16];
  EXPECT_EQ(std::string(bytes, size_t(read(reader, bytes, sizeof bytes))), "through");
  close(reader);
}

TEST(File, TemporaryNamesDiffer) {
  EXPECT_NE(temporaryName("a/b"), temporaryName("a/b"));
  EXPECT_EQ(std::filesystem::path(temporaryName("a/b")).parent_path(), "a");
  EXPECT_LE(temporaryName(std::string(255, 'x')).size(), 255u);
}

TEST(File, AFullDiskLosesNothing) {
  TemporaryFolder folder;
  folder.write("x", "before");
  auto writeMuch = [&] {
    limitFileSize(1 << 16);
    std::string text = toText(writeFile(folder / "x", std::string(1 << 20, 'x')));
    bool isRight = text == folder / "x" + ": error: cannot write: File too large";
    return isRight && folder.read("x") == "before" && entriesOf(folder.path()) == 1;
  };
  EXPECT_EXIT(exit(writeMuch() ? 0 : 1), ::testing::ExitedWithCode(0), "");
}

TEST(File, MissingFilesAndFoldersAreNamed) {
  TemporaryFolder folder;
  EXPECT_EQ(toText(readFile(folder / "none").takeError()),
            folder / "none" + ": error: cannot open: No such file or directory");
  EXPECT_EQ(toText(readFile(folder / "").takeError()),
            folder / "" + ": error: is a folder, expected a file");
  EXPECT_EQ(toText(writeFile(folder / "no/x", "")),
            folder / "no/x" + ": error: cannot write: No such file or directory");
}

TEST(File, PipesAndDevicesAreNotWaitedFor) {
  TemporaryFolder folder;
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  std::filesystem::create_symlink("/dev/zero", folder / "link");
  for (const std::string &path :
       {folder / "pipe", folder / "link", std::string("/dev/zero"), std::string("/dev/random")}) {
    const std::string error =
        path + ": error: is no regular file, expected one (copy what a pipe or device gives)";
    EXPECT_EQ(toText(readFile(path).takeError()), error);
    EXPECT_EQ(toText(readMaybeGzip(path).takeError()), error);
    EXPECT_EQ(toText(ByteStream::open(path).takeError()), error);
    EXPECT_EQ(toText(hashFile(path).takeError()), error);
  }
}

TEST(File, UnpacksGzipAndPassesOtherBytes) {
  TemporaryFolder folder;
  std::string text(1'000'000, 'x');
  EXPECT_EQ(llvm::cantFail(readMaybeGzip(gzipped(folder / "x.gz", text))), text);
  EXPECT_EQ(llvm::cantFail(readMaybeGzip(folder.write("x", "plain"))), "plain");
}

TEST(File, GzipCutOffOrDamagedIsAnError) {
  TemporaryFolder folder;
  gzipped(folder / "x.gz", std::string(100'000, 'x') + "tail");
  std::string packed = folder.read("x.gz");
  std::string cut = folder.write("cut.gz", packed.substr(0, packed.size() - 9));
  std::string text = toText(readMaybeGzip(cut).takeError());
  EXPECT_EQ(text.find(cut + ": error: gzip data is cut off or damaged after "), 0u) << text;
  packed[packed.size() - 6] ^= 1; // in the checksum
  EXPECT_NE(toText(readMaybeGzip(folder.write("bad.gz", packed)).takeError()).find("damaged"),
            std::string::npos);
}
