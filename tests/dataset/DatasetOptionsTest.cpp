#include "lib/dataset/DatasetOptions.h"

#include "fmt/format.h"
#include "gmock/gmock.h"

using namespace spindle;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

std::string readError(const std::string &text, DatasetOptions &options) {
  YamlDocument document = llvm::cantFail(YamlDocument::parse("dataset:\n  " + text, "f.yaml"));
  YamlReader reader(document);
  YamlReader section = reader.section("dataset");
  readDatasetOptions(section, options);
  llvm::Error error = reader.finish();
  return error ? toText(std::move(error)) : "no error";
}

std::string readError(const std::string &text) {
  DatasetOptions options;
  return readError(text, options);
}

} // namespace

TEST(DatasetOptions, ReadsEveryKey) {
  DatasetOptions options;
  ASSERT_EQ(readError("{format: idx, images: a.gz, labels: b.gz, limit: 100,\n"
                      "   resize: {size: [32, 24], filter: bilinear}, scale: 0.5,\n"
                      "   mean: 0.1307, std: [0.3, 0.4, 0.5], pad: 2,\n"
                      "   calibration: {images: c.gz, labels: d.gz, limit: 10}}\n",
                      options),
            "no error");
  EXPECT_EQ(options.format, DatasetFormat::Idx);
  EXPECT_EQ(options.test.images, "a.gz");
  EXPECT_EQ(options.test.labels, "b.gz");
  EXPECT_EQ(options.test.limit, 100);
  EXPECT_EQ(options.test.place, "f.yaml:2:25");
  EXPECT_THAT(options.resize, ElementsAre(32, 24));
  EXPECT_EQ(options.scale, 0.5);
  EXPECT_THAT(options.mean, ElementsAre(0.1307));
  EXPECT_THAT(options.std, ElementsAre(0.3, 0.4, 0.5));
  EXPECT_EQ(options.pad, 2);
  ASSERT_TRUE(options.calibration);
  EXPECT_EQ(options.calibration->images, "c.gz");
  EXPECT_EQ(options.calibration->limit, 10);
}

TEST(DatasetOptions, DigitsHaveACalibrationSetOfTheirOwn) {
  DatasetOptions options;
  ASSERT_EQ(readError("format: digits\n", options), "no error");
  ASSERT_TRUE(options.calibration);
  EXPECT_NE(options.calibration->seed, options.test.seed);
  EXPECT_THAT(options.resize, IsEmpty());
  ASSERT_EQ(readError("{format: digits, seed: 9, calibration: {seed: 8}}\n", options), "no error");
  EXPECT_EQ(options.test.seed, 9);
  EXPECT_EQ(options.calibration->seed, 8);
}

TEST(DatasetOptions, ScalesAreMoreThanZero) {
  for (const char *scale : {"0", "-0.5", "1e-60", "-1e300"}) { // 1e-60 is 0 among 32-bit numbers
    EXPECT_EQ(readError(std::string("{format: digits, scale: ") + scale + "}\n"),
              "f.yaml:2:27: error: scale is " + fmt::format("{}", std::stod(scale)) +
                  ", expected more than 0");
    EXPECT_EQ(readError(std::string("{format: digits, std: ") + scale + "}\n"),
              "f.yaml:2:25: error: std is " + fmt::format("{}", std::stod(scale)) +
                  ", expected more than 0");
  }
  EXPECT_EQ(readError("{format: digits, scale: 1e999}\n"),
            "f.yaml:2:27: error: scale is '1e999', expected a number");
}

TEST(DatasetOptions, CalibrationHasTheKeysOfItsFormat) {
  DatasetOptions options;
  ASSERT_EQ(readError("{format: idx, images: a, labels: b,\n"
                      "   calibration: {format: idx, images: c, labels: d}}\n",
                      options),
            "no error");
  EXPECT_FALSE(options.calibration->format);
  ASSERT_EQ(readError("{format: idx, images: a, labels: b,\n"
                      "   calibration: {format: npz, images: c, images_array: data, limit: 3}}\n",
                      options),
            "no error");
  EXPECT_EQ(options.format, DatasetFormat::Idx);
  EXPECT_EQ(options.calibration->format, DatasetFormat::Npz);
  EXPECT_EQ(options.imagesArray, "data");
  ASSERT_EQ(readError("{format: csv, images: a, calibration: {format: digits}}\n", options),
            "no error");
  EXPECT_EQ(options.calibration->limit, 1000);
  EXPECT_EQ(readError("{format: csv, images: a, calibration: {format: csv, images: b, shape: 3}}"),
            "f.yaml:2:66: error: unknown key 'shape' in dataset.calibration, "
            "expected format, images or skip");
  EXPECT_EQ(readError("{format: csv, images: a, calibration: {format: mnist}}\n"),
            "f.yaml:2:50: error: format is 'mnist', expected idx, npz, images, digits, csv, cifar "
            "or events");
  EXPECT_EQ(readError("{format: csv, images: a, calibration: {format: events, list: b}}\n"),
            "f.yaml:2:50: error: the test set has no events, expected none here either");
  EXPECT_EQ(readError("{format: events, list: a, steps: 1, calibration: {format: digits}}\n"),
            "f.yaml:2:61: error: the test set has events, expected format events here, too");
}

