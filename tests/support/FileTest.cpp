#include "lib/support/File.h"

#include "tests/support/TemporaryFolder.h"
#include "zlib.h"

using namespace spindle;

namespace {

std::string gzipped(const std::string &path, const std::string &bytes) {
  gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
  gzclose(file);
  return path;
}

} // namespace

TEST(File, WritesWholeFiles) {
  TemporaryFolder folder;
  std::string bytes("a\0b\n", 4);
  ASSERT_FALSE(static_cast<bool>(writeFile(folder / "x", bytes)));
  EXPECT_EQ(llvm::cantFail(readFile(folder / "x")), bytes);
  EXPECT_FALSE(std::filesystem::exists(folder / "x.part"));
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
