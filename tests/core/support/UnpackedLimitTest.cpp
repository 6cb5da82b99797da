// A small file that would become a large one is refused, and whatever is damaged stays small.
#include "core/support/files/UnpackedLimit.h"

#include "core/support/CounterRandom.h"
#include "core/support/files/Archive.h"
#include "core/support/files/File.h"
#include "core/support/formats/Npz.h"
#include "tests/support/TemporaryFolder.h"

#include "fmt/format.h"
#include "zlib.h"
#include <gmock/gmock.h>

using namespace spindle;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

constexpr size_t kZeros = 40 << 20; // more than the 32 Mi that any file may become

void gzip(const std::string &path, const std::string &bytes) {
  gzFile file = gzopen(path.c_str(), "wb1");
  ASSERT_EQ(gzwrite(file, bytes.data(), unsigned(bytes.size())), int(bytes.size()));
  gzclose(file);
}

NpyArray zeros(size_t count) {
  return {NpyType::UInt8, {int64_t(count)}, std::string(count, '\0')};
}

std::string npzError(const std::string &path, uint64_t most = UINT64_MAX) {
  return toText(readNpz(path, most).takeError());
}

auto all = [](llvm::StringRef) { return true; };

} // namespace

TEST(UnpackedLimit, GrowsWithTheFileAndNeverOverflows) {
  EXPECT_EQ(unpackedLimit(0), 32u << 20);
  EXPECT_EQ(unpackedLimit(8 << 20), 256u << 20);
  EXPECT_GE(unpackedLimit(UINT64_MAX), UINT64_MAX - 32);
}

TEST(UnpackedLimit, ArraysOfZerosAreRefused) {
  TemporaryFolder folder;
  std::string path = folder / "a.npz";
  llvm::cantFail(writeNpz(path, {{"x", zeros(kZeros)}}));
  size_t size = std::filesystem::file_size(path);
  ASSERT_LT(size, 1u << 16);
  EXPECT_EQ(npzError(path),
            fmt::format("{}: error: array 'x' has 41943040 elements, expected at most 33554432 in "
                        "all of a packed file of {} bytes; store large arrays unpacked "
                        "(numpy.savez)",
                        path, size));
  EXPECT_EQ(llvm::cantFail(readNpzHeaders(path))[0].header.shape[0], int64_t(kZeros));
  EXPECT_EQ(llvm::cantFail(readNpzRows(path, "x", 3)), zeros(3)); // nobody asks for the rest
  EXPECT_THAT(toText(readNpzRows(path, "x", kZeros).takeError()), HasSubstr("has 41943040"));

  // Together they are too many.
  llvm::cantFail(writeNpz(path, {{"x", zeros(kZeros / 2)}, {"y", zeros(kZeros / 2)}}));
  EXPECT_THAT(npzError(path), HasSubstr("array 'y' has 20971520 elements, expected at most"));
}

TEST(UnpackedLimit, ModelsTakeNoMoreThanTheyNeed) {
  TemporaryFolder folder;
  std::string path = folder / "a.npz";
  llvm::cantFail(writeNpz(path, {{"x", zeros(10)}, {"y", zeros(10)}}));
  EXPECT_THAT(npzError(path, 20), IsEmpty());
  EXPECT_EQ(npzError(path, 19), path + ": error: array 'y' has 10 elements, expected at most 19 in "
                                       "all, about what the model takes");
}

TEST(UnpackedLimit, SizesThatArchivesStateWronglyAreNoticed) {
  TemporaryFolder folder;
  std::string path = folder / "a.npz";
  llvm::cantFail(writeNpz(path, {{"x", zeros(1000)}}));
  std::string bytes = folder.read("a.npz");
  size_t local = bytes.find("PK\3\4"), central = bytes.find("PK\1\2");
  auto state = [&](uint32_t size) {
    std::string changed = bytes;
    for (size_t at : {local + 22, central + 24})
      for (size_t byte = 0; byte < 4; ++byte)
        changed[at + byte] = char(size >> (8 * byte));
    folder.write("a.npz", changed);
  };
  state(128 + 999);
  EXPECT_THAT(npzError(path), HasSubstr("array 'x' holds 999 bytes, which is not the shape"));
  EXPECT_THAT(toText(readArchive(path, all).takeError()), HasSubstr(path + ": error: "));
  state(UINT32_MAX - 1);
  EXPECT_THAT(npzError(path), HasSubstr("array 'x' holds 4294967166 bytes, which is not"));
  EXPECT_THAT(toText(readArchive(path, all).takeError()), HasSubstr("'x.npy' brings the files to"));
  state(10);
  EXPECT_THAT(npzError(path), HasSubstr("array 'x' "));
}

