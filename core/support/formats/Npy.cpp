#include "core/support/formats/Npy.h"

#include "core/support/SmallFloat.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <iterator>
#include <optional>

namespace spindle {

static_assert(std::endian::native == std::endian::little, "elements are kept as they are stored");

namespace {

constexpr llvm::StringLiteral magic("\x93NUMPY");

struct TypeRow {
  const char *name; // without the byte order
  size_t bytes;
};
/// In the order of NpyType.
constexpr TypeRow types[] = {{"b1", 1}, {"i1", 1}, {"u1", 1}, {"i2", 2}, {"u2", 2}, {"i4", 4},
                             {"u4", 4}, {"i8", 8}, {"u8", 8}, {"f2", 2}, {"f4", 4}, {"f8", 8}};

/// Converts as a number would.
struct HalfBits {
  uint16_t bits;
  template <typename T> explicit operator T() const {
    return static_cast<T>(toDouble(kHalf, bits));
  }
};

const TypeRow &row(NpyType type) { return types[static_cast<size_t>(type)]; }

template <typename Stored, typename T>
void convertFrom(const NpyArray &array, std::vector<T> &out) {
  for (size_t i = 0; i < out.size(); ++i) {
    Stored value;
    std::memcpy(&value, array.bytes.data() + i * sizeof(Stored), sizeof(Stored));
    out[i] = static_cast<T>(value);
  }
}

template <typename T> std::vector<T> convert(const NpyArray &array) {
  std::vector<T> out(array.count());
  assert(array.bytes.size() == out.size() * row(array.type).bytes);
  switch (array.type) {
  case NpyType::Bool:
  case NpyType::UInt8:
    convertFrom<uint8_t>(array, out);
    break;
  case NpyType::Int8:
    convertFrom<int8_t>(array, out);
    break;
  case NpyType::Int16:
    convertFrom<int16_t>(array, out);
    break;
  case NpyType::UInt16:
    convertFrom<uint16_t>(array, out);
    break;
  case NpyType::Int32:
    convertFrom<int32_t>(array, out);
    break;
  case NpyType::UInt32:
    convertFrom<uint32_t>(array, out);
    break;
  case NpyType::Int64:
    convertFrom<int64_t>(array, out);
    break;
  case NpyType::UInt64:
    convertFrom<uint64_t>(array, out);
    break;
  case NpyType::Float16:
    convertFrom<HalfBits>(array, out);
    break;
  case NpyType::Float32:
    convertFrom<float>(array, out);
    break;
  case NpyType::Float64:
    convertFrom<double>(array, out);
    break;
  }
  return out;
}

template <typename T>
NpyArray make(NpyType type, std::vector<int64_t> shape, const std::vector<T> &values) {
  NpyArray array{type, std::move(shape), {}};
  assert(array.count() == values.size());
  array.bytes.assign(reinterpret_cast<const char *>(values.data()), values.size() * sizeof(T));
  return array;
}

/// The text after `'key':` in the header, a Python dictionary.
llvm::StringRef fieldOf(llvm::StringRef header, llvm::StringRef key) {
  size_t at = header.find(("'" + key + "':").str());
  return at == llvm::StringRef::npos ? "" : header.substr(at + key.size() + 3).ltrim();
}

std::optional<std::vector<int64_t>> parseShape(llvm::StringRef text) {
  if (!text.consume_front("("))
    return std::nullopt;
  std::vector<int64_t> shape;
  while (!text.ltrim().starts_with(")")) {
    int64_t extent;
    text = text.ltrim();
    if (text.consumeInteger(10, extent) || extent < 0 || extent > (int64_t(1) << 40))
      return std::nullopt;
    shape.push_back(extent);
    text = text.ltrim();
    if (!text.consume_front(",") && !text.starts_with(")"))
      return std::nullopt;
  }
  return shape;
}

/// Fortran order varies the first index fastest: walk the C order and fetch.
std::string toRowMajor(const NpyArray &array) {
  size_t width = row(array.type).bytes, rank = array.shape.size();
  std::string out(array.bytes.size(), '\0');
  std::vector<int64_t> index(rank, 0);
  for (size_t i = 0; i < array.count(); ++i) {
    size_t from = 0;
    for (size_t d = rank; d-- > 0;)
      from = from * static_cast<size_t>(array.shape[d]) + static_cast<size_t>(index[d]);
    std::memcpy(out.data() + i * width, array.bytes.data() + from * width, width);
    for (size_t d = rank; d-- > 0 && ++index[d] == array.shape[d];)
      index[d] = 0;
  }
  return out;
}

} // namespace

size_t NpyArray::count() const {
  size_t product = 1;
  for (int64_t extent : shape)
    product *= static_cast<size_t>(extent);
  return product;
}

std::vector<float> NpyArray::floats() const { return convert<float>(*this); }
std::vector<double> NpyArray::doubles() const { return convert<double>(*this); }
std::vector<int64_t> NpyArray::integers() const { return convert<int64_t>(*this); }

NpyArray makeNpy(std::vector<int64_t> shape, const std::vector<float> &values) {
  return make(NpyType::Float32, std::move(shape), values);
}
NpyArray makeNpy(std::vector<int64_t> shape, const std::vector<double> &values) {
  return make(NpyType::Float64, std::move(shape), values);
}
NpyArray makeNpy(std::vector<int64_t> shape, const std::vector<int64_t> &values) {
  return make(NpyType::Int64, std::move(shape), values);
}

size_t elementBytes(NpyType type) { return row(type).bytes; }

std::optional<uint64_t> NpyHeader::count() const {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end())
    return 0;
  uint64_t product = 1; // stays below 2^53: any number of bytes fits 64 bits
  for (int64_t extent : shape) {
    if (product > (uint64_t{1} << 53) / static_cast<uint64_t>(extent))
      return std::nullopt;
    product *= static_cast<uint64_t>(extent);
  }
  return product;
}

