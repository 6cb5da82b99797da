// HDF5 1.10 believes the lengths of stored texts: it allocates what a text claims, and copies what
// the heap object holds into it; free space of length zero it passes by for ever. So they are
// checked before, and added up: a thousand texts may name one object of the heap.
//
// A text of variable length is a descriptor, length (4 bytes), address of a global heap (8), number
// of an object in it (4); the heap is `GCOL`, version (4), size (8), then objects: number (2),
// references (2), zeros (4), size (8), bytes padded to eight. HDF5 File Format Specification 3.0,
// section III.E.
#include "core/support/formats/Hdf5Checks.h"

#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

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

} // namespace

std::optional<uint64_t> hdf5TextBytes(hid_t file, const std::string &path, hid_t set,
                                      uint64_t count) {
  Hdf5Handle creation(H5Fget_create_plist(file), H5Pclose);
  hsize_t base = 0;
  size_t addressSize = 0, lengthSize = 0;
  if (creation < 0 || H5Pget_userblock(creation, &base) < 0 ||
      H5Pget_sizes(creation, &addressSize, &lengthSize) < 0 || addressSize != 8 || lengthSize != 8)
    return std::nullopt;
  Texts texts(path, base);
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
