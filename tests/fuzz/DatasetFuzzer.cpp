// Data sets in one file: CSV, NumPy archives, and PNG images in a folder.
#include "lib/dataset/Dataset.h"
#include "tests/fuzz/FuzzTarget.h"
#include "tests/fuzz/FuzzedFile.h"

namespace spindle {

static void readAs(DatasetFormat format, const std::string &images) {
  DatasetOptions options;
  options.format = format;
  options.test.images = images;
  llvm::Error header = checkDatasetHeaders(options, PathResolver(), DatasetPart::Test);
  llvm::Expected<Samples> samples = loadDataset(options, PathResolver());
  if (samples && header) // the error of the headers is that of reading
    __builtin_trap();
  llvm::consumeError(std::move(header));
  llvm::consumeError(samples.takeError());
}

void fuzzCsv(const uint8_t *data, size_t size) {
  FuzzedFile file(data, size, ".csv");
  readAs(DatasetFormat::Csv, file.path());
}

void fuzzNpz(const uint8_t *data, size_t size) {
  FuzzedFile file(data, size, ".npz");
  readAs(DatasetFormat::Npz, file.path());
}

void fuzzPng(const uint8_t *data, size_t size) {
  FuzzedFolder folder("-images"), images("-images/class");
  FuzzedFile file(data, size, "-images/class/image.png");
  readAs(DatasetFormat::Images, folder.path());
}

} // namespace spindle
