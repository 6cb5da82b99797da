#include "core/support/formats/Hdf5.h"

#include "hdf5.h"
#include "tests/support/TemporaryFolder.h"
#include "gmock/gmock.h"

#include <chrono>
#include <thread>

using namespace spindle;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

std::vector<uint32_t> ramp(size_t count) {
  std::vector<uint32_t> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = static_cast<uint32_t>(i * 2654435761u);
  return values;
}

std::string writeExample(const std::string &path) {
  Hdf5Writer writer = llvm::cantFail(Hdf5Writer::create(path));
  llvm::cantFail(writer.write("spikes/pop/timestamps", std::vector<double>{0.5, 1.5}));
  llvm::cantFail(writer.write("spikes/pop/node_ids", std::vector<uint64_t>{7, UINT64_MAX}));
  llvm::cantFail(writer.write("weights", std::vector<float>{-1.25f}));
  llvm::cantFail(writer.write("bytes", std::vector<uint8_t>{0, 255}));
  llvm::cantFail(writer.write("long", ramp(100000)));
  llvm::cantFail(writer.write("empty", std::vector<double>{}));
  llvm::cantFail(writer.write("names", std::vector<std::string>{"conv1", "", "größe"}));
  llvm::cantFail(writer.attribute("/", "format", std::string("spike-trace")));
  llvm::cantFail(writer.attribute("spikes/pop", "size", int64_t(-12)));
  llvm::cantFail(writer.attribute("weights", "unit", 0.125));
  llvm::cantFail(writer.close());
  return path;
}

Hdf5Reader opened(const std::string &path) { return llvm::cantFail(Hdf5Reader::open(path)); }

template <typename T> std::vector<T> values(const Hdf5Reader &reader, const std::string &name) {
  std::vector<T> out;
  llvm::cantFail(reader.read(name, out));
  return out;
}

template <typename T> std::string readError(const Hdf5Reader &reader, const std::string &name) {
  std::vector<T> out;
  llvm::Error error = reader.read(name, out);
  return error ? toText(std::move(error)) : "no error";
}

} // namespace

TEST(Hdf5, ReadsWhatItWrote) {
  TemporaryFolder folder;
  Hdf5Reader reader = opened(writeExample(folder / "a.h5"));
  EXPECT_THAT(values<double>(reader, "spikes/pop/timestamps"), ElementsAre(0.5, 1.5));
  EXPECT_THAT(values<uint64_t>(reader, "spikes/pop/node_ids"), ElementsAre(7, UINT64_MAX));
  EXPECT_THAT(values<float>(reader, "weights"), ElementsAre(-1.25f));
  EXPECT_THAT(values<uint8_t>(reader, "bytes"), ElementsAre(0, 255));
  EXPECT_EQ(values<uint32_t>(reader, "long"), ramp(100000));
  EXPECT_THAT(values<double>(reader, "empty"), IsEmpty());
  EXPECT_THAT(values<std::string>(reader, "names"), ElementsAre("conv1", "", "größe"));
  std::string format;
  int64_t size = 0;
  double unit = 0;
  llvm::cantFail(reader.attribute("/", "format", format));
  llvm::cantFail(reader.attribute("spikes/pop", "size", size));
  llvm::cantFail(reader.attribute("weights", "unit", unit));
  EXPECT_EQ(format, "spike-trace");
  EXPECT_EQ(size, -12);
  EXPECT_EQ(unit, 0.125);
  EXPECT_TRUE(reader.has("spikes/pop"));
  EXPECT_TRUE(reader.has("/"));
  EXPECT_FALSE(reader.has("spikes/other/timestamps"));
  EXPECT_THAT(llvm::cantFail(reader.members("spikes/pop")), ElementsAre("node_ids", "timestamps"));
  EXPECT_THAT(llvm::cantFail(reader.members("/")),
              ElementsAre("bytes", "empty", "long", "names", "spikes", "weights"));
  EXPECT_THAT(llvm::cantFail(reader.shape("long")), ElementsAre(100000));
  EXPECT_EQ(reader.fileName(), folder / "a.h5");
}

