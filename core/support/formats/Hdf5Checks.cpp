#include "core/support/formats/Hdf5Checks.h"

#include "core/support/files/UnpackedLimit.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "zlib.h"

#include <algorithm>
#include <array>
#include <vector>

namespace spindle {

void confineHdf5() { H5PLset_loading_state(0); }

static Hdf5Way outside(llvm::StringRef link, const char *what) {
  return {Hdf5Way::End::Outside, fmt::format("'{}' is {}", link.str(), what)};
}

/// `budget`: soft links that may still be followed; the library itself follows 16.
static Hdf5Way followLinks(hid_t file, llvm::StringRef name, int &budget) {
  std::string passed; // the part of the name that is known to lead inside
  while (!name.empty()) {
    auto [part, rest] = name.split('/');
    name = rest;
    if (part.empty() || part == ".")
      continue;
    std::string link = passed + "/" + part.str();
    H5L_info_t info;
    if (H5Lget_info(file, link.c_str(), &info, H5P_DEFAULT) < 0)
      return {Hdf5Way::End::Absent, ""};
    if (info.type == H5L_TYPE_EXTERNAL)
      return outside(link, "a link to another file, which is not followed; copy what it names "
                           "into this file");
    if (info.type != H5L_TYPE_HARD && info.type != H5L_TYPE_SOFT)
      return outside(link, "a link of a user's own kind, expected a link within the file");
    if (info.type == H5L_TYPE_HARD) {
      passed = link;
      continue;
    }
    std::string target(info.u.val_size, '\0');
    if (--budget < 0 || target.empty() ||
        H5Lget_val(file, link.c_str(), target.data(), target.size(), H5P_DEFAULT) < 0)
      return {Hdf5Way::End::Absent, ""};
    target.resize(std::min(target.find('\0'), target.size()));
    std::string from = llvm::StringRef(target).starts_with("/") ? "" : passed + "/";
    return followLinks(file, from + target + "/" + rest.str(), budget);
  }
  return {Hdf5Way::End::Inside, ""};
}

Hdf5Way hdf5Find(hid_t file, llvm::StringRef name) {
  int budget = 16;
  return followLinks(file, name, budget);
}

namespace {

/// What a chunk may need beside the values of its data set: it is unpacked or filled as a whole,
/// however few of its values are asked for.
constexpr double kChunkRoom = 64 << 20;
/// Deflate packs at most 1:1032.
constexpr double kDeflateRatio = 1100;

/// How the values of a data set that lie in this file are stored.
struct Storage {
  Storage(hid_t set, Hdf5Handle created)
      : properties(std::move(created)), layout(H5Pget_layout(properties)),
        type(H5Dget_type(set), H5Tclose), space(H5Dget_space(set), H5Sclose) {
    for (int i = 0; i < H5Pget_nfilters(properties); ++i) {
      unsigned flags = 0, config = 0, value = 0;
      size_t values = 1;
      filters.push_back(H5Pget_filter2(properties, static_cast<unsigned>(i), &flags, &values,
                                       &value, 0, nullptr, &config));
      if (filters.back() == H5Z_FILTER_SHUFFLE)
        shuffledBytes = value;
    }
    extents.resize(static_cast<size_t>(std::max(0, H5Sget_simple_extent_ndims(space))));
    chunk.resize(extents.size());
    H5Sget_simple_extent_dims(space, extents.data(), nullptr);
    if (layout == H5D_CHUNKED)
      H5Pget_chunk(properties, static_cast<int>(chunk.size()), chunk.data());
  }
  explicit Storage(hid_t set) : Storage(set, {H5Dget_create_plist(set), H5Pclose}) {}

  double bytesOf(const std::vector<hsize_t> &shape) const {
    // A text of variable length is a descriptor in the file and a pointer in memory.
    double bytes = H5Tis_variable_str(type) > 0 ? 16 : static_cast<double>(H5Tget_size(type));
    for (hsize_t extent : shape)
      bytes *= static_cast<double>(extent);
    return bytes;
  }

