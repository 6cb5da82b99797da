// Recordings of an event sensor: a list of files and classes, beside the files or in one archive.
#include "core/support/files/Archive.h"
#include "core/support/files/ByteStream.h"
#include "core/support/files/File.h"
#include "lib/dataset/EventRecords.h"
#include "lib/dataset/Formats.h"

#include "fmt/format.h"

#include <filesystem>
#include <map>
#include <set>

namespace spindle {

namespace {

namespace fs = std::filesystem;

/// What a list names, and where the files are.
struct Recordings {
  std::string listPlace;
  std::string folder;                        // of the list; recordings are named from here
  std::string archive;                       // empty: plain files
  std::map<std::string, std::string> packed; // path in the archive → bytes
};

struct Entry {
  std::string path; // of the recording
  uint32_t label;
};

std::string join(const std::string &folder, llvm::StringRef name) {
  return folder.empty() ? name.str() : folder + "/" + name.str();
}

/// Lines `NAME CLASS`; `#` begins a comment. A name without extension is that of a .bs2 file.
llvm::Expected<std::vector<Entry>> parseList(const Recordings &where, llvm::StringRef text,
                                             const SampleSource &source) {
  std::vector<Entry> entries;
  size_t count = wanted(source, SIZE_MAX);
  for (size_t number = 1; !text.empty() && entries.size() < count; ++number) {
    llvm::StringRef line;
    std::tie(line, text) = text.split('\n');
    line = line.split('#').first.trim();
    if (line.empty())
      continue;
    llvm::StringRef name =
        line.take_until([](char c) { return c == ',' || c == ' ' || c == '\t'; });
    uint32_t label;
    if (name.empty() || line.drop_front(name.size()).trim(", \t").getAsInteger(10, label))
      return inputError(
          fmt::format("{}:{}", where.listPlace, number),
          fmt::format("'{}' is no recording and class index", line.take_front(40).str()));
    bool hasExtension = fs::path(name.str()).has_extension();
    entries.push_back({join(where.folder, name) + (hasExtension ? "" : ".bs2"), label});
  }
  if (entries.empty())
    return inputError(where.listPlace, "lists no recordings");
  return entries;
}

/// Finds the one list in an archive.
llvm::Expected<std::string> openPacked(const std::string &list, Recordings &where) {
  SPINDLE_ASSIGN(std::vector<ArchiveMember> lists,
                 readArchive(where.archive, [&](llvm::StringRef member) {
                   return member == list || member.ends_with("/" + list);
                 }));
  if (lists.size() != 1)
    return inputError(where.archive, fmt::format("holds {} files '{}', expected one; name it by "
                                                 "list",
                                                 lists.size(), list));
  where.listPlace = where.archive + ":" + lists[0].name;
  where.folder = fs::path(lists[0].name).parent_path().string();
  return std::move(lists[0].bytes);
}

/// What the list names, as far as it is wanted.
llvm::Expected<std::vector<Entry>> openList(const SampleSource &source, const PathResolver &paths,
                                            Recordings &where) {
  std::string list;
  if (source.archive.empty()) {
    SPINDLE_ASSIGN(where.listPlace, paths.find(source.list, source.place));
    where.folder = fs::path(where.listPlace).parent_path().string();
    SPINDLE_ASSIGN(list, readFile(where.listPlace));
  } else {
    SPINDLE_ASSIGN(where.archive, paths.find(source.archive, source.place));
    SPINDLE_ASSIGN(list, openPacked(source.list, where));
  }
  return parseList(where, list, source);
}

llvm::Error notInArchive(const Recordings &where, const std::string &path) {
  return inputError(where.listPlace, fmt::format("names '{}', which is not in the archive", path));
}

llvm::Error unpack(const std::vector<Entry> &entries, Recordings &where) {
  std::set<std::string> wanted;
  for (const Entry &entry : entries)
    wanted.insert(entry.path);
  SPINDLE_ASSIGN(std::vector<ArchiveMember> members,
                 readArchive(where.archive, [&](llvm::StringRef member) {
                   return wanted.count(member.str()) != 0;
                 }));
  for (ArchiveMember &member : members)
    where.packed[member.name] = std::move(member.bytes);
  for (const Entry &entry : entries)
    if (!where.packed.count(entry.path))
      return notInArchive(where, entry.path);
  return llvm::Error::success();
}

enum class RecordingFormat { FiveBytes, Lines };

llvm::Expected<RecordingFormat> formatOf(const Recordings &where, const std::string &path) {
  std::string extension = fs::path(path).extension().string();
  if (extension == ".bs2" || extension == ".bin")
    return RecordingFormat::FiveBytes;
  if (extension == ".csv" || extension == ".txt")
    return RecordingFormat::Lines;
  return inputError(where.listPlace,
                    fmt::format("names '{}', expected recordings that end in .bs2 or .bin (five "
                                "bytes per event), .csv or .txt (a line per event)",
                                path));
}

llvm::Expected<std::vector<RecordedEvent>>
readRecording(const DatasetOptions &options, const Recordings &where, const std::string &path) {
  SPINDLE_ASSIGN(RecordingFormat format, formatOf(where, path));
  std::string bytes, place = path;
  if (where.archive.empty()) {
    SPINDLE_ASSIGN(bytes, readMaybeGzip(path));
  } else {
    bytes = where.packed.at(path);
    place = where.archive + ":" + path;
  }
  return format == RecordingFormat::FiveBytes ? parseFiveByteEvents(place, bytes, options.shape)
                                              : parseEventList(place, bytes, options.shape);
}

/// The error of a recording that cannot be read.
llvm::Error checkReadable(const std::string &path) {
  SPINDLE_ASSIGN(ByteStream stream, ByteStream::open(path));
  return llvm::Error::success();
}

} // namespace

llvm::Expected<Inspected> inspectEvents(const DatasetOptions &options, const SampleSource &source,
                                        const PathResolver &paths) {
  Recordings where;
  SPINDLE_ASSIGN(std::vector<Entry> entries, openList(source, paths, where));
  Inspected found{
      {where.archive.empty() ? where.listPlace : where.archive}, entries.size(), options.shape};
  std::set<std::string> packed;
  if (!where.archive.empty()) {
    SPINDLE_ASSIGN(std::vector<ArchiveEntry> stored, listArchive(where.archive));
    for (const ArchiveEntry &entry : stored)
      packed.insert(entry.name);
  }
  for (const Entry &entry : entries) {
    SPINDLE_RETURN_IF_ERROR(formatOf(where, entry.path).takeError());
    if (where.archive.empty()) {
      SPINDLE_RETURN_IF_ERROR(checkReadable(entry.path));
      found.files.push_back(entry.path);
    } else if (!packed.count(entry.path)) {
      return notInArchive(where, entry.path);
    }
  }
  return found;
}

llvm::Expected<Samples> readEvents(const DatasetOptions &options, const SampleSource &source,
                                   const PathResolver &paths) {
  Recordings where;
  SPINDLE_ASSIGN(std::vector<Entry> entries, openList(source, paths, where));
  if (!where.archive.empty())
    SPINDLE_RETURN_IF_ERROR(unpack(entries, where));

  Samples samples;
  samples.shape = options.shape;
  samples.events = EventSamples{options.steps, {0}, {}};
  for (const Entry &entry : entries) {
    SPINDLE_ASSIGN(std::vector<RecordedEvent> recorded, readRecording(options, where, entry.path));
    appendBinned(options, recorded, *samples.events);
    samples.labels.push_back(entry.label);
  }
  return samples;
}

} // namespace spindle