TEST(UnpackedLimit, DamagedArchivesGiveOneLine) {
  TemporaryFolder folder;
  CounterRandom random(11);
  std::vector<float> values(300);
  for (float &value : values)
    value = float(random.uniform());
  std::string path = folder / "a.npz";
  llvm::cantFail(writeNpz(path, {{"x", makeNpy({100, 3}, values)}, {"y", zeros(100)}}));
  std::string bytes = folder.read("a.npz");
  for (int trial = 0; trial < 500; ++trial) {
    std::string changed = bytes;
    for (uint32_t change = 0; change <= random.below(3); ++change)
      changed[random.below(uint32_t(bytes.size()))] = char(random.below(256));
    if (random.below(5) == 0)
      changed.resize(random.below(uint32_t(bytes.size())));
    folder.write("a.npz", changed);
    for (const std::string &error :
         {npzError(path), toText(readArchive(path, all).takeError()),
          toText(readNpzHeaders(path).takeError()), toText(readNpzRows(path, "x", 7).takeError())})
      EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  }
}

TEST(UnpackedLimit, HeadersOfArraysAreShort) {
  auto error = [](const std::string &bytes) {
    return toText(parseNpyHeader(bytes, "a.npz", "x").takeError());
  };
  std::string magic = "\x93NUMPY";
  EXPECT_EQ(error(magic + std::string("\2\0\xff\xff\xff\x7f", 6)),
            "a.npz: error: array 'x' has a header of 2147483647 bytes, expected at most 65535");
  std::string extents;
  for (int d = 0; d < 65; ++d)
    extents += "1,";
  std::string header = "{'descr': '|u1', 'fortran_order': False, 'shape': (" + extents + "), }";
  EXPECT_EQ(error(magic + std::string("\1\0", 2) + char(header.size()) + '\0' + header),
            "a.npz: error: array 'x' has 65 dimensions, expected at most 64");
}

TEST(UnpackedLimit, GzippedZerosAreRefused) {
  TemporaryFolder folder;
  std::string path = folder / "a.gz";
  gzip(path, std::string(kZeros, '\0'));
  EXPECT_EQ(toText(readMaybeGzip(path).takeError()),
            fmt::format("{}: error: gzip data has more than 33554432 bytes, expected at most so "
                        "many in a file of {} bytes; unpack it (gunzip)",
                        path, std::filesystem::file_size(path)));
  gzip(path, std::string(1 << 20, '\0'));
  EXPECT_EQ(llvm::cantFail(readMaybeGzip(path)).size(), 1u << 20);
}

TEST(UnpackedLimit, FilesInArchivesAreRefusedWantedOrNot) {
  TemporaryFolder folder;
  folder.write("set/small", "bytes");
  folder.write("set/zeros", std::string(kZeros, '\0'));
  for (const char *packing : {"z", "j", "J"}) {
    std::string path = folder / "a.tar";
    std::string command = fmt::format("tar -C '{}' -c{}f '{}' set/zeros set/small 2>&1",
                                      folder.path(), packing, path);
    if (std::system(command.c_str()) != 0)
      continue; // bzip2 or xz is not installed
    std::string expected =
        fmt::format("{}: error: 'set/zeros' brings the files to more than 33554432 bytes, expected "
                    "at most so many in an archive of {} bytes; store large files unpacked",
                    path, std::filesystem::file_size(path));
    EXPECT_EQ(toText(readArchive(path, all).takeError()), expected);
    EXPECT_EQ(toText(readArchive(path, [](llvm::StringRef name) { return name == "set/small"; })
                         .takeError()),
              expected);
    EXPECT_EQ(toText(listArchive(path).takeError()), expected);
  }
  std::string plain = folder / "b.tar"; // which says nothing that it does not hold
  std::string command = fmt::format("tar -C '{}' -cf '{}' set", folder.path(), plain);
  ASSERT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(llvm::cantFail(listArchive(plain)).size(), 2u);
}
