// Every format, read from small files made here; every error it can give.
#include "core/support/files/File.h"
#include "core/support/formats/Npz.h"
#include "lib/dataset/Dataset.h"
#include "tests/dataset/Loaded.h"
#include "tests/support/TemporaryFolder.h"

#include "png.h"
#include "gmock/gmock.h"

using namespace spindle;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {

DatasetOptions optionsOf(DatasetFormat format, const std::string &images,
                         const std::string &labels = "") {
  DatasetOptions options;
  options.format = format;
  options.test.images = images;
  options.test.labels = labels;
  options.test.place = "f.yaml:2:3";
  return options;
}

std::string idx(std::vector<uint32_t> words, const std::string &data) {
  std::string bytes;
  for (uint32_t word : words)
    for (int shift = 24; shift >= 0; shift -= 8)
      bytes += static_cast<char>(word >> shift);
  return bytes + data;
}

void writePng(const std::string &path, uint32_t format, uint32_t columns, uint32_t rows,
              const void *pixels) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  png.width = columns;
  png.height = rows;
  png.format = format;
  ASSERT_TRUE(png_image_write_to_file(&png, path.c_str(), 0, pixels, 0, nullptr));
}

} // namespace

TEST(Idx, ReadsImagesAndLabels) {
  TemporaryFolder folder;
  std::string images = folder.write("i", idx({0x803, 3, 1, 2}, "\1\2\3\4\5\xff"));
  std::string labels = folder.write("l", idx({0x801, 3}, "\7\1\2"));
  DatasetOptions options = optionsOf(DatasetFormat::Idx, images, labels);
  Samples samples = loaded(options);
  EXPECT_THAT(samples.shape, ElementsAre(1, 1, 2));
  EXPECT_THAT(samples.values, ElementsAre(1, 2, 3, 4, 5, 255));
  EXPECT_THAT(samples.labels, ElementsAre(7, 1, 2));
  options.test.limit = 2;
  EXPECT_THAT(loaded(options).labels, ElementsAre(7, 1));
  options.test.limit = 20;
  EXPECT_THAT(loaded(options).labels, ElementsAre(7, 1, 2));
}

TEST(Idx, DamagedFilesAreRefused) {
  TemporaryFolder folder;
  std::string i = folder / "i", l = folder / "l";
  auto error = [&](const std::string &images, const std::string &labels) {
    folder.write("i", images);
    folder.write("l", labels);
    return loadError(optionsOf(DatasetFormat::Idx, i, l));
  };
  std::string one = idx({0x801, 1}, "\1");
  EXPECT_EQ(error("abc", one), i + ": error: holds 3 bytes, too short for an IDX file of images");
  EXPECT_EQ(
      error(idx({0x801, 1, 1, 1}, "\1"), one),
      i + ": error: magic number 0x00000801, expected 0x00000803 (images of unsigned bytes in "
          "the IDX format)");
  EXPECT_EQ(error(idx({0x803, 2, 2, 2}, "1234567"), one),
            i + ": error: holds 7 bytes of images, its header says 8: it is cut off or damaged");
  EXPECT_EQ(error(idx({0x803, 2, 2, 2}, "123456789"), one),
            i + ": error: holds 9 bytes of images, its header says 8: it is cut off or damaged");
  EXPECT_EQ(error(idx({0x803, UINT32_MAX, UINT32_MAX, UINT32_MAX}, "1"), one),
            i + ": error: images of 4294967295 pixels a side, expected 1 to 16384");
  EXPECT_EQ(error(idx({0x803, 0, 1, 1}, ""), idx({0x801, 0}, "")), i + ": error: holds no images");
  EXPECT_EQ(error(idx({0x803, 2, 1, 1}, "12"), one),
            l + ": error: holds 1 labels for the 2 images of " + i);
  EXPECT_THAT(loadError(optionsOf(DatasetFormat::Idx, "no-such-file", l)),
              HasSubstr("f.yaml:2:3: error: 'no-such-file' is in none of the folders "));
}

