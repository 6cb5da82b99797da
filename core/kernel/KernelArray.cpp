#include "core/kernel/KernelArray.h"

#include "core/support/SmallFloat.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>

namespace spindle::hls {

unsigned ElementType::bytes() const { return std::bit_ceil((bits + 7) / 8); }

std::string ElementType::text() const {
  if (kind == Kind::Index)
    return "index";
  return fmt::format("{}{}", kind == Kind::BFloat ? "bf" : isFloat() ? "f" : "i", bits);
}

std::optional<ElementType> parseElementType(const std::string &text) {
  if (text == "index")
    return ElementType{ElementType::Kind::Index, 64};
  for (unsigned bits : {16u, 32u, 64u})
    if (text == fmt::format("f{}", bits))
      return ElementType{ElementType::Kind::Float, bits};
  if (text == "bf16")
    return ElementType{ElementType::Kind::BFloat, 16};
  unsigned bits = 0;
  const char *end = text.data() + text.size();
  bool isInteger = text.size() > 1 && text[0] == 'i' && text[1] != '0';
  if (!isInteger || std::from_chars(text.data() + 1, end, bits).ptr != end || bits > 64)
    return std::nullopt;
  return ElementType{ElementType::Kind::Integer, bits};
}

uint64_t KernelArray::at(size_t element) const {
  uint64_t value = 0;
  std::memcpy(&value, bytes.data() + element * type.bytes(), type.bytes());
  return value & type.mask();
}

void KernelArray::set(size_t element, uint64_t value) {
  value &= type.mask();
  std::memcpy(bytes.data() + element * type.bytes(), &value, type.bytes());
}

KernelArray makeArray(ElementType type, std::vector<int64_t> shape) {
  size_t count = 1;
  for (int64_t size : shape)
    count *= static_cast<size_t>(size);
  return {type, std::move(shape), std::string(count * type.bytes(), '\0')};
}

/// Of floats of 16 bits.
static SmallFloat formatOf(ElementType type) {
  return type.kind == ElementType::Kind::BFloat ? kBFloat : kHalf;
}

KernelArray makeFloats(ElementType type, std::vector<int64_t> shape,
                       const std::vector<double> &values) {
  KernelArray array = makeArray(type, std::move(shape));
  for (size_t i = 0; i < array.count(); ++i)
    array.set(i, type.bits == 16   ? toBits(formatOf(type), values[i])
                 : type.bits == 32 ? std::bit_cast<uint32_t>(static_cast<float>(values[i]))
                                   : std::bit_cast<uint64_t>(values[i]));
  return array;
}

KernelArray makeIntegers(ElementType type, std::vector<int64_t> shape,
                         const std::vector<int64_t> &values) {
  KernelArray array = makeArray(type, std::move(shape));
  for (size_t i = 0; i < array.count(); ++i)
    array.set(i, static_cast<uint64_t>(values[i]));
  return array;
}

static double toDouble(ElementType type, uint64_t bits) {
  if (type.bits == 16)
    return toDouble(formatOf(type), static_cast<uint16_t>(bits));
  return type.bits == 32 ? std::bit_cast<float>(static_cast<uint32_t>(bits))
                         : std::bit_cast<double>(bits);
}

static int64_t signExtended(ElementType type, uint64_t bits) {
  unsigned above = 64 - type.bits;
  return static_cast<int64_t>(bits << above) >> above;
}

std::vector<double> toDoubles(const KernelArray &array) {
  std::vector<double> values(array.count());
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = toDouble(array.type, array.at(i));
  return values;
}

std::vector<int64_t> toIntegers(const KernelArray &array) {
  std::vector<int64_t> values(array.count());
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = signExtended(array.type, array.at(i));
  return values;
}

bool isSame(ElementType type, uint64_t a, uint64_t b) {
  if (type.isFloat() && std::isnan(toDouble(type, a)))
    return std::isnan(toDouble(type, b));
  return a == b;
}

std::string numberText(ElementType type, uint64_t bits) {
  if (!type.isFloat())
    return type.bits == 1 ? fmt::format("{}", bits) : fmt::format("{}", signExtended(type, bits));
  double value = toDouble(type, bits);
  if (type.bits > 16 || !std::isfinite(value))
    return type.bits == 64 ? fmt::format("{}", value)
                           : fmt::format("{}", static_cast<float>(value));
  for (int digits = 1;; ++digits) // at most five
    if (std::string text = fmt::format("{:.{}g}", value, digits);
        toBits(formatOf(type), std::stod(text)) == bits)
      return text;
}

/// Elements of a type of their own are stored as they are.
static NpyType npyTypeOf(ElementType type) {
  return type.kind == ElementType::Kind::BFloat || type.bits == 32 ? NpyType::Float32
         : type.bits == 16                                         ? NpyType::Float16
                                                                   : NpyType::Float64;
}

std::string bitsText(ElementType type, uint64_t bits) {
  return fmt::format("0x{:0{}x}", bits, (type.bits + 3) / 4);
}

NpyArray toNpy(const KernelArray &array) {
  NpyArray result{NpyType::Int64, array.shape, array.bytes};
  if (array.type.isFloat()) {
    result.type = npyTypeOf(array.type);
    if (array.type.kind == ElementType::Kind::BFloat)
      result.bytes =
          makeFloats({ElementType::Kind::Float, 32}, {int64_t(array.count())}, toDoubles(array))
              .bytes;
    return result;
  }
  constexpr NpyType signedTypes[] = {NpyType::Int8, NpyType::Int16, NpyType::Int32, NpyType::Int64};
  result.type =
      array.type.bits == 1 ? NpyType::Bool : signedTypes[std::countr_zero(array.type.bytes())];
  if (array.type.bits == 1)
    return result;
  std::vector<int64_t> values = toIntegers(array);
  for (size_t i = 0; i < values.size(); ++i)
    std::memcpy(result.bytes.data() + i * array.type.bytes(), &values[i], array.type.bytes());
  return result;
}

llvm::Expected<KernelArray> fromNpy(const NpyArray &array, ElementType type,
                                    const std::vector<int64_t> &shape, const std::string &place,
                                    const std::string &name) {
  std::string where = fmt::format("{}: {}", place, name);
  bool isScalar = shape.empty() && array.count() == 1;
  if (array.shape != shape && !isScalar)
    return inputError(where, fmt::format("has the shape [{}], expected [{}]",
                                         fmt::join(array.shape, ", "), fmt::join(shape, ", ")));
  KernelArray result = makeArray(type, shape);
  if (type.isFloat()) {
    bool isCut = type.kind == ElementType::Kind::BFloat;
    if (array.type != npyTypeOf(type))
      return inputError(where, fmt::format("does not hold numbers of {} bits, which {} needs",
                                           isCut ? 32 : type.bits, type.text()));
    if (!isCut) {
      result.bytes = array.bytes;
      return result;
    }
    std::vector<double> values = array.doubles();
    result = makeFloats(type, shape, values);
    for (size_t i = 0; i < values.size(); ++i)
      if (!std::isnan(values[i]) && toDouble(type, result.at(i)) != values[i])
        return inputError(where, fmt::format("element {} is {}, which bf16 does not hold: round it "
                                             "to a significand of 8 bits first",
                                             i, values[i]));
    return result;
  }
  if (!array.isInteger())
    return inputError(where, fmt::format("holds floats, expected integers for {}", type.text()));
  std::vector<int64_t> values = array.integers();
  for (size_t i = 0; i < values.size(); ++i) {
    result.set(i, static_cast<uint64_t>(values[i]));
    uint64_t bits = result.at(i);
    bool fits = values[i] == signExtended(type, bits) || values[i] == static_cast<int64_t>(bits);
    if (!fits)
      return inputError(where, fmt::format("element {} is {}, which does not fit into {}", i,
                                           values[i], type.text()));
  }
  return result;
}

} // namespace spindle::hls
