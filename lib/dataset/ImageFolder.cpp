// A folder with one sub-folder of PNG files per class; sorted names are the class indices.
#include "lib/dataset/Formats.h"

#include "fmt/format.h"
#include "png.h"

#include <algorithm>
#include <filesystem>

namespace spindle {

namespace {

namespace fs = std::filesystem;

struct Image {
  int64_t channels, rows, columns;
  std::vector<uint8_t> bytes; // row, column, channel
};

/// Eight bits per channel: grey stays grey, colour becomes RGB, deeper samples are reduced,
/// transparency falls on black.
llvm::Expected<Image> readPng(const std::string &file) {
  png_image png{};
  png.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_file(&png, file.c_str()))
    return inputError(file, fmt::format("cannot read as PNG: {}", png.message));
  bool isColour = png.format & PNG_FORMAT_FLAG_COLOR;
  png.format = isColour ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  png.flags |= PNG_IMAGE_FLAG_16BIT_sRGB; // no gamma correction of 16-bit files
  Image image{isColour ? 3 : 1, png.height, png.width, std::vector<uint8_t>(PNG_IMAGE_SIZE(png))};
  png_color black{0, 0, 0};
  if (!png_image_finish_read(&png, &black, image.bytes.data(), 0, nullptr)) {
    std::string message = png.message;
    png_image_free(&png);
    return inputError(file, fmt::format("cannot read as PNG: {}", message));
  }
  return image;
}

/// Sorted names of the sub-folders, or of the PNG files, of a folder.
std::vector<std::string> entries(const std::string &folder, bool wantsFolders) {
  std::vector<std::string> names;
  std::error_code status;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder, status))
    if (wantsFolders ? entry.is_directory(status) : entry.path().extension() == ".png")
      names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

void append(const Image &image, std::vector<float> &values) {
  for (int64_t channel = 0; channel < image.channels; ++channel)
    for (int64_t pixel = 0; pixel < image.rows * image.columns; ++pixel)
      values.push_back(image.bytes[static_cast<size_t>(pixel * image.channels + channel)]);
}

} // namespace

llvm::Expected<Samples> readImageFolder(const DatasetOptions &, const SampleSource &source,
                                        const PathResolver &paths) {
  SPINDLE_ASSIGN(std::string root, paths.find(source.images, source.place));
  std::vector<std::string> classes = entries(root, /*wantsFolders=*/true);
  if (classes.empty())
    return inputError(root, "has no sub-folders, expected one per class");
  std::vector<std::vector<std::string>> files;
  size_t available = 0, deepest = 0;
  for (const std::string &name : classes) {
    files.push_back(entries(root + "/" + name, /*wantsFolders=*/false));
    available += files.back().size();
    deepest = std::max(deepest, files.back().size());
  }
  if (available == 0)
    return inputError(root, "holds no images, expected .png files in a sub-folder per class");

  // The classes in turn, so that a limit leaves some of each.
  Samples samples;
  size_t count = wanted(source, available);
  for (size_t turn = 0; turn < deepest; ++turn)
    for (uint32_t index = 0; index < classes.size() && samples.count() < count; ++index) {
      if (turn >= files[index].size())
        continue;
      std::string file = root + "/" + classes[index] + "/" + files[index][turn];
      SPINDLE_ASSIGN(Image image, readPng(file));
      std::vector<int64_t> shape{image.channels, image.rows, image.columns};
      if (samples.count() == 0)
        samples.shape = shape;
      if (samples.shape != shape)
        return inputError(file, fmt::format("image of {} channels, {} rows, {} columns; the first "
                                            "one has {}, {}, {}",
                                            shape[0], shape[1], shape[2], samples.shape[0],
                                            samples.shape[1], samples.shape[2]));
      append(image, samples.values);
      samples.labels.push_back(index);
    }
  return samples;
}

} // namespace spindle
