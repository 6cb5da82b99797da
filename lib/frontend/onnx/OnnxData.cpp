#include "lib/frontend/onnx/OnnxData.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA1.h"

#include <filesystem>
#include <fstream>
#include <set>

namespace spindle {

namespace {

namespace fs = std::filesystem;

/// Where a tensor lies.
struct Stretch {
  onnx::TensorProto *tensor;
  std::string file, checksum;    // hexadecimal; empty where none is given
  uint64_t offset, length, size; // size: of the file
};

std::string placeOf(const OnnxModel &model, const onnx::TensorProto &tensor) {
  return fmt::format("{}: tensor '{}'", model.path, tensor.name());
}

/// Tensors stored elsewhere, of the graph and of the attributes of its nodes.
std::vector<onnx::TensorProto *> externalTensors(OnnxModel &model) {
  std::vector<onnx::TensorProto *> found;
  auto add = [&](onnx::TensorProto &tensor) {
    if (tensor.data_location() == onnx::TensorProto::EXTERNAL)
      found.push_back(&tensor);
  };
  onnx::GraphProto &graph = *model.proto.mutable_graph();
  for (onnx::TensorProto &tensor : *graph.mutable_initializer())
    add(tensor);
  for (onnx::NodeProto &node : *graph.mutable_node())
    for (onnx::AttributeProto &attribute : *node.mutable_attribute())
      if (attribute.has_t())
        add(*attribute.mutable_t());
  return found;
}

llvm::Expected<std::map<std::string, std::string>> entriesOf(const OnnxModel &model,
                                                             const onnx::TensorProto &tensor) {
  std::map<std::string, std::string> entries;
  for (const onnx::StringStringEntryProto &entry : tensor.external_data()) {
    constexpr llvm::StringLiteral known[] = {"location", "offset", "length", "checksum"};
    if (!llvm::is_contained(known, entry.key()))
      return inputError(placeOf(model, tensor),
                        fmt::format("unknown key '{}' of data in another file, expected {}",
                                    entry.key(), fmt::join(known, ", ")));
    if (!entries.emplace(entry.key(), entry.value()).second)
      return inputError(
          placeOf(model, tensor),
          fmt::format("key '{}' of data in another file is there twice", entry.key()));
  }
  return entries;
}

/// The path of a file in the folder of the model, or below it.
llvm::Expected<std::string> locate(const OnnxModel &model, const onnx::TensorProto &tensor,
                                   const std::string &location) {
  std::string place = placeOf(model, tensor);
  auto outside = [&](const char *how) {
    return inputError(place, fmt::format("location '{}' {}, expected a file in the folder of the "
                                         "model",
                                         location, how));
  };
  fs::path name = location;
  if (location.empty() || location.find('\0') != std::string::npos)
    return inputError(place, "location is empty or no name of a file");
  if (name.is_absolute())
    return outside("is absolute");
  if (llvm::is_contained(name, ".."))
    return outside("leads out of the folder of the model");
  std::error_code status;
  fs::path folder = fs::path(model.path).parent_path(), file = folder / name;
  fs::path real = fs::canonical(file, status);
  if (status)
    return inputError(place, fmt::format("is stored in '{}', which cannot be found: {}; keep the "
                                         "file beside the model",
                                         file.string(), status.message()));
  fs::path home = fs::canonical(folder.empty() ? "." : folder, status);
  fs::path within = real.lexically_relative(home);
  if (status || within.empty() || *within.begin() == "..")
    return outside("is a link out of the folder of the model");
  if (!fs::is_regular_file(real, status))
    return outside("is no regular file");
  return file.string();
}

/// Bytes of an element; none for types that are refused anyway.
std::optional<uint64_t> widthOf(int32_t type) {
  switch (type) {
  case onnx::TensorProto::BOOL:
  case onnx::TensorProto::INT8:
  case onnx::TensorProto::UINT8:
    return 1;
  case onnx::TensorProto::FLOAT16:
    return 2;
  case onnx::TensorProto::FLOAT:
  case onnx::TensorProto::INT32:
    return 4;
  case onnx::TensorProto::DOUBLE:
  case onnx::TensorProto::INT64:
    return 8;
  default:
    return std::nullopt;
  }
}

/// Bytes that the shape asks for; none where it is no shape, which the tensor's reader says.
std::optional<uint64_t> bytesOf(const onnx::TensorProto &tensor) {
  std::optional<uint64_t> bytes = widthOf(tensor.data_type());
  for (int64_t extent : tensor.dims())
    if (bytes && (extent < 0 || __builtin_mul_overflow(*bytes, uint64_t(extent), &*bytes)))
      bytes.reset();
  return bytes;
}

llvm::Expected<Stretch> stretchOf(const OnnxModel &model, onnx::TensorProto &tensor) {
  std::string place = placeOf(model, tensor);
  SPINDLE_ASSIGN(auto entries, entriesOf(model, tensor));
  SPINDLE_ASSIGN(std::string file, locate(model, tensor, entries["location"]));
  std::error_code status;
  uint64_t size = fs::file_size(file, status);
  if (status)
    return inputError(place, fmt::format("cannot read '{}': {}", file, status.message()));
  Stretch stretch{&tensor, file, entries["checksum"], 0, 0, size};
  for (auto [key, number] :
       {std::pair("offset", &stretch.offset), std::pair("length", &stretch.length)})
    if (entries.count(key) && !llvm::to_integer(entries[key], *number, 10))
      return inputError(place,
                        fmt::format("{} is '{}', expected a number of bytes", key, entries[key]));
  if (!entries.count("length"))
    stretch.length = size - std::min(size, stretch.offset);
  if (stretch.offset > size || stretch.length > size - stretch.offset)
    return inputError(place, fmt::format("takes {} bytes from {} on, but '{}' holds {}; it is cut "
                                         "short, or of another model",
                                         stretch.length, stretch.offset, file, size));
  if (std::optional<uint64_t> bytes = bytesOf(tensor); bytes && *bytes != stretch.length)
    return inputError(place,
                      fmt::format("takes {} bytes of '{}', expected {} for its shape {}",
                                  stretch.length, file, *bytes, fmt::join(tensor.dims(), "x")));
  return stretch;
}

llvm::Expected<std::vector<Stretch>> allStretches(OnnxModel &model) {
  std::vector<Stretch> stretches;
  std::map<std::string, uint64_t> taken;
  for (onnx::TensorProto *tensor : externalTensors(model)) {
    SPINDLE_ASSIGN(Stretch stretch, stretchOf(model, *tensor));
    uint64_t &sum = taken[stretch.file];
    sum += stretch.length; // neither is above the size of the file
    if (sum > stretch.size)
      return inputError(placeOf(model, *tensor),
                        fmt::format("the tensors in '{}' take {} bytes and more, but it holds {}: "
                                    "they overlap",
                                    stretch.file, sum, stretch.size));
    stretches.push_back(std::move(stretch));
  }
  return stretches;
}

llvm::Expected<std::string> sha1Of(const std::string &path) {
  std::ifstream stream(path, std::ios::binary);
  llvm::SHA1 sum;
  std::string block(1 << 20, '\0');
  while (stream.read(block.data(), static_cast<std::streamsize>(block.size())) ||
         stream.gcount() > 0)
    sum.update(llvm::StringRef(block.data(), static_cast<size_t>(stream.gcount())));
  if (!stream.eof())
    return inputError(path, "cannot read");
  return llvm::toHex(sum.final(), /*LowerCase=*/true);
}

} // namespace

llvm::Expected<std::vector<std::string>> onnxDataFiles(OnnxModel &model) {
  SPINDLE_ASSIGN(std::vector<Stretch> stretches, allStretches(model));
  std::set<std::string> files;
  for (const Stretch &stretch : stretches)
    files.insert(stretch.file);
  return std::vector<std::string>(files.begin(), files.end());
}

llvm::Error loadOnnxData(OnnxModel &model) {
  SPINDLE_ASSIGN(std::vector<Stretch> stretches, allStretches(model));
  std::map<std::string, std::string> sums;
  for (const Stretch &stretch : stretches) {
    std::string &sum = sums[stretch.file];
    if (sum.empty() && !stretch.checksum.empty()) {
      SPINDLE_ASSIGN(sum, sha1Of(stretch.file));
    }
    if (!stretch.checksum.empty() && llvm::StringRef(stretch.checksum).lower() != sum)
      return inputError(stretch.file, fmt::format("has SHA-1 {}, expected {} as the model says; "
                                                  "fetch both files again",
                                                  sum, stretch.checksum));
    std::string bytes(stretch.length, '\0');
    std::ifstream stream(stretch.file, std::ios::binary);
    stream.seekg(static_cast<std::streamoff>(stretch.offset));
    if (!stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size())))
      return inputError(stretch.file, "cannot read");
    stretch.tensor->set_raw_data(std::move(bytes));
    stretch.tensor->clear_data_location();
    stretch.tensor->clear_external_data();
  }
  return llvm::Error::success();
}

} // namespace spindle
