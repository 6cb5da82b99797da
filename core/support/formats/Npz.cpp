#include "core/support/formats/Npz.h"

#include "core/support/files/UnpackedLimit.h"
#include "core/support/formats/ZipFile.h"

#include "fmt/format.h"
#include "llvm/ADT/StringRef.h"

#include <filesystem>
#include <memory>
#include <utility>

namespace spindle {

namespace {

using Unpacked = std::unique_ptr<zip_file_t, decltype(&zip_fclose)>;

/// An archive that is read, and how many elements it may still unpack.
struct OpenedArchive {
  ZipHandle archive;
  std::string path;
  uint64_t elements; // still allowed
  std::string limit; // what is allowed, in words
};

/// One array, its header read.
struct OpenedArray {
  std::string name;
  NpyHeader header;
  std::string bytes; // unpacked up to now
  Unpacked stream;
};

llvm::Error damaged(const OpenedArchive &source, const std::string &name) {
  return inputError(source.path,
                    fmt::format("array '{}' cannot be unpacked; the archive is damaged", name));
}

/// Unpacks until `bytes` has `size` bytes, or fewer where the member ends.
llvm::Error unpackTo(const OpenedArchive &source, OpenedArray &array, size_t size) {
  size_t done = array.bytes.size();
  array.bytes.resize(std::max(done, size));
  while (done < size) {
    zip_int64_t got = zip_fread(array.stream.get(), array.bytes.data() + done, size - done);
    if (got < 0)
      return damaged(source, array.name);
    if (got == 0)
      break;
    done += static_cast<size_t>(got);
  }
  array.bytes.resize(done);
  return llvm::Error::success();
}

llvm::Expected<OpenedArchive> openSource(const std::string &path, uint64_t mostElements) {
  SPINDLE_ASSIGN(ZipHandle archive, openZip(path, "an npz archive"));
  std::error_code status;
  uint64_t size = std::filesystem::file_size(path, status), packed = unpackedLimit(size);
  if (mostElements < packed)
    return OpenedArchive{std::move(archive), path, mostElements,
                         fmt::format("{} in all, about what the model takes", mostElements)};
  return OpenedArchive{
      std::move(archive), path, packed,
      fmt::format("{} in all of a packed file of {} bytes; store large arrays unpacked "
                  "(numpy.savez)",
                  packed, size)};
}

/// Reads the header of a member, and compares it with the size that the archive states.
llvm::Expected<OpenedArray> openArray(const OpenedArchive &source, zip_uint64_t index) {
  llvm::StringRef name = zip_get_name(source.archive.get(), index, ZIP_FL_ENC_GUESS);
  if (!name.consume_back(".npy"))
    return inputError(source.path, fmt::format("member '{}' is not a .npy array", name.str()));
  OpenedArray array{name.str(), {}, {}, Unpacked(nullptr, zip_fclose)};
  zip_stat_t stat;
  if (zip_stat_index(source.archive.get(), index, 0, &stat) != 0 || !(stat.valid & ZIP_STAT_SIZE))
    return damaged(source, array.name);
  SPINDLE_RETURN_IF_ERROR(checkZipMethod(stat, source.path, fmt::format("array '{}'", array.name),
                                         "write it with numpy.savez or numpy.savez_compressed"));
  array.stream.reset(zip_fopen_index(source.archive.get(), index, 0));
  if (!array.stream)
    return damaged(source, array.name);
  SPINDLE_RETURN_IF_ERROR(
      unpackTo(source, array, std::min<uint64_t>(stat.size, NpyHeader::kMostBytes)));
  SPINDLE_ASSIGN(array.header, parseNpyHeader(array.bytes, source.path, array.name));
  SPINDLE_RETURN_IF_ERROR(
      checkNpySize(array.header, stat.size - array.header.start, source.path, array.name));
  return array;
}

/// Takes the elements that are to be unpacked off what is allowed.
llvm::Error allow(OpenedArchive &source, const OpenedArray &array) {
  uint64_t count = *array.header.count();
  if (count > source.elements)
    return inputError(source.path, fmt::format("array '{}' has {} elements, expected at most {}",
                                               array.name, count, source.limit));
  source.elements -= count;
  return llvm::Error::success();
}

/// Unpacks the elements that the header says. One byte is asked for in excess: only at the end of
/// the member its checksum is compared.
llvm::Expected<NpyArray> unpack(OpenedArchive &source, OpenedArray array, bool isWhole) {
  SPINDLE_RETURN_IF_ERROR(allow(source, array));
  size_t size = array.header.start + *array.header.count() * elementBytes(array.header.type);
  SPINDLE_RETURN_IF_ERROR(unpackTo(source, array, size + (isWhole ? 1 : 0)));
  if (isWhole ? array.bytes.size() != size : array.bytes.size() < size)
    return damaged(source, array.name);
  array.bytes.resize(size);
  array.bytes.erase(0, array.header.start);
  return decodeNpy(array.header, std::move(array.bytes));
}

} // namespace

llvm::Expected<std::vector<NpzMember>> readNpz(const std::string &path, uint64_t mostElements) {
  SPINDLE_ASSIGN(OpenedArchive source, openSource(path, mostElements));
  std::vector<NpzMember> members;
  auto entries = static_cast<zip_uint64_t>(zip_get_num_entries(source.archive.get(), 0));
  for (zip_uint64_t index = 0; index < entries; ++index) {
    SPINDLE_ASSIGN(OpenedArray opened, openArray(source, index));
    std::string name = opened.name;
    SPINDLE_ASSIGN(NpyArray array, unpack(source, std::move(opened), /*isWhole=*/true));
    members.push_back({std::move(name), std::move(array)});
  }
  return members;
}

llvm::Expected<std::vector<NpzEntry>> readNpzHeaders(const std::string &path) {
  SPINDLE_ASSIGN(OpenedArchive source, openSource(path, UINT64_MAX));
  std::vector<NpzEntry> found;
  auto entries = static_cast<zip_uint64_t>(zip_get_num_entries(source.archive.get(), 0));
  for (zip_uint64_t index = 0; index < entries; ++index) {
    SPINDLE_ASSIGN(OpenedArray array, openArray(source, index));
    found.push_back({std::move(array.name), std::move(array.header)});
  }
  return found;
}

llvm::Expected<NpyArray> readNpzRows(const std::string &path, const std::string &name,
                                     uint64_t rows) {
  SPINDLE_ASSIGN(OpenedArchive source, openSource(path, UINT64_MAX));
  zip_int64_t index = zip_name_locate(source.archive.get(), (name + ".npy").c_str(), 0);
  if (index < 0)
    return inputError(path, fmt::format("array '{}' is absent", name));
  SPINDLE_ASSIGN(OpenedArray array, openArray(source, static_cast<zip_uint64_t>(index)));
  std::vector<int64_t> &shape = array.header.shape;
  bool isWhole =
      shape.empty() || array.header.isColumnMajor || static_cast<uint64_t>(shape[0]) <= rows;
  if (!isWhole)
    shape[0] = static_cast<int64_t>(rows);
  return unpack(source, std::move(array), isWhole);
}

llvm::Error writeNpz(const std::string &path, const std::vector<NpzMember> &members) {
  SPINDLE_ASSIGN(ZipHandle archive, createZip(path));
  std::vector<std::string> files; // libzip reads them in zip_close
  files.reserve(members.size());
  auto failed = [&](zip_t *zip) {
    return inputError(path, fmt::format("cannot write: {}", zip_strerror(zip)));
  };
  for (const NpzMember &member : members) {
    files.push_back(formatNpy(member.array));
    zip_source_t *source =
        zip_source_buffer(archive.get(), files.back().data(), files.back().size(), 0);
    zip_int64_t index =
        zip_file_add(archive.get(), (member.name + ".npy").c_str(), source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
      zip_source_free(source);
      return failed(archive.get());
    }
    auto entry = static_cast<zip_uint64_t>(index);
    zip_file_set_dostime(archive.get(), entry, 0, /*1980-01-01*/ 0x21, 0);
    zip_set_file_compression(archive.get(), entry, ZIP_CM_DEFLATE, 9);
  }
  if (zip_close(archive.get()) != 0)
    return failed(archive.get());
  archive.release(); // NOLINT: closed
  return llvm::Error::success();
}

const NpyArray *findMember(const std::vector<NpzMember> &members, const std::string &name) {
  for (const NpzMember &member : members)
    if (member.name == name)
      return &member.array;
  return nullptr;
}

} // namespace spindle