  Hdf5Handle properties;
  H5D_layout_t layout;
  Hdf5Handle type, space;
  std::vector<int> filters; // in the order in which they were applied
  size_t shuffledBytes = 1; // of an element
  std::vector<hsize_t> extents, chunk;
};

/// Whether the filters are those that we know, each once. The decoders of the others believe what a
/// file says of its sizes.
bool areKnown(const std::vector<int> &filters) {
  constexpr std::array known = {H5Z_FILTER_SHUFFLE, H5Z_FILTER_DEFLATE, H5Z_FILTER_FLETCHER32};
  return std::all_of(filters.begin(), filters.end(), [&](int filter) {
    return std::count(known.begin(), known.end(), filter) == 1 &&
           std::count(filters.begin(), filters.end(), filter) == 1;
  });
}

/// The unpacked bytes, where there are `count` of them.
std::optional<std::string> inflated(const std::string &packed, size_t count) {
  z_stream stream{};
  if (packed.size() > UINT32_MAX || count >= UINT32_MAX || inflateInit(&stream) != Z_OK)
    return std::nullopt;
  std::string bytes(count + 1, '\0'); // room to see that there are more
  stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef *>(bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  bool isWhole = inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_out == 1;
  inflateEnd(&stream);
  bytes.pop_back();
  return isWhole ? std::optional(std::move(bytes)) : std::nullopt;
}

/// Byte b of every element, then byte b + 1, to the elements one after the other.
std::string unshuffled(const std::string &bytes, size_t elementBytes) {
  size_t count = elementBytes == 0 ? 0 : bytes.size() / elementBytes;
  std::string elements = bytes; // what is left over stands at the end of both
  for (size_t i = 0; i < count * elementBytes; ++i)
    elements[i] = bytes[i % elementBytes * count + i / elementBytes];
  return elements;
}

/// The `count` bytes of a chunk; `skipped` are the filters that were not applied to it.
std::optional<std::string> unpacked(const Storage &storage, uint32_t skipped, std::string bytes,
                                    size_t count) {
  const std::vector<int> &filters = storage.filters;
  for (size_t i = filters.size(); i-- > 0;) {
    if (skipped >> i & 1)
      continue;
    // What a checksum before this filter adds.
    size_t sum = 4 * static_cast<size_t>(std::count(filters.begin(),
                                                    filters.begin() + static_cast<ptrdiff_t>(i),
                                                    H5Z_FILTER_FLETCHER32));
    if (filters[i] == H5Z_FILTER_FLETCHER32)
      bytes.resize(bytes.size() < 4 ? 0 : bytes.size() - 4);
    if (filters[i] == H5Z_FILTER_SHUFFLE)
      bytes = unshuffled(bytes, storage.shuffledBytes);
    if (filters[i] == H5Z_FILTER_DEFLATE) {
      std::optional<std::string> longer = inflated(bytes, count + sum);
      if (!longer)
        return std::nullopt;
      bytes = std::move(*longer);
    }
  }
  return bytes.size() == count ? std::optional(std::move(bytes)) : std::nullopt;
}

/// The next corner in row-major order; false after the last one.
bool nextCorner(const Storage &storage, std::vector<hsize_t> &corner) {
  for (size_t d = corner.size(); d-- > 0; corner[d] = 0)
    if ((corner[d] += storage.chunk[d]) < storage.extents[d])
      return true;
  return false;
}

} // namespace

std::optional<std::string> hdf5StorageFault(hid_t file, hid_t set) {
  Hdf5Handle properties(H5Dget_create_plist(set), H5Pclose);
  // Before the data space is asked for, which opens the files behind a virtual data set.
  const char *foreign = H5Pget_layout(properties) == H5D_VIRTUAL ? "virtual data set"
                        : H5Pget_external_count(properties) != 0 ? "external storage"
                                                                 : nullptr;
  if (foreign)
    return fmt::format("has its values in other files ({}), which are not read; copy them into "
                       "this file",
                       foreign);
  Storage storage(set, std::move(properties));
  if (!areKnown(storage.filters))
    return "is packed with a filter other than shuffle, deflate and fletcher32; pack it anew: "
           "h5repack -f GZIP=4";
  hsize_t fileSize = 0;
  H5Fget_filesize(file, &fileSize);
  // Neither is the stored size to be believed.
  hsize_t stored = std::min(H5Dget_storage_size(set), fileSize);
  bool isChunked = storage.layout == H5D_CHUNKED;
  double room = (isChunked ? kDeflateRatio : 1) * static_cast<double>(stored);
  double bytes = storage.bytesOf(storage.extents);
  if (bytes > 65536 + room)
    return fmt::format("has {} stored bytes, which cannot be the [{}] values that it declares; "
                       "the file is damaged",
                       stored, fmt::join(storage.extents, ", "));
  if (isChunked && storage.bytesOf(storage.chunk) > kChunkRoom + bytes)
    return fmt::format("is stored in chunks of [{}] values for [{}] in all; store it without "
                       "chunks: h5repack -f NONE -l CONTI",
                       fmt::join(storage.chunk, ", "), fmt::join(storage.extents, ", "));
  return std::nullopt;
}

/// Numbers or texts; of texts of fixed length the characters, which may be many.
static uint64_t valuesOf(const Storage &storage) {
  hssize_t points = H5Sget_simple_extent_npoints(storage.space);
  auto elements = static_cast<uint64_t>(std::max<hssize_t>(0, points));
  bool isFixedText =
      H5Tget_class(storage.type) == H5T_STRING && H5Tis_variable_str(storage.type) <= 0;
  uint64_t each = isFixedText ? std::max<uint64_t>(1, H5Tget_size(storage.type)) : 1;
  return elements > UINT64_MAX / each ? UINT64_MAX : elements * each;
}

/// Whether the file holds every value as it is, in bytes that no data set before it took.
static bool isPlain(const Storage &storage, hsize_t stored, hsize_t fileSize,
                    const Hdf5Taken &taken) {
  const std::vector<int> &filters = storage.filters;
  return std::count(filters.begin(), filters.end(), H5Z_FILTER_DEFLATE) == 0 &&
         storage.bytesOf(storage.extents) <= static_cast<double>(stored) &&
         stored <= fileSize - taken.storedBytes;
}

/// Takes so many values off what the file may become; where they are too many, `what` they are and
/// how many may be.
static std::optional<std::string> takeValues(hsize_t fileSize, uint64_t values,
                                             const std::string &what, Hdf5Taken &taken) {
  uint64_t limit = unpackedLimit(fileSize);
  std::string before = taken.values == 0 ? "" : fmt::format(" after {} read before", taken.values);
  if (values > limit - taken.values)
    return fmt::format("has {}{}, more than the {} that a packed file of {} bytes may have; ", what,
                       before, limit, fileSize);
  taken.values += values;
  return std::nullopt;
}

std::optional<std::string> hdf5Take(hid_t file, hid_t set, Hdf5Taken &taken) {
  Storage storage(set);
  hsize_t fileSize = 0, stored = H5Dget_storage_size(set);
  H5Fget_filesize(file, &fileSize);
  if (isPlain(storage, stored, fileSize, taken)) {
    taken.storedBytes += stored;
    return std::nullopt;
  }
  uint64_t values = valuesOf(storage);
  std::optional<std::string> excess =
      takeValues(fileSize, values, fmt::format("{} values", values), taken);
  return excess ? std::optional(*excess + "store them unpacked: h5repack -f NONE") : std::nullopt;
}

std::optional<std::string> hdf5TakeTexts(hid_t file, uint64_t bytes, Hdf5Taken &taken) {
  hsize_t fileSize = 0;
  H5Fget_filesize(file, &fileSize);
  std::optional<std::string> excess =
      takeValues(fileSize, bytes, fmt::format("texts of {} bytes", bytes), taken);
  return excess ? std::optional(*excess + "the file is damaged, write it again") : std::nullopt;
}

bool hdf5ChunksFit(hid_t set) {
  Hdf5Handle properties(H5Dget_create_plist(set), H5Pclose);
  return H5Pget_nfilters(properties) == 0 ||
         hdf5VisitChunks(set, [](const std::string &) { return true; });
}

bool hdf5VisitChunks(hid_t set, llvm::function_ref<bool(const std::string &)> visit) {
  Storage storage(set);
  if (storage.layout != H5D_CHUNKED ||
      std::count(storage.extents.begin(), storage.extents.end(), hsize_t(0)) > 0)
    return true;
  Hdf5Handle file(H5Iget_file_id(set), H5Fclose);
  hsize_t fileSize = 0;
  H5Fget_filesize(file, &fileSize);
  auto bytes = static_cast<size_t>(storage.bytesOf(storage.chunk));
  std::vector<hsize_t> corner(storage.extents.size(), 0);
  do {
    uint32_t skipped = 0;
    haddr_t address = HADDR_UNDEF;
    hsize_t size = 0;
    if (H5Dget_chunk_info_by_coord(set, corner.data(), &skipped, &address, &size) < 0 ||
        size > fileSize)
      return false;
    if (address == HADDR_UNDEF) // filled
      continue;
    std::string stored(size, '\0');
    if (H5Dread_chunk(set, H5P_DEFAULT, corner.data(), &skipped, stored.data()) < 0)
      return false;
    std::optional<std::string> values = unpacked(storage, skipped, std::move(stored), bytes);
    if (!values || !visit(*values))
      return false;
  } while (nextCorner(storage, corner));
  return true;
}

} // namespace spindle
