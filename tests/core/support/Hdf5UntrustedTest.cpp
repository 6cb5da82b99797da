// Files of others that point outside themselves, or whose bytes are not what they are said to be.
#include "tests/core/support/Hdf5File.h"

using namespace spindle;
using testing::ElementsAre;

TEST(Hdf5Untrusted, LinksToOtherFilesAreRefusedHoweverTheyAreReached) {
  TemporaryFolder folder;
  Hdf5File secret(folder / "secret.h5");
  secret.numbers("data", {42});
  secret.close();
  Hdf5File file(folder / "a.h5");
  file.group("inner");
  file.numbers("inner/own", {1, 2});
  std::string other = folder / "secret.h5";
  H5Lcreate_external(other.c_str(), "/data", file.id, "set", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_external(other.c_str(), "/", file.id, "inner/root", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_external("a.h5", "/inner/own", file.id, "itself", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_soft("/inner/root/data", file.id, "soft", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_soft("root/./data", file.id, "inner/relative", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_soft("soft", file.id, "twice", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_soft("/inner//./own", file.id, "good", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_soft("circle", file.id, "circle", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_soft("nowhere", file.id, "dangling", H5P_DEFAULT, H5P_DEFAULT);
  H5Lcreate_hard(file.id, "inner/own", file.id, "hard", H5P_DEFAULT, H5P_DEFAULT);
  file.close();

  auto refused = [&](const std::string &link) {
    return folder / "a.h5: error: '" + link +
           "' is a link to another file, which is not followed; copy what it names into this file";
  };
  auto read = [&](const std::string &name) { return numbersOf(folder / "a.h5", name); };
  EXPECT_EQ(read("set"), refused("/set"));
  EXPECT_EQ(read("inner/root/data"), refused("/inner/root"));
  EXPECT_EQ(read("itself"), refused("/itself"));
  EXPECT_EQ(read("soft"), refused("/inner/root"));
  EXPECT_EQ(read("inner/relative"), refused("/inner/root"));
  EXPECT_EQ(read("twice"), refused("/inner/root"));
  EXPECT_EQ(read("good"), "1 2 ");
  EXPECT_EQ(read("hard"), "1 2 ");
  EXPECT_EQ(read("./inner/./own"), "1 2 ");
  EXPECT_THAT(read("circle"), testing::HasSubstr("is absent"));
  EXPECT_THAT(read("dangling"), testing::HasSubstr("is absent"));

  Hdf5Reader reader = llvm::cantFail(Hdf5Reader::open(folder / "a.h5"));
  int64_t number = 0;
  EXPECT_EQ(toText(reader.members("inner/root").takeError()), refused("/inner/root"));
  EXPECT_EQ(toText(reader.kind("soft").takeError()), refused("/inner/root"));
  EXPECT_EQ(toText(reader.shape("set").takeError()), refused("/set"));
  EXPECT_EQ(toText(reader.attribute("inner/root", "x", number)), refused("/inner/root"));
  EXPECT_TRUE(reader.has("set")); // so that it is asked for, and refused
}

TEST(Hdf5Untrusted, LinksOfAUsersOwnKindAreRefused) {
  TemporaryFolder folder;
  H5L_class_t kind{};
  kind.version = H5L_LINK_CLASS_T_VERS;
  kind.id = H5L_type_t(200);
  kind.comment = "test";
  kind.trav_func = [](const char *, hid_t group, const void *, size_t, hid_t, hid_t) {
    return H5Oopen(group, "/own", H5P_DEFAULT);
  };
  H5Lregister(&kind);
  Hdf5File file(folder / "a.h5");
  file.numbers("own", {1});
  H5Lcreate_ud(file.id, "link", H5L_type_t(200), "x", 1, H5P_DEFAULT, H5P_DEFAULT);
  file.close();
  EXPECT_EQ(numbersOf(folder / "a.h5", "link"),
            folder / "a.h5: error: '/link' is a link of a user's own kind, expected a link within "
                     "the file");
}

TEST(Hdf5Untrusted, ValuesInOtherFilesAreRefused) {
  TemporaryFolder folder;
  std::string raw = folder.write("raw", std::string(64, 'x'));
  Hdf5File source(folder / "source.h5");
  source.numbers("data", {42, 43});
  source.close();
  Hdf5File file(folder / "a.h5");
  file.set(
      "outside", H5T_NATIVE_DOUBLE, {8},
      [&](hid_t properties) { H5Pset_external(properties, raw.c_str(), 0, 64); }, nothing);
  file.set(
      "virtual", H5T_NATIVE_DOUBLE, {2},
      [&](hid_t properties) {
        hsize_t two = 2;
        hid_t space = H5Screate_simple(1, &two, nullptr);
        H5Pset_virtual(properties, space, (folder / "source.h5").c_str(), "data", space);
        H5Sclose(space);
      },
      nothing);
  file.close();
  auto refused = [&](const std::string &name, const std::string &how) {
    return folder / "a.h5: error: data set '" + name + "' has its values in other files (" + how +
           "), which are not read; copy them into this file";
  };
  EXPECT_EQ(numbersOf(folder / "a.h5", "outside"), refused("outside", "external storage"));
  EXPECT_EQ(numbersOf(folder / "a.h5", "virtual"), refused("virtual", "virtual data set"));
  Hdf5Reader reader = llvm::cantFail(Hdf5Reader::open(folder / "a.h5"));
  EXPECT_EQ(toText(reader.shape("virtual").takeError()), refused("virtual", "virtual data set"));
}

// Chunks that unpack to more or less than their data set: HDF5 1.10 follows them.
TEST(Hdf5Untrusted, ChunksOfFalseLengthAreRefused) {
  TemporaryFolder folder;
  std::string right(64 * sizeof(double), '\0'), bomb(8 << 20, '\0');
  std::string cut = deflated(right);
  cut.resize(cut.size() - 4);
  struct Case {
    std::string name, packed;
    bool isRight;
  };
  const std::vector<Case> cases = {{"right", deflated(right), true},
                                   {"long", deflated(right + "x"), false},
                                   {"short", deflated(right.substr(1)), false},
                                   {"bomb", deflated(bomb), false},
                                   {"cut", cut, false},
                                   {"none", "no deflated bytes", false}};
  Hdf5File file(folder / "a.h5");
  for (const Case &each : cases)
    file.set(
        each.name.c_str(), H5T_NATIVE_DOUBLE, {2, 64},
        [](hid_t properties) {
          hsize_t chunk[] = {1, 64};
          H5Pset_chunk(properties, 2, chunk);
          H5Pset_deflate(properties, 1);
        },
        [&](hid_t made) {
          hsize_t second[] = {1, 0};
          H5Dwrite_chunk(made, H5P_DEFAULT, 0, second, each.packed.size(), each.packed.data());
        });
  file.close();
  std::string zeros;
  for (int i = 0; i < 2 * 64; ++i)
    zeros += "0 ";
  for (const Case &each : cases)
    EXPECT_EQ(numbersOf(folder / "a.h5", each.name),
              each.isRight ? zeros
                           : folder / "a.h5: error: cannot read data set '" + each.name +
                                 "'; the file is damaged");
}

TEST(Hdf5Untrusted, UsualFiltersInAnyOrderAreRead) {
  TemporaryFolder folder;
  std::vector<double> ramp(1000);
  for (size_t i = 0; i < ramp.size(); ++i)
    ramp[i] = double(i);
  enum Filter { Shuffle, Deflate, Sum };
  const std::vector<std::vector<Filter>> orders = {{},
                                                   {Shuffle},
                                                   {Deflate},
                                                   {Sum},
                                                   {Shuffle, Deflate},
                                                   {Shuffle, Deflate, Sum},
                                                   {Sum, Shuffle, Deflate},
                                                   {Shuffle, Sum, Deflate},
                                                   {Deflate, Sum}};
  Hdf5File file(folder / "a.h5");
  for (size_t i = 0; i < orders.size(); ++i)
    file.set(
        std::to_string(i).c_str(), H5T_NATIVE_DOUBLE, {10, 100},
        [&](hid_t properties) {
          hsize_t chunk[] = {3, 64}; // that the extents are no multiples of
          H5Pset_chunk(properties, 2, chunk);
          for (Filter filter : orders[i])
            filter == Shuffle   ? H5Pset_shuffle(properties)
            : filter == Deflate ? H5Pset_deflate(properties, 6)
                                : H5Pset_fletcher32(properties);
        },
        [&](hid_t made) {
          H5Dwrite(made, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, ramp.data());
        });
  file.close();
  Hdf5Reader reader = llvm::cantFail(Hdf5Reader::open(folder / "a.h5"));
  for (size_t i = 0; i < orders.size(); ++i) {
    std::vector<double> values;
    EXPECT_EQ(toText(reader.read(std::to_string(i), values)), "") << i;
    EXPECT_EQ(values, ramp) << i;
  }
}

TEST(Hdf5Untrusted, OtherFiltersAreRefused) {
  TemporaryFolder folder;
  Hdf5File file(folder / "a.h5");
  file.set(
      "scaled", H5T_NATIVE_INT32, {64},
      [](hid_t properties) {
        hsize_t chunk = 64;
        H5Pset_chunk(properties, 1, &chunk);
        H5Pset_scaleoffset(properties, H5Z_SO_INT, 0);
      },
      [](hid_t made) {
        std::vector<int> values(64, 3);
        H5Dwrite(made, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
      });
  file.close();
  EXPECT_EQ(numbersOf(folder / "a.h5", "scaled"),
            folder / "a.h5: error: data set 'scaled' is packed with a filter other than shuffle, "
                     "deflate and fletcher32; pack it anew: h5repack -f GZIP=4");
}

// The library takes the length that a text claims, and copies the whole object of the heap there.
TEST(Hdf5Untrusted, TextsOfAttributesThatClaimTooLittle) {
  TemporaryFolder folder;
  const std::string path = folder / "a.h5", large(10'000, 'x');
  Hdf5File file(path);
  file.attribute("word", large);
  file.close();
  auto value = [&] {
    std::string read;
    llvm::Error error = llvm::cantFail(Hdf5Reader::open(path)).attribute("/", "word", read);
    return error ? toText(std::move(error)) : read;
  };
  EXPECT_EQ(value(), large);

  std::string bytes = folder.read("a.h5"), descriptor(16, '\0');
  size_t heap = bytes.find("GCOL");
  uint32_t length = 10'000, object = 1;
  std::memcpy(descriptor.data(), &length, 4);
  std::memcpy(descriptor.data() + 4, &heap, 8);
  std::memcpy(descriptor.data() + 12, &object, 4);
  size_t at = bytes.find(descriptor);
  ASSERT_NE(at, std::string::npos);
  for (uint32_t claimed : {0u, 1u, 4'095u, 2'000'000u, UINT32_MAX}) {
    std::string other = bytes;
    std::memcpy(other.data() + at, &claimed, 4);
    folder.write("a.h5", other);
    EXPECT_EQ(value(), path + ": error: cannot read attribute 'word' of '/'; the file is damaged")
        << claimed;
  }
}

TEST(Hdf5Untrusted, NamesAndTextsInUtf8) {
  TemporaryFolder folder;
  const std::string path = folder / "a.h5",
                    remedy = "; write the file again with names and texts in UTF-8";
  Hdf5File file(path);
  file.attribute("word", "caf\xe9");
  file.attribute("right", "caf\xc3\xa9");
  file.group("group");
  file.group("group/caf\xe9");
  file.close();
  Hdf5Reader reader = llvm::cantFail(Hdf5Reader::open(path));
  std::string read;
  EXPECT_EQ(toText(reader.attribute("/", "word", read)),
            path + ": error: text in attribute 'word' of '/' is not UTF-8" + remedy);
  EXPECT_EQ(toText(reader.attribute("/", "right", read)), "");
  EXPECT_EQ(toText(reader.members("group").takeError()),
            path + ": error: a name in group 'group' is not UTF-8" + remedy);
}

// Texts of variable length in packed chunks, and one whose length is not that of its bytes.
TEST(Hdf5Untrusted, TextsInChunksAreCheckedToo) {
  TemporaryFolder folder;
  hid_t text = H5Tcopy(H5T_C_S1);
  H5Tset_size(text, H5T_VARIABLE);
  const char *words[] = {"Affine", "LIF", "", "Linear"};
  for (bool isShuffled : {false, true}) {
    Hdf5File file(folder / "a.h5");
    file.set(
        "words", text, {4},
        [&](hid_t properties) {
          hsize_t chunk = 3;
          H5Pset_chunk(properties, 1, &chunk);
          if (isShuffled) {
            H5Pset_shuffle(properties);
            H5Pset_deflate(properties, 1);
          }
        },
        [&](hid_t made) { H5Dwrite(made, text, H5S_ALL, H5S_ALL, H5P_DEFAULT, words); });
    file.close();
    std::vector<std::string> read;
    auto words4 = [&] {
      Hdf5Reader reader = llvm::cantFail(Hdf5Reader::open(folder / "a.h5"));
      return toText(reader.read("words", read));
    };
    EXPECT_EQ(words4(), "");
    EXPECT_THAT(read, ElementsAre("Affine", "LIF", "", "Linear"));
    std::string bytes = folder.read("a.h5");
    bytes[bytes.find("GCOL") + 24] = '\x05'; // the size of the first object, which was 6
    folder.write("a.h5", bytes);
    EXPECT_EQ(words4(), folder / "a.h5: error: cannot read data set 'words'; the file is damaged");
  }
  H5Tclose(text);
}

TEST(Hdf5Untrusted, AttributesOfManyTextsAreRefused) {
  TemporaryFolder folder;
  hid_t text = H5Tcopy(H5T_C_S1);
  H5Tset_size(text, H5T_VARIABLE);
  hsize_t three = 3;
  const char *words[] = {"LIF", "Affine", "Linear"};
  Hdf5File file(folder / "a.h5");
  hid_t space = H5Screate_simple(1, &three, nullptr);
  hid_t made = H5Acreate2(file.id, "names", text, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(made, text, words);
  H5Aclose(made);
  H5Sclose(space);
  H5Tclose(text);
  file.close();
  Hdf5Reader reader = llvm::cantFail(Hdf5Reader::open(folder / "a.h5"));
  std::string value;
  EXPECT_EQ(toText(reader.attribute("/", "names", value)),
            folder / "a.h5: error: attribute 'names' of '/' holds 3 values, expected one");
}

// A chunk of no dimensions: the library divides by zero when the data set is opened.
TEST(Hdf5Untrusted, CrashesOfTheLibraryAreErrors) {
  TemporaryFolder folder;
  Hdf5File file(folder / "a.h5");
  hsize_t extent = 0x1234567;
  file.set(
      "chunked", H5T_NATIVE_UINT8, {extent},
      [&](hid_t properties) { H5Pset_chunk(properties, 1, &extent); }, nothing);
  file.close();
  std::string bytes = folder.read("a.h5");
  const std::string chunk("\x67\x45\x23\x01\x01\0\0\0", 8); // of four bytes, then of an element
  size_t at = bytes.find(chunk);
  ASSERT_NE(at, std::string::npos);
  ASSERT_EQ(bytes[at - 9], 2); // dimensions, before the address of the chunks
  bytes[at - 9] = 0;
  folder.write("a.h5", bytes);
  EXPECT_THAT(toText(Hdf5Reader::open(folder / "a.h5").takeError()),
              testing::MatchesRegex(".*/a.h5: error: reading it ends in a crash "
                                    "\\(Floating point exception\\); the file is damaged, write "
                                    "it again"));
}

// A header of no version that there is.
TEST(Hdf5Untrusted, ObjectsThatCannotBeOpenedAreErrors) {
  TemporaryFolder folder;
  Hdf5File file(folder / "a.h5");
  file.numbers("values", {1, 2});
  H5O_info_t info;
  ASSERT_GE(H5Oget_info_by_name(file.id, "values", &info, H5P_DEFAULT), 0);
  file.close();
  std::string bytes = folder.read("a.h5");
  ASSERT_LT(info.addr, bytes.size());
  ASSERT_EQ(bytes[info.addr], 1); // version of an object header
  bytes[info.addr] = 0x77;
  folder.write("a.h5", bytes);
  EXPECT_EQ(toText(Hdf5Reader::open(folder / "a.h5").takeError()),
            folder /
                "a.h5: error: some of its objects cannot be opened; the file is damaged, write "
                "it again");
}

TEST(Hdf5Untrusted, NoFilterIsLoadedFromElsewhere) {
  TemporaryFolder folder;
  Hdf5File(folder / "a.h5").close();
  llvm::cantFail(Hdf5Reader::open(folder / "a.h5"));
  unsigned mask = 1;
  H5PLget_loading_state(&mask);
  EXPECT_EQ(mask, 0u);
}