TEST(NpzImages, ReadsWhatWriteDatasetNpzWrote) {
  TemporaryFolder folder;
  Samples samples{{2, 1, 2}, {1, 2, 3, 4, 5, 6, 7, 8.5}, {3, 9}};
  llvm::cantFail(writeDatasetNpz(folder / "a.npz", samples));
  DatasetOptions options = optionsOf(DatasetFormat::Npz, folder / "a.npz");
  samples.place = options.test.place;
  EXPECT_EQ(loaded(options), samples);
  options.test.limit = 1;
  EXPECT_THAT(loaded(options).values, ElementsAre(1, 2, 3, 4));
}

TEST(NpzImages, TakesGreyImagesAndVectors) {
  TemporaryFolder folder;
  auto shapeOf = [&](std::vector<int64_t> shape) {
    llvm::cantFail(writeNpz(folder / "a.npz", {{"x", NpyArray{NpyType::UInt8, shape, "abcdefgh"}},
                                               {"y", makeNpy({2}, std::vector<int64_t>{0, 1})}}));
    return loaded(optionsOf(DatasetFormat::Npz, folder / "a.npz")).shape;
  };
  EXPECT_THAT(shapeOf({2, 4}), ElementsAre(4));
  EXPECT_THAT(shapeOf({2, 2, 2}), ElementsAre(1, 2, 2));
  EXPECT_THAT(shapeOf({2, 1, 2, 2}), ElementsAre(1, 2, 2));
}

/// As Keras and TensorFlow store images.
TEST(NpzImages, ChannelsMayComeLast) {
  TemporaryFolder folder;
  std::string path = folder / "a.npz";
  auto options = [&](std::vector<int64_t> shape, SampleLayout layout) {
    std::vector<float> values(24);
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<float>(i);
    llvm::cantFail(writeNpz(
        path, {{"x", makeNpy(shape, values)}, {"y", makeNpy({2}, std::vector<int64_t>{0, 1})}}));
    DatasetOptions result = optionsOf(DatasetFormat::Npz, path);
    result.layout = layout;
    return result;
  };
  DatasetOptions last = options({2, 2, 3, 2}, SampleLayout::Nhwc);
  last.mean = {0, 1}; // of each channel
  Samples samples = loaded(last);
  EXPECT_THAT(samples.shape, ElementsAre(2, 2, 3));
  EXPECT_THAT(samples.values, ElementsAre(0, 2, 4, 6, 8, 10, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20,
                                          22, 12, 14, 16, 18, 20, 22));
  EXPECT_EQ(toText(checkDatasetHeaders(last, PathResolver(), DatasetPart::Test)), "");
  EXPECT_THAT(loaded(options({2, 2, 3, 2}, SampleLayout::Nchw)).shape, ElementsAre(2, 3, 2));
  EXPECT_THAT(loaded(options({2, 3, 4}, SampleLayout::Nhwc)).shape, ElementsAre(1, 3, 4));
  EXPECT_EQ(loadError(options({2, 12}, SampleLayout::Nhwc)),
            path +
                ": error: layout is nhwc, but array 'x' has the shape (2, 12), expected samples, "
                "rows, columns and channels");
}

TEST(NpzImages, WrongArraysAreRefused) {
  TemporaryFolder folder;
  std::string path = folder / "a.npz";
  auto error = [&](NpyArray x, NpyArray y) {
    llvm::cantFail(writeNpz(path, {{"x", x}, {"y", y}}));
    return loadError(optionsOf(DatasetFormat::Npz, path));
  };
  NpyArray images = makeNpy({2, 1}, std::vector<float>{1, 2});
  EXPECT_EQ(error(makeNpy({2}, std::vector<float>{1, 2}), images),
            path + ": error: array 'x' has the shape (2), expected samples and their extents");
  EXPECT_EQ(error(images, makeNpy({2}, std::vector<float>{0, 1})),
            path + ": error: array 'y' is not one class index for each of the 2 samples");
  EXPECT_EQ(error(images, makeNpy({3}, std::vector<int64_t>{0, 1, 2})),
            path + ": error: array 'y' is not one class index for each of the 2 samples");
  EXPECT_EQ(error(images, makeNpy({2}, std::vector<int64_t>{0, -1})),
            path + ": error: array 'y' holds -1, expected class indices from 0");
  llvm::cantFail(writeNpz(path, {{"a", images}, {"b", images}}));
  DatasetOptions options = optionsOf(DatasetFormat::Npz, path);
  EXPECT_EQ(loadError(options),
            path + ": error: array 'x' is absent, there are: a, b; name it by images_array");
  options.imagesArray = "a";
  EXPECT_EQ(loadError(options),
            path + ": error: array 'y' is absent, there are: a, b; name it by labels_array");
}

