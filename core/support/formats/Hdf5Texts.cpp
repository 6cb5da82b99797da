// HDF5 1.10 believes the lengths of stored texts: it allocates what a text claims, and copies what
// the heap object holds into it; free space of length zero it passes by for ever. So they are
// checked before, and added up: a thousand texts may name one object of the heap.
//
// A text of variable length is a descriptor, length (4 bytes), address of a global heap (8), number
// of an object in it (4); the heap is `GCOL`, version (4), size (8), then objects: number (2),
// references (2), zeros (4), size (8), bytes padded to eight. HDF5 File Format Specification 3.0,
// section III.E.
#include "core/support/formats/Hdf5Checks.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <fstream>
#include <map>

namespace spindle {

namespace {

constexpr uint64_t descriptorSize = 16, headerSize = 16;

class Texts {
public:
  Texts(const std::string &path, uint64_t start) : stream(path, std::ios::binary), base(start) {
    stream.seekg(0, std::ios::end);
    size = static_cast<uint64_t>(stream.tellg());
  }

  /// Whether the descriptors at `at` name objects of their length, whose bytes are counted.
  bool fit(uint64_t at, uint64_t count) {
    std::string descriptors;
    return count <= size / descriptorSize && read(at, count * descriptorSize, descriptors) &&
           fit(descriptors);
  }

  bool fit(const std::string &descriptors) {
    uint64_t count = descriptors.size() / descriptorSize;
    for (const char *text = descriptors.data(); count > 0; --count, text += descriptorSize) {
      uint64_t heap = llvm::support::endian::read64le(text + 4);
      if (heap == 0) // no text
        continue;
      const std::map<uint32_t, uint64_t> &objects = objectsOf(heap);
      auto object = objects.find(llvm::support::endian::read32le(text + 12));
      if (object == objects.end() || object->second != llvm::support::endian::read32le(text))
        return false;
      counted = llvm::SaturatingAdd(counted, object->second);
    }
    return true;
  }

  uint64_t bytes() const { return counted; }

  /// Whether the library has room for the text of a descriptor, if it is one: it takes the claimed
  /// length, rounded up, and copies the object there.
  bool hasRoom(const char *descriptor) {
    constexpr uint64_t unit = 4096, mostClaimedMore = 1 << 20;
    const std::map<uint32_t, uint64_t> &objects =
        objectsOf(llvm::support::endian::read64le(descriptor + 4));
    auto object = objects.find(llvm::support::endian::read32le(descriptor + 12));
    uint64_t claimed = llvm::support::endian::read32le(descriptor);
    return object == objects.end() || (object->second <= (claimed / unit + 1) * unit &&
                                       claimed <= object->second + mostClaimedMore);
  }

private:
  bool read(uint64_t at, uint64_t count, std::string &bytes) {
    if (at > size || count > size - at)
      return false;
    bytes.resize(count);
    stream.seekg(static_cast<std::streamoff>(at));
    return static_cast<bool>(stream.read(bytes.data(), static_cast<std::streamsize>(count)));
  }

  /// Sizes of the objects of a heap by number; none where it is damaged.
  const std::map<uint32_t, uint64_t> &objectsOf(uint64_t address) {
    auto [entry, isNew] = heaps.try_emplace(address);
    std::map<uint32_t, uint64_t> &objects = entry->second;
    std::string header, heap;
    if (!isNew || address > size || !read(base + address, headerSize, header) ||
        header.compare(0, 4, "GCOL") != 0 ||
        !read(base + address, llvm::support::endian::read64le(header.data() + 8), heap))
      return objects;
    for (uint64_t at = headerSize; at + headerSize <= heap.size();) {
      uint32_t number = llvm::support::endian::read16le(heap.data() + at);
      uint64_t length = llvm::support::endian::read64le(heap.data() + at + 8);
      uint64_t rest = heap.size() - at;
      if (number == 0 && length == rest) // free, its header included
        return objects;
      if (number == 0 || length > rest - headerSize || !objects.emplace(number, length).second) {
        objects.clear();
        break;
      }
      at += headerSize + (length + 7) / 8 * 8;
    }
    return objects;
  }

  std::ifstream stream;
  uint64_t base, size, counted = 0;
  std::map<uint64_t, std::map<uint32_t, uint64_t>> heaps;
};

/// Where the file's first byte of HDF5 is, for files whose addresses are of eight bytes.
std::optional<uint64_t> baseOf(hid_t file) {
  Hdf5Handle creation(H5Fget_create_plist(file), H5Pclose);
  hsize_t base = 0;
  size_t addressSize = 0, lengthSize = 0;
  if (creation < 0 || H5Pget_userblock(creation, &base) < 0 ||
      H5Pget_sizes(creation, &addressSize, &lengthSize) < 0 || addressSize != 8 || lengthSize != 8)
    return std::nullopt;
  return base;
}

} // namespace

/// Where the bytes of an opened file are.
static std::string placeOf(hid_t file) {
  std::string name(4096, '\0');
  ssize_t length = H5Fget_name(file, name.data(), name.size());
  name.resize(length < 0 ? 0 : static_cast<size_t>(length));
  return name;
}

bool hdf5AttributeTextsHaveRoom(hid_t file) {
  std::optional<uint64_t> base = baseOf(file);
  auto buffer =
      llvm::MemoryBuffer::getFile(placeOf(file), /*IsText=*/false, /*NullTerminated=*/false);
  if (!base || !buffer || (*buffer)->getBufferSize() < *base)
    return false;
  llvm::StringRef bytes = (*buffer)->getBuffer().drop_front(*base);
  llvm::DenseSet<uint64_t> heaps;
  for (size_t at = bytes.find("GCOL"); at != bytes.npos; at = bytes.find("GCOL", at + 1))
    heaps.insert(at);
  if (heaps.empty())
    return true;
  Texts texts(placeOf(file), *base);
  for (size_t at = 0; at + descriptorSize <= bytes.size(); ++at) {
    uint64_t heap = llvm::support::endian::read64le(bytes.data() + at + 4);
    if (heap < bytes.size() && heaps.contains(heap) && !texts.hasRoom(bytes.data() + at))
      return false;
  }
  return true;
}

std::optional<uint64_t> hdf5TextBytes(hid_t file, hid_t set, uint64_t count) {
  std::optional<uint64_t> base = baseOf(file);
  if (!base)
    return std::nullopt;
  Texts texts(placeOf(file), *base);
  bool isSound = true;
  if (haddr_t at = H5Dget_offset(set); at != HADDR_UNDEF) {
    isSound = texts.fit(at, count);
  } else if (H5Dget_storage_size(set) != 0) {
    Hdf5Handle properties(H5Dget_create_plist(set), H5Pclose);
    isSound = H5Pget_layout(properties) == H5D_CHUNKED &&
              hdf5VisitChunks(set, [&](const std::string &chunk) { return texts.fit(chunk); });
  }
  return isSound ? std::optional(texts.bytes()) : std::nullopt;
}

} // namespace spindle
