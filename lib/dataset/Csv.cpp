// A line per sample: numbers separated by commas, the class index in the last or first column.
#include "lib/dataset/Formats.h"
#include "lib/support/File.h"

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

/// The first line may name the columns: then its first cell is no number.
bool isHeader(const Line &line) {
  double ignored;
  return line.cells[0].trim().getAsDouble(ignored);
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
    if (cell.trim().getAsDouble(value))
      return inputError(line.place,
                        fmt::format("'{}' is no number", cell.trim().take_front(40).str()));
    samples.values.push_back(static_cast<float>(value));
  }
  return llvm::Error::success();
}

llvm::Error addLine(const DatasetOptions &options, const Line &line, Samples &samples) {
  llvm::ArrayRef<llvm::StringRef> cells = line.cells;
  if (cells.size() < 2)
    return inputError(line.place, "has one column, expected values and a class index, separated "
                                  "by commas");
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

} // namespace

llvm::Expected<Samples> readCsv(const DatasetOptions &options, const SampleSource &source,
                                const PathResolver &paths) {
  SPINDLE_ASSIGN(std::string file, paths.find(source.images, source.place));
  SPINDLE_ASSIGN(std::string bytes, readMaybeGzip(file));
  Samples samples;
  size_t count = wanted(source, SIZE_MAX);
  llvm::StringRef rest = bytes;
  for (size_t number = 1; !rest.empty() && samples.count() < count; ++number) {
    llvm::StringRef text;
    std::tie(text, rest) = rest.split('\n');
    if (text.trim().empty())
      continue;
    Line line{fmt::format("{}:{}", file, number), {}};
    text.split(line.cells, ',');
    if (number == 1 && isHeader(line))
      continue;
    SPINDLE_RETURN_IF_ERROR(addLine(options, line, samples));
  }
  if (samples.count() == 0)
    return inputError(file, "holds no samples");
  return samples;
}

} // namespace spindle
