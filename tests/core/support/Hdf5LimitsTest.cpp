// Files of others that claim to hold more than they do, or unpack to more than they may.
#include "tests/core/support/Hdf5File.h"

using namespace spindle;

namespace {

void addPackedZeros(Hdf5File &file, const std::string &name, hsize_t count) {
  file.set(
      name.c_str(), H5T_NATIVE_UINT8, {count},
      [](hid_t properties) {
        hsize_t chunk = 1 << 20;
        H5Pset_chunk(properties, 1, &chunk);
        H5Pset_deflate(properties, 1);
      },
      [&](hid_t made) {
        std::vector<uint8_t> zeros(count);
        H5Dwrite(made, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, zeros.data());
      });
}

/// Reads data sets 0, 1, … until one is refused; the number of those that were read.
size_t readInTurn(const std::string &path, size_t count, std::string &error) {
  Hdf5Reader reader = llvm::cantFail(Hdf5Reader::open(path));
  for (size_t i = 0; i < count; ++i) {
    std::vector<uint8_t> values;
    error = toText(reader.read(std::to_string(i), values));
    if (!error.empty())
      return i;
  }
  return count;
}

} // namespace

TEST(Hdf5Untrusted, MoreValuesThanTheFileHoldsAreRefused) {
  TemporaryFolder folder;
  Hdf5File file(folder / "a.h5");
  auto chunkOf = [](hsize_t extent) {
    return [extent](hid_t properties) {
      H5Pset_chunk(properties, 1, &extent);
      H5Pset_deflate(properties, 1);
    };
  };
  file.set("filled", H5T_NATIVE_DOUBLE, {hsize_t(1) << 60}, chunkOf(1024), nothing);
  file.set("flat", H5T_NATIVE_DOUBLE, {1 << 24}, nothing, nothing);
  file.set("chunk", H5T_NATIVE_DOUBLE, {10}, nothing, nothing);
  file.close();
  auto refused = [&](const std::string &name, const std::string &extent) {
    return folder / "a.h5: error: data set '" + name +
           "' has 0 stored bytes, which cannot be the [" + extent +
           "] values that it declares; the file is damaged";
  };
  EXPECT_EQ(numbersOf(folder / "a.h5", "filled"), refused("filled", "1152921504606846976"));
  EXPECT_EQ(numbersOf(folder / "a.h5", "flat"), refused("flat", "16777216"));
  EXPECT_EQ(numbersOf(folder / "a.h5", "chunk"), "0 0 0 0 0 0 0 0 0 0 ");
}

