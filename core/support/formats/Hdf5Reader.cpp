#include "core/support/formats/Hdf5.h"

#include "core/support/TextPlace.h"
#include "core/support/files/File.h"
#include "core/support/formats/Hdf5Checks.h"

#include "fmt/format.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>
#include <type_traits>
#include <unistd.h>

namespace spindle {

namespace {

const char *className(H5T_class_t kind) {
  switch (kind) {
  case H5T_INTEGER:
    return "integers";
  case H5T_FLOAT:
    return "floating-point numbers";
  case H5T_STRING:
    return "strings";
  default:
    return "another type";
  }
}

/// Where values are read from: a data set or an attribute, and how errors name it.
struct Source {
  std::string path, name; // name: `data set 'x'`, `attribute 'y' of 'x'`
  Hdf5Handle object, type, space;
  bool isAttribute;

  hssize_t count() const { return H5Sget_simple_extent_npoints(space); }
  H5T_class_t kind() const { return H5Tget_class(type); }
  bool fetch(hid_t memoryType, void *values) const {
    if (isAttribute)
      return H5Aread(object, memoryType, values) >= 0;
    Hdf5Handle transfer = hdf5Transfer(type, memoryType, uint64_t(std::max<hssize_t>(0, count())));
    return H5Dread(object, memoryType, H5S_ALL, H5S_ALL, transfer, values) >= 0;
  }
  llvm::Error damaged() const {
    return inputError(path, fmt::format("cannot read {}; the file is damaged", name));
  }
  llvm::Error wrongType(const char *expected) const {
    return inputError(path,
                      fmt::format("{} holds {}, expected {}", name, className(kind()), expected));
  }
};

/// Names and texts go into reports, errors and JSON.
llvm::Error checkUtf8(const std::string &path, const std::string &what, llvm::StringRef text) {
  if (findNotUtf8(text) == llvm::StringRef::npos)
    return llvm::Error::success();
  return inputError(path,
                    what + " is not UTF-8; write the file again with names and texts in UTF-8");
}

/// An error unless the name leads to something within the file.
llvm::Error checkWay(hid_t file, const std::string &path, const std::string &name,
                     const std::string &label) {
  Hdf5Way way = hdf5Find(file, name);
  if (way.end == Hdf5Way::End::Inside)
    return llvm::Error::success();
  return inputError(path, way.end == Hdf5Way::End::Outside ? way.fault : label + " is absent");
}

llvm::Expected<Source> openSet(hid_t file, const std::string &path, const std::string &name) {
  std::string label = fmt::format("data set '{}'", name);
  SPINDLE_RETURN_IF_ERROR(checkWay(file, path, name, label));
  Hdf5Handle set(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
  if (set < 0)
    return inputError(path, fmt::format("'{}' is not a data set", name));
  if (std::optional<std::string> fault = hdf5StorageFault(file, set))
    return inputError(path, label + " " + *fault);
  Hdf5Handle type(H5Dget_type(set), H5Tclose), space(H5Dget_space(set), H5Sclose);
  return Source{path, label, std::move(set), std::move(type), std::move(space), false};
}

/// An error unless the library can read the values without leaving what the file holds, and
/// without becoming more than it may.
llvm::Error checkValues(hid_t file, const Source &source, Hdf5Taken &taken) {
  auto refused = [&](const std::string &fault) {
    return inputError(source.path, source.name + " " + fault);
  };
  if (std::optional<std::string> fault = hdf5Take(file, source.object, taken))
    return refused(*fault);
  if (H5Tis_variable_str(source.type) <= 0)
    return hdf5ChunksFit(source.object) ? llvm::Error::success() : source.damaged();
  auto count = static_cast<uint64_t>(std::max<hssize_t>(0, source.count()));
  std::optional<uint64_t> bytes = hdf5TextBytes(file, source.object, count);
  if (!bytes)
    return source.damaged();
  std::optional<std::string> fault = hdf5TakeTexts(file, *bytes, taken);
  return fault ? refused(*fault) : llvm::Error::success();
}

llvm::Expected<Source> openAttribute(hid_t file, const std::string &path, const std::string &object,
                                     const std::string &name) {
  std::string label = fmt::format("attribute '{}' of '{}'", name, object);
  SPINDLE_RETURN_IF_ERROR(checkWay(file, path, object, label));
  if (H5Aexists_by_name(file, object.c_str(), name.c_str(), H5P_DEFAULT) <= 0)
    return inputError(path, fmt::format("{} is absent", label));
  Hdf5Handle attribute(
      H5Aopen_by_name(file, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  Hdf5Handle type(H5Aget_type(attribute), H5Tclose), space(H5Aget_space(attribute), H5Sclose);
  return Source{path, label, std::move(attribute), std::move(type), std::move(space), true};
}

template <typename Stored> llvm::Error fetchAll(const Source &source, std::vector<Stored> &values) {
  values.resize(static_cast<size_t>(std::max<hssize_t>(0, source.count())));
  if (source.count() < 0 || (!values.empty() && !source.fetch(hdf5Type(Stored()), values.data())))
    return source.damaged();
  return llvm::Error::success();
}

/// HDF5 clips numbers that do not fit; here they are an error.
template <typename Stored, typename T>
llvm::Error fetchChecked(const Source &source, std::vector<T> &values) {
  std::vector<Stored> wide;
  SPINDLE_RETURN_IF_ERROR(fetchAll(source, wide));
  values.resize(wide.size());
  for (size_t i = 0; i < wide.size(); ++i) {
    if (!std::in_range<T>(wide[i]))
      return inputError(source.path,
                        fmt::format("{} holds {}, expected {} to {}", source.name, wide[i],
                                    std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
    values[i] = static_cast<T>(wide[i]);
  }
  return llvm::Error::success();
}

template <typename T> llvm::Error readValues(const Source &source, std::vector<T> &values) {
  if constexpr (std::is_floating_point_v<T>) {
    if (source.kind() != H5T_FLOAT && source.kind() != H5T_INTEGER)
      return source.wrongType("numbers");
    return fetchAll(source, values);
  } else {
    if (source.kind() != H5T_INTEGER)
      return source.wrongType("integers");
    bool isSigned = H5Tget_sign(source.type) == H5T_SGN_2;
    if (isSigned == std::is_signed_v<T> && H5Tget_size(source.type) <= sizeof(T))
      return fetchAll(source, values);
    return isSigned ? fetchChecked<int64_t>(source, values)
                    : fetchChecked<uint64_t>(source, values);
  }
}

llvm::Error checkTexts(const Source &source, const std::vector<std::string> &values) {
  for (const std::string &text : values)
    SPINDLE_RETURN_IF_ERROR(checkUtf8(source.path, "text in " + source.name, text));
  return llvm::Error::success();
}

llvm::Error readValues(const Source &source, std::vector<std::string> &values) {
  if (source.kind() != H5T_STRING)
    return source.wrongType("strings");
  values.clear();
  size_t count = static_cast<size_t>(std::max<hssize_t>(0, source.count()));
  if (count == 0)
    return llvm::Error::success();
  if (H5Tis_variable_str(source.type)) {
    std::vector<char *> pointers(count);
    if (!source.fetch(source.type, pointers.data()))
      return source.damaged();
    for (const char *pointer : pointers)
      values.push_back(pointer ? pointer : "");
    H5Dvlen_reclaim(source.type, source.space, H5P_DEFAULT, pointers.data());
    return checkTexts(source, values);
  }
  size_t length = H5Tget_size(source.type);
  std::string bytes(count * length, '\0');
  if (!source.fetch(source.type, bytes.data()))
    return source.damaged();
  for (size_t i = 0; i < count; ++i) {
    const char *text = bytes.data() + i * length;
    values.emplace_back(text, strnlen(text, length));
  }
  return checkTexts(source, values);
}

template <typename T>
llvm::Error readOne(hid_t file, const std::string &path, const std::string &object,
                    const std::string &name, T &value) {
  SPINDLE_ASSIGN(Source source, openAttribute(file, path, object, name));
  if (source.count() != 1) // before texts are read that may be one object of the heap
    return inputError(path,
                      fmt::format("{} holds {} values, expected one", source.name, source.count()));
  bool isText = source.kind() == H5T_STRING && H5Tis_variable_str(source.type);
  if (isText && !hdf5AttributeTextsHaveRoom(file))
    return source.damaged();
  std::vector<T> values;
  SPINDLE_RETURN_IF_ERROR(readValues(source, values));
  value = values.front();
  return llvm::Error::success();
}

template <typename T>
llvm::Error readSet(hid_t file, const std::string &path, const std::string &name, Hdf5Taken &taken,
                    std::vector<T> &values) {
  SPINDLE_ASSIGN(Source source, openSet(file, path, name));
  SPINDLE_RETURN_IF_ERROR(checkValues(file, source, taken));
  return readValues(source, values);
}

} // namespace

llvm::Expected<Hdf5Reader> Hdf5Reader::open(const std::string &path) {
  silenceHdf5();
  confineHdf5();
  if (access(path.c_str(), R_OK) != 0)
    return inputError(path, fmt::format("cannot open: {}", std::strerror(errno)));
  std::error_code status;
  if (std::filesystem::is_directory(path, status))
    return inputError(path, "is a folder, expected a file");
  return openAt(path, path);
}

/// The bytes become a file until the reader goes, so that they are tried as files are.
llvm::Expected<Hdf5Reader> Hdf5Reader::openBytes(const std::string &path,
                                                 const std::string &bytes) {
  silenceHdf5();
  confineHdf5();
  std::error_code status;
  std::string folder = std::filesystem::temp_directory_path(status);
  if (status)
    return inputError(path, "cannot unpack: no folder for temporary files; set TMPDIR to one");
  auto unpacked = std::make_shared<Unfinished>(temporaryName(folder + "/unpacked.h5"));
  SPINDLE_RETURN_IF_ERROR(writeFile(unpacked->path(), bytes));
  SPINDLE_ASSIGN(Hdf5Reader reader, openAt(path, unpacked->path()));
  reader.unpacked = std::move(unpacked);
  return reader;
}

llvm::Expected<Hdf5Reader> Hdf5Reader::openAt(const std::string &path, const std::string &place) {
  if (H5Fis_hdf5(place.c_str()) <= 0)
    return inputError(path, "not an HDF5 file");
  SPINDLE_RETURN_IF_ERROR(hdf5Probe(path, place));
  hid_t file = H5Fopen(place.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0)
    return inputError(path, "the HDF5 file is damaged or was cut off, write it again");
  return Hdf5Reader(path, file);
}

Hdf5Reader::Hdf5Reader(Hdf5Reader &&other) noexcept
    : path(std::move(other.path)), unpacked(std::move(other.unpacked)),
      file(std::exchange(other.file, H5I_INVALID_HID)), taken(other.taken) {}

Hdf5Reader::~Hdf5Reader() {
  if (file >= 0)
    H5Fclose(file);
}

llvm::Expected<Hdf5Kind> Hdf5Reader::kind(const std::string &name) const {
  SPINDLE_RETURN_IF_ERROR(checkWay(file, path, name, fmt::format("'{}'", name)));
  Hdf5Handle object(H5Oopen(file, name.c_str(), H5P_DEFAULT), H5Oclose);
  if (object < 0)
    return inputError(path, fmt::format("'{}' is absent", name));
  if (H5Iget_type(object) == H5I_GROUP)
    return Hdf5Kind::Group;
  if (H5Iget_type(object) != H5I_DATASET)
    return Hdf5Kind::Other;
  Hdf5Handle type(H5Dget_type(object), H5Tclose);
  switch (H5Tget_class(type)) {
  case H5T_INTEGER:
    return Hdf5Kind::Integers;
  case H5T_FLOAT:
    return H5Tget_size(type) <= sizeof(float) ? Hdf5Kind::Float32 : Hdf5Kind::Float64;
  case H5T_STRING:
    return Hdf5Kind::Texts;
  default:
    return Hdf5Kind::Other;
  }
}

bool Hdf5Reader::has(const std::string &name) const {
  return hdf5Find(file, name).end != Hdf5Way::End::Absent;
}

llvm::Expected<std::vector<uint64_t>> Hdf5Reader::shape(const std::string &name) const {
  SPINDLE_ASSIGN(Source source, openSet(file, path, name));
  int rank = H5Sget_simple_extent_ndims(source.space);
  if (rank < 0)
    return source.damaged();
  std::vector<hsize_t> extents(static_cast<size_t>(rank));
  H5Sget_simple_extent_dims(source.space, extents.data(), nullptr);
  return std::vector<uint64_t>(extents.begin(), extents.end());
}

llvm::Expected<std::vector<std::string>> Hdf5Reader::members(const std::string &group) const {
  SPINDLE_RETURN_IF_ERROR(checkWay(file, path, group, fmt::format("group '{}'", group)));
  Hdf5Handle handle(H5Gopen2(file, group.c_str(), H5P_DEFAULT), H5Gclose);
  H5G_info_t info;
  if (handle < 0 || H5Gget_info(handle, &info) < 0)
    return inputError(path, fmt::format("group '{}' is absent", group));
  // In one go: asked for one by one, each would be counted out from the first.
  std::vector<std::string> names;
  auto take = [](hid_t, const char *name, const H5L_info_t *, void *data) -> herr_t {
    static_cast<std::vector<std::string> *>(data)->emplace_back(name);
    return 0;
  };
  hsize_t at = 0;
  if (H5Literate(handle, H5_INDEX_NAME, H5_ITER_INC, &at, take, &names) < 0 ||
      names.size() != info.nlinks)
    return inputError(path, fmt::format("cannot read group '{}'; the file is damaged", group));
  for (const std::string &name : names)
    SPINDLE_RETURN_IF_ERROR(checkUtf8(path, fmt::format("a name in group '{}'", group), name));
  std::sort(names.begin(), names.end());
  return names;
}

llvm::Error Hdf5Reader::read(const std::string &name, std::vector<double> &values) const {
  return readSet(file, path, name, taken, values);
}
llvm::Error Hdf5Reader::read(const std::string &name, std::vector<float> &values) const {
  return readSet(file, path, name, taken, values);
}
llvm::Error Hdf5Reader::read(const std::string &name, std::vector<uint8_t> &values) const {
  return readSet(file, path, name, taken, values);
}
llvm::Error Hdf5Reader::read(const std::string &name, std::vector<uint32_t> &values) const {
  return readSet(file, path, name, taken, values);
}
llvm::Error Hdf5Reader::read(const std::string &name, std::vector<uint64_t> &values) const {
  return readSet(file, path, name, taken, values);
}
llvm::Error Hdf5Reader::read(const std::string &name, std::vector<std::string> &values) const {
  return readSet(file, path, name, taken, values);
}
llvm::Error Hdf5Reader::attribute(const std::string &object, const std::string &name,
                                  std::string &value) const {
  return readOne(file, path, object, name, value);
}
llvm::Error Hdf5Reader::attribute(const std::string &object, const std::string &name,
                                  int64_t &value) const {
  return readOne(file, path, object, name, value);
}
llvm::Error Hdf5Reader::attribute(const std::string &object, const std::string &name,
                                  double &value) const {
  return readOne(file, path, object, name, value);
}

} // namespace spindle