TEST(DatasetOptions, ArraysOfAnArchiveHaveNames) {
  DatasetOptions options;
  ASSERT_EQ(readError("{format: npz, images: a.npz, images_array: data}\n", options), "no error");
  EXPECT_EQ(options.imagesArray, "data");
  EXPECT_EQ(options.labelsArray, "y");
  EXPECT_EQ(options.layout, SampleLayout::Nchw);
  EXPECT_FALSE(options.calibration);
  ASSERT_EQ(readError("{format: npz, images: a.npz, layout: nhwc}\n", options), "no error");
  EXPECT_EQ(options.layout, SampleLayout::Nhwc);
  EXPECT_EQ(readError("{format: npz, images: a.npz, layout: last}\n", options),
            "f.yaml:2:40: error: layout is 'last', expected nchw or nhwc");
}

TEST(DatasetOptions, EventsAreSortedIntoSteps) {
  DatasetOptions options;
  ASSERT_EQ(
      readError("{format: events, archive: a.tar.gz, list: test.txt, bin_ms: 0.5, steps: 300,\n"
                "   late_events: last_step, binary: true, shape: [2, 128, 128]}\n",
                options),
      "no error");
  EXPECT_EQ(options.test.archive, "a.tar.gz");
  EXPECT_EQ(options.test.list, "test.txt");
  EXPECT_EQ(options.test.place, "f.yaml:2:29");
  EXPECT_EQ(options.binMs, 0.5);
  EXPECT_EQ(options.steps, 300);
  EXPECT_EQ(options.lateEvents, LateEvents::LastStep);
  EXPECT_TRUE(options.binary);
  EXPECT_THAT(options.shape, ElementsAre(2, 128, 128));
  EXPECT_EQ(readError("{format: events, list: a}\n"),
            "f.yaml:2:3: error: key 'steps' is missing in dataset");
  EXPECT_EQ(readError("{format: events, steps: 1}\n"),
            "f.yaml:2:3: error: key 'list' is missing in dataset");
  EXPECT_EQ(readError("{format: events, list: a, steps: 1, scale: 2}\n"),
            "f.yaml:2:39: error: unknown key 'scale' in dataset (did you mean 'shape'?)");
  EXPECT_EQ(readError("{format: events, list: a, steps: 1, shape: [1, 2, 3, 4]}\n"),
            "f.yaml:2:46: error: shape has 4 extents, expected one to three: channels, rows, "
            "columns");
}

TEST(DatasetOptions, TablesAndArchives) {
  DatasetOptions options;
  ASSERT_EQ(
      readError("{format: csv, images: a.csv, shape: [1, 8, 8], label_column: first}\n", options),
      "no error");
  EXPECT_EQ(options.labelColumn, LabelColumn::First);
  EXPECT_THAT(options.shape, ElementsAre(1, 8, 8));
  ASSERT_EQ(readError("{format: cifar, archive: a.tar.gz, images: test_batch.bin}\n", options),
            "no error");
  EXPECT_EQ(options.test.archive, "a.tar.gz");
  EXPECT_EQ(readError("{format: csv, images: a.csv, shape: []}\n"),
            "f.yaml:2:39: error: shape is an empty list, expected extents");
  EXPECT_EQ(readError("{format: csv, images: a.csv, shape: [0]}\n"),
            "f.yaml:2:39: error: shape holds 0, expected 1 to 16384");
}

TEST(DatasetOptions, WrongKeysAndValuesAreRefused) {
  EXPECT_EQ(readError("{}\n"), "f.yaml:2:3: error: key 'format' is missing in dataset");
  EXPECT_EQ(readError("{format: idx, images: a}\n"),
            "f.yaml:2:3: error: key 'labels' is missing in dataset");
  EXPECT_EQ(readError("format: mnist\n"),
            "f.yaml:2:11: error: format is 'mnist', expected idx, npz, images, digits, csv, cifar "
            "or events");
  EXPECT_EQ(readError("{format: digits, images: x}\n"),
            "f.yaml:2:20: error: unknown key 'images' in dataset, expected format, "
            "seed, skip, calibration, scale, mean, std or pad");
  EXPECT_EQ(readError("{format: digits, limit: 0}\n"),
            "f.yaml:2:27: error: limit is 0, expected 1 to 1048576");
  EXPECT_EQ(readError("{format: csv, images: a, limit: 0}\n"),
            "f.yaml:2:35: error: limit is 0, expected at least 1");
  EXPECT_EQ(readError("{format: digits, limit: 10000000000}\n"),
            "f.yaml:2:27: error: limit is 10000000000, expected 1 to 1048576");
  EXPECT_EQ(readError("{format: digits, pad: -1}\n"),
            "f.yaml:2:25: error: pad is -1, expected 0 to 4096");
  EXPECT_EQ(readError("{format: digits, std: [1, 0]}\n"),
            "f.yaml:2:25: error: std is 0, expected more than 0");
  EXPECT_EQ(readError("{format: digits, mean: []}\n"),
            "f.yaml:2:26: error: mean is an empty list, expected one value, or one per channel");
  EXPECT_EQ(readError("{format: digits, resize: {size: 32}}\n"),
            "f.yaml:2:35: error: size has 1 numbers, expected rows and columns");
  EXPECT_EQ(readError("{format: digits, resize: {size: [32, 0]}}\n"),
            "f.yaml:2:35: error: size holds 0, expected 1 to 4096");
  EXPECT_EQ(readError("{format: digits, resize: {size: [3, 3], filter: cubic}}\n"),
            "f.yaml:2:51: error: filter is 'cubic', expected bilinear");
  EXPECT_EQ(readError("{format: digits, resize: {filter: bilinear}}\n"),
            "f.yaml:2:28: error: key 'size' is missing in dataset.resize");
}