// A chunk is unpacked as a whole, however few of its values belong to the data set.
TEST(Hdf5Untrusted, ChunksFarLargerThanTheirDataSetAreRefused) {
  TemporaryFolder folder;
  Hdf5File file(folder / "a.h5");
  hsize_t most = H5S_UNLIMITED, ten = 10, corner = 0, chunk = 1 << 26; // of 512 MiB
  hid_t space = H5Screate_simple(1, &ten, &most), properties = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(properties, 1, &chunk);
  H5Pset_deflate(properties, 1);
  std::string stored(1 << 20, 'x'); // bytes that could become so many
  for (const char *name : {"absent", "stored"}) {
    hid_t made =
        H5Dcreate2(file.id, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    if (name == std::string("stored"))
      H5Dwrite_chunk(made, H5P_DEFAULT, 0, &corner, stored.size(), stored.data());
    H5Dclose(made);
  }
  H5Pclose(properties);
  H5Sclose(space);
  file.close();
  for (const char *name : {"absent", "stored"})
    EXPECT_EQ(numbersOf(folder / "a.h5", name),
              folder / "a.h5: error: data set '" + name +
                  "' is stored in chunks of [67108864] values for [10] in all; store it without "
                  "chunks: h5repack -f NONE -l CONTI");
}

TEST(Hdf5Untrusted, PackedZerosDoNotFillTheMemory) {
  TemporaryFolder folder;
  Hdf5File file(folder / "a.h5");
  hsize_t count = (32 << 20) + 1;
  addPackedZeros(file, "packed", count);
  file.close();
  EXPECT_EQ(numbersOf(folder / "a.h5", "packed"),
            folder / "a.h5: error: data set 'packed' has 33554433 values, more than the 33554432 "
                     "that a packed file of " +
                std::to_string(std::filesystem::file_size(folder / "a.h5")) +
                " bytes may have; store them unpacked: h5repack -f NONE");
}

// However the values are spread over data sets, links to them and other forms of storage.
TEST(Hdf5Untrusted, AllDataSetsOfAFileShareOneLimit) {
  constexpr uint64_t limit = 32 << 20;
  TemporaryFolder folder;
  for (hsize_t count : {hsize_t(3) << 20, hsize_t(11) << 20, hsize_t(16) << 20, hsize_t(31) << 20})
    for (bool isLinked : {false, true}) {
      Hdf5File file(folder / "a.h5");
      size_t fitting = limit / count;
      addPackedZeros(file, "0", count);
      for (size_t i = 1; i <= fitting; ++i)
        if (isLinked)
          H5Lcreate_hard(file.id, "0", file.id, std::to_string(i).c_str(), H5P_DEFAULT,
                         H5P_DEFAULT);
        else
          addPackedZeros(file, std::to_string(i), count);
      file.close();
      std::string error;
      EXPECT_EQ(readInTurn(folder / "a.h5", fitting + 1, error), fitting) << count << isLinked;
      EXPECT_EQ(error, folder / "a.h5: error: data set '" + std::to_string(fitting) + "' has " +
                           std::to_string(count) + " values after " +
                           std::to_string(fitting * count) +
                           " read before, more than the 33554432 that a packed file of " +
                           std::to_string(std::filesystem::file_size(folder / "a.h5")) +
                           " bytes may have; store them unpacked: h5repack -f NONE");
    }
}

TEST(Hdf5Untrusted, TextsOfFixedLengthCountTheirCharacters) {
  TemporaryFolder folder;
  hid_t text = H5Tcopy(H5T_C_S1);
  H5Tset_size(text, 1 << 20);
  Hdf5File file(folder / "a.h5");
  file.set(
      "words", text, {33},
      [](hid_t properties) {
        hsize_t chunk = 1;
        H5Pset_chunk(properties, 1, &chunk);
        H5Pset_deflate(properties, 1);
      },
      [&](hid_t made) {
        std::string zeros(33 << 20, '\0');
        H5Dwrite(made, text, H5S_ALL, H5S_ALL, H5P_DEFAULT, zeros.data());
      });
  file.close();
  H5Tclose(text);
  Hdf5Reader reader = llvm::cantFail(Hdf5Reader::open(folder / "a.h5"));
  std::vector<std::string> words;
  EXPECT_THAT(toText(reader.read("words", words)),
              testing::HasSubstr("data set 'words' has 34603008 values, more than the 33554432"));
}

// What the file holds as it is has no limit, until it is read again and again.
TEST(Hdf5Untrusted, UnpackedValuesCountWhenTheyAreReadAgain) {
  TemporaryFolder folder;
  std::vector<double> values(100000, 1.5);
  Hdf5File file(folder / "a.h5");
  file.numbers("plain", values);
  file.close();
  Hdf5Reader reader = llvm::cantFail(Hdf5Reader::open(folder / "a.h5"));
  uint64_t limit = 32 << 20, counted = 0; // the least limit, of a file of less than a megabyte
  std::vector<double> read;
  EXPECT_EQ(toText(reader.read("plain", read)), "");
  EXPECT_EQ(read, values);
  for (; counted + values.size() <= limit; counted += values.size())
    ASSERT_EQ(toText(reader.read("plain", read)), "");
  EXPECT_THAT(toText(reader.read("plain", read)),
              testing::HasSubstr("has 100000 values after " + std::to_string(counted)));
}

// Descriptors of 16 bytes that all name one object of the heap: far more text than the file has.
TEST(Hdf5Untrusted, TextsThatShareTheirBytesAreCounted) {
  TemporaryFolder folder;
  hid_t text = H5Tcopy(H5T_C_S1);
  H5Tset_size(text, H5T_VARIABLE);
  const std::string large(1 << 19, 'x');
  for (hsize_t count : {64, 65}) { // 64 of them are 32 MiB
    std::vector<const char *> words(count, "word");
    words[0] = large.c_str();
    haddr_t at = HADDR_UNDEF;
    Hdf5File file(folder / "a.h5");
    file.set("words", text, {count}, nothing, [&](hid_t made) {
      H5Dwrite(made, text, H5S_ALL, H5S_ALL, H5P_DEFAULT, words.data());
      at = H5Dget_offset(made);
    });
    file.close();
    ASSERT_NE(at, HADDR_UNDEF);
    std::string bytes = folder.read("a.h5"), first = bytes.substr(at, 16);
    for (size_t i = 1; i < count; ++i)
      bytes.replace(at + 16 * i, 16, first);
    folder.write("a.h5", bytes);

    Hdf5Reader reader = llvm::cantFail(Hdf5Reader::open(folder / "a.h5"));
    std::vector<std::string> read;
    std::string limit = ", more than the 33554432 that a packed file of " +
                        std::to_string(bytes.size()) +
                        " bytes may have; the file is damaged, write it again";
    if (count == 65) {
      EXPECT_EQ(toText(reader.read("words", read)),
                folder / "a.h5: error: data set 'words' has texts of 34078720 bytes" + limit);
      continue;
    }
    EXPECT_EQ(toText(reader.read("words", read)), "");
    EXPECT_EQ(read, std::vector<std::string>(count, large));
    EXPECT_EQ(toText(reader.read("words", read)),
              folder / "a.h5: error: data set 'words' has texts of 33554432 bytes after 33554432 "
                       "read before" +
                  limit);
  }
  H5Tclose(text);
}