TEST(ImageFolder, ClassesAreSortedNamesAndComeInTurn) {
  TemporaryFolder folder;
  auto grey = [&](const std::string &name, uint8_t value) {
    writePng(folder / name, PNG_FORMAT_GRAY, 1, 1, &value);
  };
  grey("set/zebra/1.png", 10);
  grey("set/ant/b.png", 20);
  grey("set/ant/a.png", 30);
  grey("set/ant/c.png", 40);
  folder.write("set/ant/notes.txt", "not an image");
  DatasetOptions options = optionsOf(DatasetFormat::Images, folder / "set");
  Samples samples = loaded(options);
  EXPECT_THAT(samples.shape, ElementsAre(1, 1, 1));
  EXPECT_THAT(samples.values, ElementsAre(30, 10, 20, 40));
  EXPECT_THAT(samples.labels, ElementsAre(0, 1, 0, 0));
  options.test.limit = 2;
  EXPECT_THAT(loaded(options).labels, ElementsAre(0, 1));
}

TEST(ImageFolder, ColourIsChannelsFirst) {
  TemporaryFolder folder;
  uint8_t pixels[] = {1, 2, 3, 4, 5, 6}; // two pixels beside each other
  writePng(folder / "set/a/1.png", PNG_FORMAT_RGB, 2, 1, pixels);
  Samples samples = loaded(optionsOf(DatasetFormat::Images, folder / "set"));
  EXPECT_THAT(samples.shape, ElementsAre(3, 1, 2));
  EXPECT_THAT(samples.values, ElementsAre(1, 4, 2, 5, 3, 6));
}

TEST(ImageFolder, TransparencyFallsOnBlack) {
  TemporaryFolder folder;
  uint8_t pixels[] = {200, 255, 200, 0}; // grey and alpha: opaque, invisible
  writePng(folder / "set/a/1.png", PNG_FORMAT_GA, 2, 1, pixels);
  Samples samples = loaded(optionsOf(DatasetFormat::Images, folder / "set"));
  EXPECT_THAT(samples.values, ElementsAre(200, 0));
}

TEST(ImageFolder, WrongFoldersAndFilesAreNamed) {
  TemporaryFolder folder;
  std::string set = folder / "set";
  DatasetOptions options = optionsOf(DatasetFormat::Images, set);
  std::filesystem::create_directories(set);
  EXPECT_EQ(loadError(options), set + ": error: has no sub-folders, expected one per class");
  std::filesystem::create_directories(set + "/a");
  EXPECT_EQ(loadError(options),
            set + ": error: holds no images, expected .png files in a sub-folder per class");
  folder.write("set/a/1.png", "text");
  EXPECT_THAT(loadError(options), HasSubstr(set + "/a/1.png: error: cannot read as PNG: "));
  uint8_t pixels[] = {1, 2, 3, 4, 5, 6};
  writePng(set + "/a/1.png", PNG_FORMAT_GRAY, 2, 3, pixels);
  writePng(set + "/a/2.png", PNG_FORMAT_GRAY, 3, 2, pixels);
  EXPECT_EQ(loadError(options),
            set +
                "/a/2.png: error: image of 1 channels, 2 rows, 3 columns; the first one has 1, 3, "
                "2");
  std::string whole = llvm::cantFail(readFile(set + "/a/1.png"));
  folder.write("set/a/1.png", whole.substr(0, whole.size() - 20));
  EXPECT_THAT(loadError(options), HasSubstr(set + "/a/1.png: error: cannot read as PNG: "));
}

TEST(Dataset, MissingCalibrationSaysWhatToDo) {
  DatasetOptions options = optionsOf(DatasetFormat::Idx, "a", "b");
  options.place = "f.yaml:1:1";
  EXPECT_EQ(toText(loadCalibration(options, PathResolver()).takeError()),
            "f.yaml:1:1: error: key 'calibration' is missing in dataset: name images that are not "
            "the test images");
}
