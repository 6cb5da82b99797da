// A line per sample: numbers separated by commas, semicolons or tabs, the class index in the last
// or first column.
#include "core/support/Decimal.h"
#include "core/support/files/ByteStream.h"
#include "core/support/files/File.h"
#include "lib/dataset/Formats.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace spindle {

namespace {

struct Line {
  std::string place; // file:line
  llvm::SmallVector<llvm::StringRef, 0> cells;
};

constexpr llvm::StringLiteral kSeparators(",;\t");

/// The first line may name the columns: then none of its cells is a number. A line with a number
/// and something else is a sample with a mistake in it.
bool isHeader(llvm::StringRef line) {
  while (!line.empty()) {
    llvm::StringRef cell = line.take_until([](char c) { return kSeparators.contains(c); });
    double ignored;
    if (readDecimal(cell.trim(), ignored))
      return false;
    line = line.drop_front(std::min(cell.size() + 1, line.size()));
  }
  return true;
}

/// What stands between numbers. A comma beside semicolons or tabs is a decimal comma.
char separatorOf(llvm::StringRef line) {
  return line.contains(';') ? ';' : line.contains('\t') ? '\t' : ',';
}

llvm::Error notANumber(const Line &line, llvm::StringRef cell) {
  std::string found = cell.trim().take_front(40).str();
  if (cell.contains(','))
    return inputError(line.place,
                      fmt::format("'{}' has a decimal comma, expected a decimal point", found));
  return inputError(line.place, fmt::format("'{}' is no number", found));
}

llvm::Error addLabel(const Line &line, llvm::StringRef cell, Samples &samples) {
  uint32_t label;
  if (cell.trim().getAsInteger(10, label))
    return inputError(line.place, fmt::format("class index is '{}', expected an integer from 0",
                                              cell.trim().str()));
  samples.labels.push_back(label);
  return llvm::Error::success();
}

llvm::Error addValues(const Line &line, llvm::ArrayRef<llvm::StringRef> cells, Samples &samples) {
  for (llvm::StringRef cell : cells) {
    double value;
    if (!readDecimal(cell.trim(), value))
      return notANumber(line, cell);
    samples.values.push_back(static_cast<float>(value));
  }
  return llvm::Error::success();
}

llvm::Error addLine(const DatasetOptions &options, const Line &line, Samples &samples) {
  llvm::ArrayRef<llvm::StringRef> cells = line.cells;
  if (cells.size() < 2)
    return inputError(line.place, "has one column, expected values and a class index, separated "
                                  "by commas, semicolons or tabs");
  if (samples.shape.empty())
    samples.shape = options.shape.empty()
                        ? std::vector<int64_t>{static_cast<int64_t>(cells.size()) - 1}
                        : options.shape;
  if (cells.size() - 1 != samples.size())
    return inputError(
        line.place, fmt::format("has {} values beside the class index, expected {} for the shape "
                                "({})",
                                cells.size() - 1, samples.size(), fmt::join(samples.shape, ", ")));
  bool labelFirst = options.labelColumn == LabelColumn::First;
  SPINDLE_RETURN_IF_ERROR(addLabel(line, labelFirst ? cells.front() : cells.back(), samples));
  return addValues(line, labelFirst ? cells.drop_front() : cells.drop_back(), samples);
}

/// At most `count` samples of a text.
llvm::Expected<Samples> parseCsv(const DatasetOptions &options, const std::string &file,
                                 llvm::StringRef rest, size_t count) {
  Samples samples;
  rest.consume_front("\xEF\xBB\xBF"); // the byte order mark of spreadsheets
  char separator = 0;
  for (size_t number = 1; !rest.empty() && samples.count() < count; ++number) {
    llvm::StringRef text;
    std::tie(text, rest) = rest.split('\n');
    if (text.trim().empty() || (number == 1 && isHeader(text)))
      continue;
    if (!separator)
      separator = separatorOf(text);
    Line line{fmt::format("{}:{}", file, number), {}};
    text.split(line.cells, separator);
    SPINDLE_RETURN_IF_ERROR(addLine(options, line, samples));
  }
  if (samples.count() == 0)
    return inputError(file, "holds no samples, expected a line of numbers for each (a first line "
                            "without any number names the columns)");
  return samples;
}

} // namespace

/// Looks at the first sample.
llvm::Expected<Inspected> inspectCsv(const DatasetOptions &options, const SampleSource &source,
                                     const PathResolver &paths) {
  SPINDLE_ASSIGN(std::string file, paths.find(source.images, source.place));
  SPINDLE_ASSIGN(ByteStream stream, ByteStream::open(file));
  std::string bytes(1 << 20, '\0');
  SPINDLE_ASSIGN(size_t found, stream.read(bytes.data(), bytes.size()));
  llvm::StringRef text(bytes.data(), found);
  if (found == bytes.size()) // the last line may be cut
    text = text.take_front(text.rfind('\n') + 1);
  if (text.empty() && found > 0)
    return Inspected{{file}, std::nullopt, {}};
  SPINDLE_ASSIGN(Samples first, parseCsv(options, file, text, 1));
  return Inspected{{file}, std::nullopt, first.shape};
}

llvm::Expected<Samples> readCsv(const DatasetOptions &options, const SampleSource &source,
                                const PathResolver &paths) {
  SPINDLE_ASSIGN(std::string file, paths.find(source.images, source.place));
  SPINDLE_ASSIGN(std::string bytes, readMaybeGzip(file));
  return parseCsv(options, file, bytes, wanted(source, SIZE_MAX));
}

} // namespace spindle
