#include "core/support/formats/Npz.h"

#include "tests/support/TemporaryFolder.h"
#include "zip.h"
#include "gmock/gmock.h"

using namespace spindle;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

/// The bytes of a .npy file after numpy.lib.format, version 1.
std::string npy(const std::string &header, const std::string &data) {
  std::string padded = header + std::string((64 - (10 + header.size() + 1) % 64) % 64, ' ') + "\n";
  return std::string("\x93NUMPY\1\0", 8) + char(padded.size() & 255) + char(padded.size() >> 8) +
         padded + data;
}

template <typename T> std::string raw(std::vector<T> values) {
  return {reinterpret_cast<const char *>(values.data()), values.size() * sizeof(T)};
}

std::string header(const std::string &type, const std::string &shape,
                   const std::string &fortran = "False") {
  return "{'descr': '" + type + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }";
}

NpyArray parsedArray(const std::string &bytes) {
  return llvm::cantFail(parseNpy(bytes, "a.npz", "w"));
}

std::string arrayError(const std::string &bytes) {
  return toText(parseNpy(bytes, "a.npz", "w").takeError());
}

} // namespace

TEST(Npy, ReadsEveryElementType) {
  EXPECT_THAT(parsedArray(npy(header("<f4", "(2,)"), raw<float>({1.5f, -2}))).floats(),
              ElementsAre(1.5f, -2));
  EXPECT_THAT(parsedArray(npy(header("<f8", "(2,)"), raw<double>({1e300, 0.1}))).doubles(),
              ElementsAre(1e300, 0.1));
  EXPECT_THAT(parsedArray(npy(header("|u1", "(2,)"), raw<uint8_t>({0, 255}))).integers(),
              ElementsAre(0, 255));
  EXPECT_THAT(parsedArray(npy(header("|i1", "(1,)"), raw<int8_t>({-1}))).floats(), ElementsAre(-1));
  EXPECT_THAT(parsedArray(npy(header("|b1", "(2,)"), raw<uint8_t>({0, 1}))).integers(),
              ElementsAre(0, 1));
  EXPECT_THAT(parsedArray(npy(header("<i2", "(1,)"), raw<int16_t>({-300}))).integers(),
              ElementsAre(-300));
  EXPECT_THAT(parsedArray(npy(header("<u2", "(1,)"), raw<uint16_t>({65535}))).integers(),
              ElementsAre(65535));
  EXPECT_THAT(parsedArray(npy(header("<i4", "(1,)"), raw<int32_t>({-70000}))).doubles(),
              ElementsAre(-70000));
  EXPECT_THAT(parsedArray(npy(header("<u4", "(1,)"), raw<uint32_t>({4000000000u}))).integers(),
              ElementsAre(4000000000));
  EXPECT_THAT(parsedArray(npy(header("<i8", "(1,)"), raw<int64_t>({INT64_MIN}))).integers(),
              ElementsAre(INT64_MIN));
  NpyArray scalar = parsedArray(npy(header("<f4", "()"), raw<float>({3})));
  EXPECT_THAT(scalar.shape, ElementsAre());
  EXPECT_THAT(scalar.floats(), ElementsAre(3));
}

