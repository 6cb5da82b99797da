#include "core/support/files/ByteStream.h"

#include "core/support/CounterRandom.h"
#include "core/support/files/File.h"
#include "tests/support/TemporaryFolder.h"

#include "zlib.h"
#include "gmock/gmock.h"

using namespace spindle;
using ::testing::HasSubstr;

namespace {

std::string randomBytes(size_t count) {
  CounterRandom random(7);
  std::string bytes(count, '\0');
  for (char &byte : bytes)
    byte = char(random.below(50));
  return bytes;
}

std::string pack(const std::string &path, const std::string &bytes) {
  gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, bytes.data(), unsigned(bytes.size()));
  gzclose(file);
  return path;
}

TEST(ByteStream, ReadsPiecesOfPlainAndPackedFiles) {
  TemporaryFolder folder;
  std::string bytes = randomBytes(300'000);
  for (const std::string &path : {folder.write("plain", bytes), pack(folder / "packed", bytes)}) {
    ByteStream stream = llvm::cantFail(ByteStream::open(path));
    CounterRandom random(3);
    std::string all;
    for (size_t found = 1; found > 0;) {
      std::string piece(1 + random.below(9000), '\0');
      found = llvm::cantFail(stream.read(piece.data(), piece.size()));
      all += piece.substr(0, found);
    }
    EXPECT_TRUE(all == bytes);
    for (size_t place : {size_t(250'000), size_t(17), size_t(100'000)}) {
      llvm::cantFail(stream.seek(place));
      std::string piece(100, '\0');
      EXPECT_EQ(llvm::cantFail(stream.read(piece.data(), 100)), 100u);
      EXPECT_EQ(piece, bytes.substr(place, 100));
    }
  }
}

TEST(ByteStream, SaysWhatIsWrong) {
  TemporaryFolder folder;
  EXPECT_EQ(toText(ByteStream::open(folder / "absent").takeError()),
            folder / "absent" + ": error: cannot open: No such file or directory");
  EXPECT_THAT(toText(ByteStream::open(folder / "").takeError()),
              HasSubstr("is a folder, expected a file"));
  std::string path = pack(folder / "packed", randomBytes(300'000));
  std::string packed = llvm::cantFail(readFile(path));
  std::string room(400'000, '\0');
  std::string cut = folder.write("cut", packed.substr(0, packed.size() / 2));
  packed[packed.size() / 2] ^= 0x55;
  for (const std::string &damaged : {cut, folder.write("damaged", packed)}) {
    ByteStream stream = llvm::cantFail(ByteStream::open(damaged));
    std::string error = toText(stream.read(room.data(), room.size()).takeError());
    EXPECT_EQ(error.find(damaged + ": error: gzip data is cut off or damaged after "), 0u) << error;
    EXPECT_THAT(error, HasSubstr(" unpacked bytes; fetch the file again"));
  }
  ByteStream stream = llvm::cantFail(ByteStream::open(path));
  EXPECT_EQ(toText(stream.seek(UINT64_MAX)),
            path + ": error: cannot go to byte 18446744073709551615 of the unpacked data");
}

} // namespace
