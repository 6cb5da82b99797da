// What a data set reads, and what is wrong with it, is known before its samples are read.
#include "core/support/CounterRandom.h"
#include "core/support/formats/Npz.h"
#include "tests/dataset/Loaded.h"
#include "tests/support/TemporaryFolder.h"

#include "png.h"
#include "zlib.h"
#include "gmock/gmock.h"

using namespace spindle;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

std::string idxWord(uint32_t value) {
  return {char(value >> 24), char(value >> 16), char(value >> 8), char(value)};
}

class Headers : public ::testing::Test {
protected:
  Headers() { options.test.place = options.place = "f.yaml:2:3"; }

  std::vector<std::string> files(DatasetPart part = DatasetPart::Test) {
    return llvm::cantFail(datasetFiles(options, PathResolver(), part));
  }
  std::string headerError() {
    return toText(checkDatasetHeaders(options, PathResolver(), DatasetPart::Test));
  }
  /// Headers and loading have the same error.
  std::string sameError() {
    std::string error = headerError();
    EXPECT_EQ(error, loadError(options));
    return error;
  }

  void useIdx(const std::string &images, const std::string &labels) {
    options.format = DatasetFormat::Idx;
    options.test.images = folder.write("i", images);
    options.test.labels = folder.write("l", labels);
  }
  void usePng(const std::string &name, uint32_t columns, uint32_t rows) {
    options.format = DatasetFormat::Images;
    options.test.images = folder / "set";
    folder.write(name, "");
    png_image png{};
    png.version = PNG_IMAGE_VERSION;
    png.width = columns;
    png.height = rows;
    png.format = PNG_FORMAT_GRAY;
    std::string pixels(size_t(columns) * rows, 'x');
    std::string path = folder / name;
    ASSERT_TRUE(png_image_write_to_file(&png, path.c_str(), 0, pixels.data(), 0, nullptr));
  }
  void useEvents(const std::string &list) {
    options.format = DatasetFormat::Events;
    options.shape = {2, 2, 2};
    options.steps = 4;
    options.test.list = folder.write("list.txt", list);
    folder.write("b.csv", "0,1\n");
    folder.write("a.csv", "0,1\n");
  }
  void pack(const std::string &names) {
    std::string archive = folder / "a.tar.gz";
    std::string command = "tar -C '" + folder / "." + "' -czf '" + archive + "' " + names;
    ASSERT_EQ(std::system(command.c_str()), 0);
    options.test.archive = folder / "a.tar.gz";
  }

  TemporaryFolder folder;
  DatasetOptions options;
};

TEST_F(Headers, IdxFilesAreBothNamedAndCompared) {
  std::string images = idxWord(0x803) + idxWord(2) + idxWord(1) + idxWord(2);
  std::string labels = idxWord(0x801) + idxWord(2);
  useIdx(images + "1234", labels + "\1\2");
  EXPECT_THAT(files(), ElementsAre(folder / "i", folder / "l"));
  EXPECT_EQ(sameError(), "");
  options.test.skip = 2;
  EXPECT_EQ(sameError(), "f.yaml:2:3: error: skip is 2, the data set has only 2 samples");
  options.test.skip = 0;
  options.mean = {1, 2};
  EXPECT_THAT(sameError(), HasSubstr("mean has 2 values"));
  options.mean = {0};
  useIdx(images + "1234", idxWord(0x801) + idxWord(1) + "\1");
  EXPECT_THAT(sameError(), HasSubstr("holds 1 labels for the 2 images of "));
  useIdx(images + "123", labels + "\1\2");
  EXPECT_THAT(sameError(), HasSubstr("holds 3 bytes of images, its header says 4"));
  useIdx(labels + "12345678", images + "1234");
  EXPECT_THAT(sameError(), HasSubstr("magic number 0x00000801, expected 0x00000803"));
  useIdx("", labels + "\1\2");
  EXPECT_THAT(sameError(), HasSubstr("holds 0 bytes, too short for an IDX file of images"));
  useIdx(images + "1234", labels + "\1\2");
  options.test.labels = folder / "none";
  EXPECT_EQ(sameError(), "f.yaml:2:3: error: '" + folder / "none" + "' does not exist");
  options.test.labels = folder / "";
  EXPECT_THAT(sameError(), HasSubstr("is a folder, expected a file"));
}

TEST_F(Headers, RandomlyDamagedHeadersOfIdxGiveOneError) {
  CounterRandom random(5);
  std::string images = idxWord(0x803) + idxWord(2) + idxWord(1) + idxWord(2) + "1234";
  std::string labels = idxWord(0x801) + idxWord(2) + "\1\2";
  for (int trial = 0; trial < 300; ++trial) {
    std::string damaged = images;
    damaged[random.below(16)] = char(random.below(256));
    damaged.resize(random.below(4) == 0 ? random.below(20) : 20);
    useIdx(damaged, labels);
    EXPECT_EQ(sameError().find('\n'), std::string::npos);
  }
}

