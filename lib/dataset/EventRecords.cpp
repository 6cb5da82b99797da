#include "lib/dataset/EventRecords.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace spindle {

namespace {

/// Element of a pixel: polarity is the channel, y the row, x the column.
llvm::Expected<uint32_t> elementAt(const std::string &place, int64_t x, int64_t y, int64_t polarity,
                                   llvm::ArrayRef<int64_t> shape) {
  if (shape.size() != 3)
    return inputError(place, fmt::format("events have coordinates, but the shape is ({}), expected "
                                         "channels, rows, columns",
                                         fmt::join(shape, ", ")));
  if (x < 0 || y < 0 || polarity < 0 || polarity >= shape[0] || y >= shape[1] || x >= shape[2])
    return inputError(place,
                      fmt::format("x {}, y {}, polarity {} is outside of the shape ({}): channels, "
                                  "rows, columns",
                                  x, y, polarity, fmt::join(shape, ", ")));
  return static_cast<uint32_t>((polarity * shape[1] + y) * shape[2] + x);
}

llvm::Expected<uint32_t> elementOf(const std::string &place, llvm::ArrayRef<int64_t> numbers,
                                   llvm::ArrayRef<int64_t> shape) {
  if (numbers.size() == 4) // some cameras write −1 for darker
    return elementAt(place, numbers[1], numbers[2], numbers[3] == -1 ? 0 : numbers[3], shape);
  int64_t size = 1;
  for (int64_t extent : shape)
    size *= extent;
  if (numbers[1] < 0 || numbers[1] >= size)
    return inputError(place, fmt::format("address {} is outside of the shape ({})", numbers[1],
                                         fmt::join(shape, ", ")));
  return static_cast<uint32_t>(numbers[1]);
}

/// The integers of a line; none where a cell is something else.
llvm::SmallVector<int64_t, 4> integers(llvm::StringRef line) {
  llvm::SmallVector<int64_t, 4> numbers;
  while (!(line = line.ltrim(", \t;")).empty()) {
    llvm::StringRef cell =
        line.take_until([](char c) { return llvm::StringRef(", \t;").contains(c); });
    int64_t number;
    if (cell.getAsInteger(10, number))
      return {};
    numbers.push_back(number);
    line = line.drop_front(cell.size());
  }
  return numbers;
}

} // namespace

llvm::Expected<std::vector<RecordedEvent>> parseFiveByteEvents(const std::string &place,
                                                               const std::string &bytes,
                                                               llvm::ArrayRef<int64_t> shape) {
  if (bytes.size() % 5 != 0)
    return inputError(place, fmt::format("holds {} bytes, expected five per event", bytes.size()));
  std::vector<RecordedEvent> events;
  auto data = reinterpret_cast<const uint8_t *>(bytes.data());
  for (size_t at = 0; at < bytes.size(); at += 5) {
    uint64_t word = uint64_t{data[at + 2]} << 16 | uint64_t{data[at + 3]} << 8 | data[at + 4];
    SPINDLE_ASSIGN(uint32_t element, elementAt(fmt::format("{} event {}", place, at / 5), data[at],
                                               data[at + 1], word >> 23, shape));
    events.push_back({word & 0x7fffff, element});
  }
  return events;
}

llvm::Expected<std::vector<RecordedEvent>>
parseEventList(const std::string &place, const std::string &text, llvm::ArrayRef<int64_t> shape) {
  std::vector<RecordedEvent> events;
  llvm::StringRef rest = text;
  for (size_t number = 1; !rest.empty(); ++number) {
    llvm::StringRef line;
    std::tie(line, rest) = rest.split('\n');
    line = line.split('#').first.trim();
    if (line.empty() || (number == 1 && llvm::isAlpha(line.front())))
      continue;
    std::string where = fmt::format("{}:{}", place, number);
    llvm::SmallVector<int64_t, 4> numbers = integers(line);
    if ((numbers.size() != 2 && numbers.size() != 4) || numbers[0] < 0)
      return inputError(where, fmt::format("'{}' is no event, expected t_us,x,y,polarity or "
                                           "t_us,address in integers",
                                           line.take_front(40).str()));
    SPINDLE_ASSIGN(uint32_t element, elementOf(where, numbers, shape));
    events.push_back({static_cast<uint64_t>(numbers[0]), element});
  }
  return events;
}

} // namespace spindle
