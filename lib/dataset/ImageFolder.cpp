// A folder with one sub-folder of PNG files per class; sorted names are the class indices.
#include "core/support/files/UnpackedLimit.h"

#include "core/support/files/File.h"
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

std::vector<int64_t> shapeOf(const Image &image) {
  return {image.channels, image.rows, image.columns};
}

/// A PNG file that is being read: eight bits per channel, grey stays grey, colour becomes RGB,
/// deeper samples are reduced, transparency falls on black.
class PngFile {
public:
  explicit PngFile(std::string file) : path(std::move(file)) { png.version = PNG_IMAGE_VERSION; }
  PngFile(const PngFile &) = delete;
  ~PngFile() { png_image_free(&png); }

  /// The image without its bytes.
  llvm::Expected<Image> readHeader() {
    SPINDLE_RETURN_IF_ERROR(checkIsFile(path));
    if (!png_image_begin_read_from_file(&png, path.c_str()))
      return failed();
    bool isColour = png.format & PNG_FORMAT_FLAG_COLOR;
    png.format = isColour ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
    png.flags |= PNG_IMAGE_FLAG_16BIT_sRGB; // no gamma correction of 16-bit files
    std::error_code status;
    uint64_t elements = uint64_t{png.height} * png.width * (isColour ? 3 : 1);
    uint64_t limit = unpackedLimit(fs::file_size(path, status));
    if (elements > limit)
      return inputError(path, fmt::format("image of {} rows, {} columns has {} values, expected at "
                                          "most {} in a file of its size",
                                          png.height, png.width, elements, limit));
    return Image{isColour ? 3 : 1, png.height, png.width, {}};
  }

  llvm::Error readBytes(Image &image) {
    image.bytes.resize(PNG_IMAGE_SIZE(png));
    png_color black{0, 0, 0};
    if (!png_image_finish_read(&png, &black, image.bytes.data(), 0, nullptr))
      return failed();
    return llvm::Error::success();
  }

private:
  llvm::Error failed() const {
    return inputError(path, fmt::format("cannot read as PNG: {}", png.message));
  }

  std::string path;
  png_image png{};
};

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

/// One image of the folder, and the class it belongs to.
struct ImageFile {
  std::string path;
  uint32_t label;
};

/// All images: the classes in turn, so that a limit leaves some of each.
llvm::Expected<std::vector<ImageFile>> listImages(const std::string &root) {
  std::vector<std::string> classes = entries(root, /*wantsFolders=*/true);
  if (classes.empty())
    return inputError(root, "has no sub-folders, expected one per class");
  std::vector<std::vector<std::string>> names;
  size_t deepest = 0;
  for (const std::string &name : classes) {
    names.push_back(entries(root + "/" + name, /*wantsFolders=*/false));
    deepest = std::max(deepest, names.back().size());
  }
  if (deepest == 0)
    return inputError(root, "holds no images, expected .png files in a sub-folder per class");
  std::vector<ImageFile> files;
  for (size_t turn = 0; turn < deepest; ++turn)
    for (uint32_t index = 0; index < classes.size(); ++index)
      if (turn < names[index].size())
        files.push_back({root + "/" + classes[index] + "/" + names[index][turn], index});
  return files;
}

llvm::Error checkShape(const std::string &file, const std::vector<int64_t> &shape,
                       std::vector<int64_t> &first) {
  if (first.empty())
    first = shape;
  if (shape == first)
    return llvm::Error::success();
  return inputError(file, fmt::format("image of {} channels, {} rows, {} columns; the first one "
                                      "has {}, {}, {}",
                                      shape[0], shape[1], shape[2], first[0], first[1], first[2]));
}

void append(const Image &image, std::vector<float> &values) {
  for (int64_t channel = 0; channel < image.channels; ++channel)
    for (int64_t pixel = 0; pixel < image.rows * image.columns; ++pixel)
      values.push_back(image.bytes[static_cast<size_t>(pixel * image.channels + channel)]);
}

} // namespace

/// All images count as read: one more changes which classes there are.
llvm::Expected<Inspected> inspectImageFolder(const DatasetOptions &, const SampleSource &source,
                                             const PathResolver &paths) {
  SPINDLE_ASSIGN(std::string root, paths.find(source.images, source.place));
  SPINDLE_ASSIGN(std::vector<ImageFile> files, listImages(root));
  Inspected found{{}, files.size(), {}};
  for (size_t i = 0; i < files.size(); ++i) {
    found.files.push_back(files[i].path);
    if (i >= wanted(source, files.size()))
      continue;
    PngFile png(files[i].path);
    SPINDLE_ASSIGN(Image image, png.readHeader());
    SPINDLE_RETURN_IF_ERROR(checkShape(files[i].path, shapeOf(image), found.shape));
  }
  return found;
}

llvm::Expected<Samples> readImageFolder(const DatasetOptions &, const SampleSource &source,
                                        const PathResolver &paths) {
  SPINDLE_ASSIGN(std::string root, paths.find(source.images, source.place));
  SPINDLE_ASSIGN(std::vector<ImageFile> files, listImages(root));
  files.resize(wanted(source, files.size()));
  Samples samples;
  for (const ImageFile &file : files) {
    PngFile png(file.path);
    SPINDLE_ASSIGN(Image image, png.readHeader());
    SPINDLE_RETURN_IF_ERROR(checkShape(file.path, shapeOf(image), samples.shape));
    SPINDLE_RETURN_IF_ERROR(png.readBytes(image));
    append(image, samples.values);
    samples.labels.push_back(file.label);
  }
  return samples;
}

} // namespace spindle