llvm::Expected<NpyHeader> parseNpyHeader(llvm::StringRef bytes, const std::string &place,
                                         const std::string &name) {
  auto fail = [&](const std::string &what) {
    return inputError(place, fmt::format("array '{}' {}", name, what));
  };
  llvm::StringRef rest = bytes;
  if (!rest.consume_front(magic))
    return fail("is not in the npy format");
  if (rest.size() < 4)
    return fail("is cut off in its header");
  int version = rest[0];
  if (version < 1 || version > 3)
    return fail(fmt::format("has npy version {}, expected 1 to 3", version));
  size_t prefix = version == 1 ? 2 : 4, length = 0;
  rest = rest.drop_front(2);
  for (size_t i = 0; i < prefix && i < rest.size(); ++i)
    length |= size_t(static_cast<uint8_t>(rest[i])) << (8 * i);
  if (length > NpyHeader::kMostBytes - 12)
    return fail(fmt::format("has a header of {} bytes, expected at most {}", length,
                            NpyHeader::kMostBytes - 12));
  if (rest.size() < prefix + length)
    return fail("is cut off in its header");
  llvm::StringRef header = rest.substr(prefix, length);

  llvm::StringRef descr = fieldOf(header, "descr");
  llvm::StringRef order = fieldOf(header, "fortran_order");
  NpyHeader array;
  array.start = bytes.size() - rest.size() + prefix + length;
  array.isColumnMajor = order.starts_with("True");
  std::optional<std::vector<int64_t>> shape = parseShape(fieldOf(header, "shape"));
  if (descr.empty() || !shape || !(array.isColumnMajor || order.starts_with("False")))
    return fail("has a damaged header");
  if (shape->size() > 64) // as NumPy
    return fail(fmt::format("has {} dimensions, expected at most 64", shape->size()));
  array.shape = *shape;

  llvm::StringRef type = descr.starts_with("'") ? descr.drop_front().split('\'').first : "";
  if (type.starts_with(">"))
    return fail(fmt::format("is big-endian ('{}'), expected little-endian: save it with "
                            "astype('<{}')",
                            type.str(), type.drop_front().str()));
  const TypeRow *found =
      std::find_if(std::begin(types), std::end(types), [&](const TypeRow &known) {
        return type.drop_front(type.empty() ? 0 : 1) == known.name;
      });
  if (found == std::end(types))
    return fail(
        fmt::format("has elements of type {}, expected one of f2 f4 f8 b1 i1 i2 i4 i8 u1 u2 "
                    "u4 u8",
                    type.empty() ? "structure" : "'" + type.str() + "'"));
  array.type = static_cast<NpyType>(found - types);
  return array;
}

llvm::Error checkNpySize(const NpyHeader &header, uint64_t present, const std::string &place,
                         const std::string &name) {
  const TypeRow &type = row(header.type);
  std::optional<uint64_t> count = header.count();
  if (count && *count * type.bytes == present)
    return llvm::Error::success();
  return inputError(place,
                    fmt::format("array '{}' holds {} bytes, which is not the shape ({}) of type "
                                "{}: the data is cut off or damaged",
                                name, present, fmt::join(header.shape, ", "), type.name));
}

NpyArray decodeNpy(const NpyHeader &header, std::string elements) {
  NpyArray array{header.type, header.shape, std::move(elements)};
  if (header.isColumnMajor)
    array.bytes = toRowMajor(array);
  return array;
}

llvm::Expected<NpyArray> parseNpy(const std::string &bytes, const std::string &place,
                                  const std::string &name) {
  SPINDLE_ASSIGN(NpyHeader header, parseNpyHeader(bytes, place, name));
  SPINDLE_RETURN_IF_ERROR(checkNpySize(header, bytes.size() - header.start, place, name));
  return decodeNpy(header, bytes.substr(header.start));
}

std::string formatNpy(const NpyArray &array) {
  const TypeRow &type = row(array.type);
  std::string header = fmt::format(
      "{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}{}), }}", type.bytes == 1 ? '|' : '<',
      type.name, fmt::join(array.shape, ", "), array.shape.size() == 1 ? "," : "");
  size_t unpadded = magic.size() + 4 + header.size() + 1;
  header.append((64 - unpadded % 64) % 64, ' ').push_back('\n');
  std::string bytes = magic.str();
  bytes +=
      {'\1', '\0', static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)};
  return bytes + header + array.bytes;
}

} // namespace spindle