TEST(Hdf5, FilesDoNotDependOnTheTime) {
  TemporaryFolder folder;
  writeExample(folder / "a.h5");
  std::this_thread::sleep_for(std::chrono::milliseconds(1100)); // HDF5 counts seconds
  writeExample(folder / "b.h5");
  EXPECT_EQ(folder.read("a.h5"), folder.read("b.h5"));
}

TEST(Hdf5, AnUnfinishedFileLeavesNothing) {
  TemporaryFolder folder;
  {
    Hdf5Writer writer = llvm::cantFail(Hdf5Writer::create(folder / "a.h5"));
    llvm::cantFail(writer.write("x", std::vector<double>{1}));
    EXPECT_FALSE(std::filesystem::exists(folder / "a.h5"));
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "a.h5"));
  EXPECT_FALSE(std::filesystem::exists(folder / "a.h5.part"));
}

TEST(Hdf5, AbsentAndWrongThingsAreNamed) {
  TemporaryFolder folder;
  std::string path = writeExample(folder / "a.h5");
  Hdf5Reader reader = opened(path);
  EXPECT_EQ(readError<double>(reader, "spikes/none"),
            path + ": error: data set 'spikes/none' is absent");
  EXPECT_EQ(readError<double>(reader, "spikes"), path + ": error: 'spikes' is not a data set");
  EXPECT_EQ(readError<uint32_t>(reader, "weights"),
            path + ": error: data set 'weights' holds floating-point numbers, expected integers");
  EXPECT_EQ(readError<float>(reader, "names"),
            path + ": error: data set 'names' holds strings, expected numbers");
  EXPECT_EQ(readError<std::string>(reader, "bytes"),
            path + ": error: data set 'bytes' holds integers, expected strings");
  EXPECT_EQ(readError<uint32_t>(reader, "spikes/pop/node_ids"),
            path + ": error: data set 'spikes/pop/node_ids' holds 18446744073709551615, expected 0 "
                   "to 4294967295");
  std::string text;
  int64_t number = 0;
  EXPECT_EQ(toText(reader.attribute("/", "version", number)),
            path + ": error: attribute 'version' of '/' is absent");
  EXPECT_EQ(toText(reader.attribute("/", "format", number)),
            path + ": error: attribute 'format' of '/' holds strings, expected integers");
  EXPECT_EQ(toText(reader.attribute("weights", "unit", text)),
            path + ": error: attribute 'unit' of 'weights' holds floating-point numbers, expected "
                   "strings");
  EXPECT_EQ(toText(reader.members("none").takeError()), path + ": error: group 'none' is absent");
}

TEST(Hdf5, DamagedFilesAreRefused) {
  TemporaryFolder folder;
  writeExample(folder / "a.h5");
  std::string bytes = folder.read("a.h5");
  auto openError = [](const std::string &path) {
    return toText(Hdf5Reader::open(path).takeError());
  };
  std::string cut = folder.write("cut.h5", bytes.substr(0, bytes.size() / 2));
  EXPECT_EQ(openError(cut),
            cut + ": error: the HDF5 file is damaged or was cut off, write it again");
  std::string text = folder.write("text.h5", "not a file of numbers");
  EXPECT_EQ(openError(text), text + ": error: not an HDF5 file");
  EXPECT_EQ(openError(folder / "none.h5"),
            folder / "none.h5" + ": error: cannot open: No such file or directory");
  std::filesystem::create_directory(folder / "dir");
  EXPECT_EQ(openError(folder / "dir"), folder / "dir" + ": error: is a folder, expected a file");
  EXPECT_EQ(toText(Hdf5Writer::create(folder / "no/where.h5").takeError()),
            folder / "no/where.h5" + ": error: cannot write; does the folder exist?");
}