TEST_F(Headers, ArraysOfAnArchive) {
  options.format = DatasetFormat::Npz;
  options.test.images = folder / "a.npz";
  auto write = [&](std::vector<int64_t> shape, size_t labels) {
    size_t size = 1;
    for (int64_t extent : shape)
      size *= size_t(extent);
    llvm::cantFail(writeNpz(folder / "a.npz",
                            {{"x", makeNpy(shape, std::vector<float>(size))},
                             {"y", makeNpy({int64_t(labels)}, std::vector<int64_t>(labels))}}));
  };
  write({3, 2, 2}, 3);
  EXPECT_THAT(files(), ElementsAre(folder / "a.npz"));
  options.test.skip = 3;
  EXPECT_EQ(sameError(), "f.yaml:2:3: error: skip is 3, the data set has only 3 samples");
  options.test.skip = 0;
  options.std = {1, 1};
  EXPECT_THAT(sameError(), HasSubstr("std has 2 values"));
  options.std = {1};
  write({3, 2, 2}, 2);
  EXPECT_THAT(sameError(), HasSubstr("array 'y' is not one class index for each of the 3 samples"));
  write({4}, 4);
  EXPECT_THAT(sameError(), HasSubstr("array 'x' has the shape (4), expected samples"));
  options.labelsArray = "z";
  EXPECT_THAT(sameError(), HasSubstr("array 'z' is absent, there are: x, y; name it by "));
  folder.write("a.npz", "text");
  EXPECT_THAT(sameError(), HasSubstr("not an npz archive"));
}

TEST_F(Headers, FoldersOfImages) {
  usePng("set/b/2.png", 3, 2);
  usePng("set/a/1.png", 3, 2);
  usePng("set/a/3.png", 3, 2);
  EXPECT_THAT(files(),
              ElementsAre(folder / "set/a/1.png", folder / "set/a/3.png", folder / "set/b/2.png"));
  usePng("set/a/3.png", 2, 2);
  EXPECT_THAT(sameError(), HasSubstr("set/a/3.png: error: image of 1 channels, 2 rows, 2 columns"));
  options.test.limit = 2; // the third one is not read
  EXPECT_EQ(sameError(), "");
  folder.write("set/a/1.png", "no image");
  EXPECT_THAT(sameError(), HasSubstr("set/a/1.png: error: cannot read as PNG: "));
  options.test.images = folder / "set/a";
  EXPECT_THAT(sameError(), HasSubstr("has no sub-folders, expected one per class"));
}

