// HDF5 keeps what it could not write, and would try again at the end of the process.
#include "core/support/formats/Hdf5.h"

#include "tests/support/FullDisk.h"
#include "tests/support/TemporaryFolder.h"

namespace spindle {
namespace {

std::vector<double> noise(size_t count) {
  std::vector<double> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = static_cast<double>(i * 2654435761u % 1000003) / 7;
  return values;
}

/// Writes arrays until one of them, or closing the file, fails.
std::string firstError(const std::string &path, const std::vector<size_t> &sizes,
                       Hdf5Packing packing) {
  llvm::Expected<Hdf5Writer> writer = Hdf5Writer::create(path, packing);
  if (!writer)
    return toText(writer.takeError());
  for (size_t i = 0; i < sizes.size(); ++i) {
    std::string name = "group" + std::to_string(i % 3) + "/array" + std::to_string(i);
    if (llvm::Error error = writer->write(name, noise(sizes[i])))
      return toText(std::move(error));
    if (llvm::Error error = writer->attribute(name, "unit", std::string("ms")))
      return toText(std::move(error));
  }
  return toText(writer->close());
}

TEST(Hdf5FullDisk, IsAnErrorAndLeavesTheFileBefore) {
  TemporaryFolder folder;
  auto write = [&](size_t limit, const std::vector<size_t> &sizes, Hdf5Packing packing) {
    folder.write("x.h5", "before");
    limitFileSize(limit);
    std::string text = firstError(folder / "x.h5", sizes, packing);
    bool isOneLine = text.find(folder / "x.h5" + ": error: cannot write") == 0;
    auto entries = std::distance(std::filesystem::directory_iterator(folder.path()), {});
    if (!isOneLine || folder.read("x.h5") != "before" || entries != 1)
      fprintf(stderr, "%zu: %s, %zd files\n", limit, text.c_str(), entries);
    exit(isOneLine && folder.read("x.h5") == "before" && entries == 1 ? 0 : 1);
  };
  const std::vector<std::vector<size_t>> files = {{1 << 17},
                                                  {100, 100, 100, 1 << 16},
                                                  {20000, 20000, 20000, 20000},
                                                  std::vector<size_t>(60, 300)};
  for (size_t limit : {1, 512, 4096, 40000, 90000})
    for (const std::vector<size_t> &sizes : files)
      for (Hdf5Packing packing : {Hdf5Packing::Deflate, Hdf5Packing::None})
        EXPECT_EXIT(write(limit, sizes, packing), ::testing::ExitedWithCode(0), "")
            << limit << " bytes, " << sizes.size() << " arrays";
}

} // namespace
} // namespace spindle