// Files of others, written through the C interface: variable-length strings, signed integers,
// scalars.
TEST(Hdf5, ReadsTheTypesOthersWrite) {
  TemporaryFolder folder;
  std::string path = folder / "other.h5";
  hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  auto put = [&](const char *name, hid_t type, std::vector<hsize_t> extents, const void *data) {
    hid_t space = extents.empty()
                      ? H5Screate(H5S_SCALAR)
                      : H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr);
    hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
    H5Dclose(set);
    H5Sclose(space);
  };
  hid_t text = H5Tcopy(H5T_C_S1);
  H5Tset_size(text, H5T_VARIABLE);
  const char *words[] = {"Affine", "LIF"};
  int64_t integers[] = {3, 4, 5, 6, 7, 8}, negative = -1;
  put("words", text, {2}, words);
  put("word", text, {}, words);
  put("matrix", H5T_NATIVE_INT64, {2, 3}, integers);
  put("negative", H5T_NATIVE_INT64, {}, &negative);
  H5Tclose(text);
  H5Fclose(file);

  Hdf5Reader reader = opened(path);
  EXPECT_THAT(values<std::string>(reader, "words"), ElementsAre("Affine", "LIF"));
  EXPECT_THAT(values<std::string>(reader, "word"), ElementsAre("Affine"));
  EXPECT_THAT(values<uint32_t>(reader, "matrix"), ElementsAre(3, 4, 5, 6, 7, 8));
  EXPECT_THAT(values<float>(reader, "matrix"), ElementsAre(3, 4, 5, 6, 7, 8));
  EXPECT_THAT(llvm::cantFail(reader.shape("matrix")), ElementsAre(2, 3));
  EXPECT_THAT(llvm::cantFail(reader.shape("word")), IsEmpty());
  EXPECT_EQ(readError<uint8_t>(reader, "negative"),
            path + ": error: data set 'negative' holds -1, expected 0 to 255");
}

// HDF5 allocates as many bytes as a stored text claims to have.
TEST(Hdf5, TextsOfFalseLengthAreRefused) {
  TemporaryFolder folder;
  std::string path = folder / "text.h5";
  hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t text = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  H5Tset_size(text, H5T_VARIABLE);
  hid_t set = H5Dcreate2(file, "word", text, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const char *word = "Affine";
  H5Dwrite(set, text, H5S_ALL, H5S_ALL, H5P_DEFAULT, &word);
  haddr_t at = H5Dget_offset(set);
  H5Dclose(set);
  H5Sclose(space);
  H5Tclose(text);
  H5Fclose(file);
  ASSERT_THAT(values<std::string>(opened(path), "word"), ElementsAre("Affine"));

  std::string bytes = folder.read("text.h5");
  size_t heap = bytes.find("GCOL");
  ASSERT_NE(heap, std::string::npos);
  auto damaged = [&](size_t position, char byte) {
    std::string other = bytes;
    other[position] = byte;
    folder.write("text.h5", other);
    return readError<std::string>(opened(path), "word");
  };
  std::string refused = path + ": error: cannot read data set 'word'; the file is damaged";
  EXPECT_EQ(damaged(at + 3, '\x7f'), refused);    // the length
  EXPECT_EQ(damaged(at + 4, '\x08'), refused);    // the address of the heap
  EXPECT_EQ(damaged(at + 12, '\x02'), refused);   // the number of the object
  EXPECT_EQ(damaged(heap, 'X'), refused);         // its signature
  EXPECT_EQ(damaged(heap + 15, '\x7f'), refused); // its size
  EXPECT_EQ(damaged(heap + 24, '\x05'), refused); // the size of the object
  size_t free = heap + 16 + 16 + 8;               // after an object of six bytes
  EXPECT_EQ(damaged(free + 9, '\0'), refused);
}