TEST(Npy, FortranOrderBecomesRowMajor) {
  // [[1, 2, 3], [4, 5, 6]] column by column.
  NpyArray array =
      parsedArray(npy(header("<i4", "(2, 3)", "True"), raw<int32_t>({1, 4, 2, 5, 3, 6})));
  EXPECT_THAT(array.shape, ElementsAre(2, 3));
  EXPECT_THAT(array.integers(), ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST(Npy, ReadsVersionTwoHeaders) {
  std::string text = header("<f4", "(1,)") + "\n";
  std::string bytes = std::string("\x93NUMPY\2\0", 8) + char(text.size()) + std::string(3, '\0') +
                      text + raw<float>({7});
  EXPECT_THAT(parsedArray(bytes).floats(), ElementsAre(7));
}

TEST(Npy, WritesTheDocumentedBytes) {
  EXPECT_EQ(formatNpy(makeNpy({2, 1}, std::vector<float>{1, 2})),
            npy(header("<f4", "(2, 1)"), raw<float>({1, 2})));
  EXPECT_EQ(formatNpy(makeNpy({1}, std::vector<int64_t>{-5})),
            npy(header("<i8", "(1,)"), raw<int64_t>({-5})));
  EXPECT_EQ(formatNpy(NpyArray{NpyType::UInt8, {2}, "ab"}), npy(header("|u1", "(2,)"), "ab"));
}

TEST(Npy, WrongBytesAreRefused) {
  EXPECT_EQ(arrayError("hello"), "a.npz: error: array 'w' is not in the npy format");
  EXPECT_EQ(arrayError(std::string("\x93NUMPY\1\0\xff\0{", 11)),
            "a.npz: error: array 'w' is cut off in its header");
  EXPECT_EQ(arrayError(std::string("\x93NUMPY\7\0\0\0", 10)),
            "a.npz: error: array 'w' has npy version 7, expected 1 to 3");
  EXPECT_EQ(arrayError(npy("{'descr': '<f4'}", "")),
            "a.npz: error: array 'w' has a damaged header");
  EXPECT_EQ(arrayError(npy(header("<f4", "(2, x)"), "")),
            "a.npz: error: array 'w' has a damaged header");
  EXPECT_EQ(arrayError(npy(header(">f4", "(1,)"), raw<float>({1}))),
            "a.npz: error: array 'w' is big-endian ('>f4'), expected little-endian: save it with "
            "astype('<f4')");
  EXPECT_EQ(
      arrayError(npy(header("<f3", "(1,)"), "abc")),
      "a.npz: error: array 'w' has elements of type '<f3', expected one of f2 f4 f8 b1 i1 i2 i4 "
      "i8 u1 u2 u4 u8");
  EXPECT_EQ(
      arrayError(npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", "abcd")),
      "a.npz: error: array 'w' has elements of type structure, expected one of f2 f4 f8 b1 i1 i2 "
      "i4 i8 u1 u2 u4 u8");
  EXPECT_EQ(arrayError(npy(header("<f4", "(2, 3)"), raw<float>({1, 2, 3}))),
            "a.npz: error: array 'w' holds 12 bytes, which is not the shape (2, 3) of type f4: the "
            "data is cut off or damaged");
  EXPECT_THAT(arrayError(npy(header("<f4", "(1099511627776, 1099511627776)"), "")),
              HasSubstr("cut off or damaged"));
}

TEST(Npz, ReadsWhatItWroteInOrder) {
  TemporaryFolder folder;
  std::vector<NpzMember> members = {{"weight", makeNpy({2, 2}, std::vector<float>{1, 2, 3, 4})},
                                    {"bias", makeNpy({2}, std::vector<double>{0.5, 1})},
                                    {"arg0", makeNpy({}, std::vector<int64_t>{9})}};
  ASSERT_FALSE(static_cast<bool>(writeNpz(folder / "a.npz", members)));
  EXPECT_EQ(llvm::cantFail(readNpz(folder / "a.npz")), members);
  EXPECT_EQ(findMember(members, "bias"), &members[1].array);
  EXPECT_EQ(findMember(members, "none"), nullptr);
  ASSERT_FALSE(static_cast<bool>(writeNpz(folder / "b.npz", members)));
  EXPECT_EQ(folder.read("a.npz"), folder.read("b.npz"));
}

TEST(Npz, WritesOverAnOldFile) {
  TemporaryFolder folder;
  folder.write("a.npz", "old bytes");
  ASSERT_FALSE(
      static_cast<bool>(writeNpz(folder / "a.npz", {{"x", makeNpy({1}, std::vector<float>{1})}})));
  EXPECT_EQ(llvm::cantFail(readNpz(folder / "a.npz")).size(), 1u);
}

TEST(Npz, DamagedArchivesAreRefused) {
  TemporaryFolder folder;
  std::vector<float> values(5000);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(i * i);
  llvm::cantFail(writeNpz(folder / "a.npz", {{"weight", makeNpy({5000}, values)}}));
  std::string bytes = folder.read("a.npz");
  auto readError = [](const std::string &path) { return toText(readNpz(path).takeError()); };
  std::string cut = folder.write("cut.npz", bytes.substr(0, bytes.size() / 2));
  EXPECT_EQ(readError(cut), cut + ": error: not an npz archive, or cut off");
  bytes[bytes.size() / 2] ^= 0x55;
  std::string bad = folder.write("bad.npz", bytes);
  EXPECT_EQ(readError(bad),
            bad + ": error: array 'weight' cannot be unpacked; the archive is damaged");
  EXPECT_EQ(readError(folder / "none.npz"),
            folder / "none.npz" + ": error: cannot open: No such file or directory");
  EXPECT_THAT(toText(writeNpz(folder / "no/a.npz", {{"x", makeNpy({1}, std::vector<float>{1})}})),
              HasSubstr("no/a.npz: error: cannot write: "));
}

namespace {

/// The archive of `members` with the bytes `from` replaced by `to` wherever they stand.
std::string changedArchive(TemporaryFolder &folder, const std::vector<NpzMember> &members,
                           const std::string &from, const std::string &to) {
  llvm::cantFail(writeNpz(folder / "a.npz", members));
  std::string bytes = folder.read("a.npz");
  size_t found = 0;
  for (size_t at = 0; (at = bytes.find(from, at)) != std::string::npos; at += to.size(), ++found)
    bytes.replace(at, from.size(), to);
  EXPECT_GE(found, 2u) << "once in front of the member, once in the directory";
  return folder.write("b.npz", bytes);
}

/// How every function refuses the archive; they agree.
std::string errorOfAll(const std::string &path, const std::string &array) {
  std::string error = toText(readNpz(path).takeError());
  EXPECT_EQ(toText(readNpzHeaders(path).takeError()), error);
  EXPECT_EQ(toText(readNpzRows(path, array, 1).takeError()), error);
  return error;
}

} // namespace

TEST(Npz, OtherMethodsOfPackingAreNamed) {
  TemporaryFolder folder;
  llvm::cantFail(writeNpz(folder / "a.npz", {{"weight", makeNpy({1}, std::vector<float>{1})}}));
  std::string bytes = folder.read("a.npz");
  size_t local = bytes.find("PK\3\4"), central = bytes.find("PK\1\2");
  ASSERT_NE(central, std::string::npos);
  for (auto [method, name] : {std::pair{9, "deflate64"},
                              {12, "bzip2"},
                              {14, "LZMA"},
                              {93, "Zstandard"},
                              {95, "xz"},
                              {98, "PPMd"},
                              {6, "method 6"}}) {
    for (size_t at : {local + 8, central + 10}) // where the method stands, in two bytes
      bytes[at] = char(method);
    std::string path = folder.write("b.npz", bytes);
    EXPECT_EQ(errorOfAll(path, "weight"),
              path + ": error: array 'weight' is packed with " + name +
                  ", expected stored or deflated; write it with numpy.savez or "
                  "numpy.savez_compressed");
  }
}

TEST(Npz, StoredArraysAreRead) {
  TemporaryFolder folder;
  std::string file = formatNpy(makeNpy({2}, std::vector<float>{1, 2}));
  int status = 0;
  zip_t *archive = zip_open((folder / "a.npz").c_str(), ZIP_CREATE | ZIP_TRUNCATE, &status);
  ASSERT_NE(archive, nullptr);
  zip_file_add(archive, "x.npy", zip_source_buffer(archive, file.data(), file.size(), 0), 0);
  zip_set_file_compression(archive, 0, ZIP_CM_STORE, 0);
  ASSERT_EQ(zip_close(archive), 0);
  EXPECT_THAT(llvm::cantFail(readNpz(folder / "a.npz"))[0].array.floats(), ElementsAre(1, 2));
}

TEST(Npz, TwoMembersOfOneNameAreRefused) {
  TemporaryFolder folder;
  NpyArray array = makeNpy({1}, std::vector<float>{1});
  std::string path = changedArchive(folder, {{"x", array}, {"y", array}}, "y.npy", "x.npy");
  EXPECT_EQ(errorOfAll(path, "x"), path + ": error: has two members 'x.npy', expected one of each "
                                          "name; write it again");
}

// Files written by NumPy itself.
TEST(Npz, ReadsArchivesOfNumpy) {
  const char *data = std::getenv("SPINDLE_DATA");
  std::string path =
      std::string(data ? data : "../shared/data") + "/models/npz/own_mlp_784_128_10_nobias.npz";
  if (!std::filesystem::exists(path))
    GTEST_SKIP() << path << " is absent; set SPINDLE_DATA";
  std::vector<NpzMember> members = llvm::cantFail(readNpz(path));
  ASSERT_EQ(members.size(), 2u);
  size_t weights = 0;
  for (const NpzMember &member : members)
    weights += member.array.floats().size();
  EXPECT_EQ(weights, 784u * 128 + 128 * 10);
}