TEST_F(Headers, TablesShowTheirFirstSample) {
  options.format = DatasetFormat::Csv;
  options.test.images = folder.write("a.csv", "1,2,0\n3,x,1\n");
  EXPECT_THAT(files(), ElementsAre(folder / "a.csv"));
  EXPECT_THAT(loadError(options), HasSubstr("a.csv:2: error: 'x' is no number"));
  options.pad = 1;
  options.test.limit = 1;
  EXPECT_THAT(sameError(), HasSubstr("resize and pad need images"));
  options.pad = 0;
  folder.write("a.csv", "1,y,0\n");
  EXPECT_THAT(sameError(), HasSubstr("a.csv:1: error: 'y' is no number"));
  folder.write("a.csv", "");
  EXPECT_THAT(sameError(), HasSubstr("holds no samples"));
  std::string longer = "1"; // a line of more than is looked at
  for (int cell = 0; cell < 600'000; ++cell)
    longer += ",1";
  folder.write("a.csv", longer);
  EXPECT_EQ(headerError(), "");
}

TEST_F(Headers, CifarSaysItsSize) {
  options.format = DatasetFormat::Cifar;
  std::string image(3073, '\1');
  options.test.images = folder.write("a.bin", image + image);
  EXPECT_THAT(files(), ElementsAre(folder / "a.bin"));
  options.test.skip = 2;
  EXPECT_EQ(sameError(), "f.yaml:2:3: error: skip is 2, the data set has only 2 samples");
  folder.write("a.bin", image + "x");
  EXPECT_THAT(sameError(), HasSubstr("holds 3074 bytes, expected a multiple of 3073"));
  options.test.images = "a.bin";
  pack("a.bin");
  EXPECT_THAT(sameError(), HasSubstr("a.tar.gz: error: holds 3074 bytes, expected a multiple"));
  options.test.images = "b.bin";
  EXPECT_THAT(sameError(), HasSubstr("holds 0 files 'b.bin', expected one; name it by images"));
}

TEST_F(Headers, RecordingsOfAFolderAreAllNamed) {
  useEvents("b.csv 1\na.csv 0\nb.csv 1\n");
  EXPECT_THAT(files(), ElementsAre(folder / "a.csv", folder / "b.csv", folder / "list.txt"));
  options.test.limit = 1;
  EXPECT_THAT(files(), ElementsAre(folder / "b.csv", folder / "list.txt"));
  options.test.limit = std::nullopt;
  options.test.skip = 3;
  EXPECT_EQ(sameError(), "f.yaml:2:3: error: skip is 3, the data set has only 3 samples");
  options.test.skip = 0;
  useEvents("a.csv 1\nnone.csv 0\n");
  EXPECT_EQ(sameError(), folder / "none.csv" + ": error: cannot open: No such file or directory");
  useEvents("a.csv 1\nb.wav 0\n");
  EXPECT_THAT(sameError(), HasSubstr("b.wav', expected recordings that end in .bs2 or .bin"));
  useEvents("a.csv one\n");
  EXPECT_THAT(sameError(), HasSubstr("list.txt:1: error: 'a.csv one' is no recording"));
  useEvents("\n");
  EXPECT_THAT(sameError(), HasSubstr("lists no recordings"));
}

TEST_F(Headers, RecordingsOfAnArchiveAreTheArchive) {
  useEvents("b.csv 1\na.csv 0\n");
  options.test.list = "list.txt";
  pack("list.txt a.csv b.csv");
  EXPECT_THAT(files(), ElementsAre(folder / "a.tar.gz"));
  EXPECT_EQ(sameError(), "");
  pack("list.txt a.csv");
  EXPECT_THAT(sameError(), HasSubstr("names 'b.csv', which is not in the archive"));
  pack("a.csv");
  EXPECT_THAT(sameError(), HasSubstr("holds 0 files 'list.txt', expected one; name it by list"));
}

TEST_F(Headers, DrawnDigitsReadNothing) {
  options.format = DatasetFormat::Digits;
  EXPECT_THAT(files(), IsEmpty());
  options.test.limit = 4;
  options.mean = {1, 2};
  EXPECT_THAT(sameError(), HasSubstr("mean has 2 values"));
}

TEST_F(Headers, TheCalibrationSetHasFilesOfItsOwn) {
  options.format = DatasetFormat::Csv;
  options.test.images = folder.write("a.csv", "1,2,0\n");
  EXPECT_EQ(toText(checkDatasetHeaders(options, PathResolver(), DatasetPart::Calibration)),
            "f.yaml:2:3: error: key 'calibration' is missing in dataset: name images that are not "
            "the test images");
  options.calibration = options.test;
  options.calibration->images = folder.write("c.csv", "1,2,0\n");
  EXPECT_THAT(files(DatasetPart::Calibration), ElementsAre(folder / "c.csv"));
  EXPECT_THAT(files(DatasetPart::Test), ElementsAre(folder / "a.csv"));
  options.calibration->limit = INT64_MAX; // with what is left out, too, a number
  options.calibration->skip = 1;
  EXPECT_EQ(toText(loadCalibration(options, PathResolver()).takeError()),
            "f.yaml:2:3: error: skip is 1, the data set has only 1 samples");
}

TEST_F(Headers, PackedImagesAreReadUpToWhatTheySay) {
  auto pack = [&](const std::string &name, const std::string &bytes) {
    gzFile file = gzopen((folder / name).c_str(), "wb1");
    gzwrite(file, bytes.data(), unsigned(bytes.size()));
    gzclose(file);
    return folder / name;
  };
  std::string zeros(40 << 20, '\0');
  useIdx("", idxWord(0x801) + idxWord(1) + "\1");
  options.test.images = pack("i.gz", idxWord(0x803) + idxWord(1) + idxWord(2) + idxWord(2) + zeros);
  EXPECT_EQ(loadError(options), folder / "i.gz" + ": error: holds more bytes of images, its header "
                                                  "says 4: it is cut off or damaged");
  pack("i.gz", idxWord(0x803) + idxWord(1) + idxWord(1 << 13) + idxWord(1 << 13) + zeros);
  EXPECT_THAT(sameError(), HasSubstr("i.gz: error: its header says 67108864 bytes of images, "
                                     "expected at most 33554432 in a packed file of "));
  options.test.images = pack("i.gz", idxWord(0x803) + idxWord(1) + idxWord(2) + idxWord(2) + "123");
  EXPECT_EQ(headerError(), ""); // only unpacking shows what is not there
  EXPECT_THAT(loadError(options), HasSubstr("holds 3 bytes of images, its header says 4"));
}

TEST_F(Headers, LargeImagesOfSmallFilesAreRefused) {
  usePng("set/a/1.png", 8192, 8192);
  EXPECT_THAT(sameError(), HasSubstr("1.png: error: image of 8192 rows, 8192 columns has 67108864 "
                                     "values, expected at most "));
}

TEST_F(Headers, SamplesKnowWhereTheFlowNamesThem) {
  EXPECT_EQ(Samples().place, "data set");
  options.format = DatasetFormat::Csv;
  options.test.images = folder.write("a.csv", "1,2,0\n");
  EXPECT_EQ(loaded(options).place, "f.yaml:2:3");
  useIdx(idxWord(0x803) + idxWord(1) + idxWord(1) + idxWord(1) + "1",
         idxWord(0x801) + idxWord(1) + "1");
  EXPECT_EQ(loaded(options).place, "f.yaml:2:3");
  EXPECT_EQ(llvm::cantFail(openDataset(options, PathResolver())).place, "f.yaml:2:3");
  options.calibration = options.test;
  options.calibration->place = "f.yaml:7:8";
  EXPECT_EQ(llvm::cantFail(loadCalibration(options, PathResolver())).place, "f.yaml:7:8");
}

} // namespace
