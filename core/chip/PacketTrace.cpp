#include "core/chip/PacketTrace.h"

#include "core/support/files/File.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace spindle {

namespace {

constexpr const char *kColumns[] = {"pkt_id", "inject_cycle", "src",  "dst",   "size_flits",
                                    "neuron", "step",         "kind", "sample"};
constexpr size_t kNeededColumns = 5, kOriginColumns = 4;
constexpr const char *kKindNames[] = {"spike", "partial_sum"};
constexpr uint64_t kMostCycle = uint64_t(1) << 53; // exact in JSON and in spreadsheets

std::string columnList(size_t count) {
  return fmt::format("{}", fmt::join(kColumns, kColumns + count, ","));
}

/// Reads a trace row by row; the first wrong cell is the error.
class TraceReader {
public:
  TraceReader(const std::string &path, const Mesh &meshOfChip) : file(path), mesh(meshOfChip) {}

  llvm::Expected<PacketTrace> read(llvm::StringRef text) {
    SPINDLE_RETURN_IF_ERROR(readHeader(nextLine(text)));
    while (!text.empty()) {
      llvm::StringRef row = nextLine(text);
      if (!row.empty())
        SPINDLE_RETURN_IF_ERROR(readRow(row));
    }
    return std::move(trace);
  }

private:
  llvm::StringRef nextLine(llvm::StringRef &text) {
    ++line;
    llvm::StringRef row;
    std::tie(row, text) = text.split('\n');
    return row.rtrim('\r');
  }

  llvm::Error wrong(const std::string &message) const {
    return inputError(fmt::format("{}:{}", file, line), message);
  }

  llvm::Error readHeader(llvm::StringRef row) {
    row.consume_front("\xEF\xBB\xBF");
    hasOrigins = row == llvm::StringRef(columnList(std::size(kColumns)));
    if (hasOrigins || row == llvm::StringRef(columnList(kNeededColumns)))
      return llvm::Error::success();
    return wrong(fmt::format("the columns are '{}', expected {}, followed by {} or nothing",
                             row.take_front(80).str(), columnList(kNeededColumns),
                             fmt::join(kColumns + kNeededColumns, std::end(kColumns), ",")));
  }

  llvm::Error readRow(llvm::StringRef row) {
    size_t expected = kNeededColumns + (hasOrigins ? kOriginColumns : 0);
    cells.clear();
    row.split(cells, ',');
    if (cells.size() != expected)
      return wrong(
          fmt::format("{} values, expected {} ({})", cells.size(), expected, columnList(expected)));
    TracedPacket packet;
    uint64_t number, source, flits;
    SPINDLE_RETURN_IF_ERROR(readNumber(0, 0, UINT32_MAX - 1, number));
    SPINDLE_RETURN_IF_ERROR(readNumber(1, 0, kMostCycle, packet.madeCycle));
    SPINDLE_RETURN_IF_ERROR(readTile(2, cells[2], source));
    SPINDLE_RETURN_IF_ERROR(readTargets(packet));
    SPINDLE_RETURN_IF_ERROR(readNumber(4, 1, kMostPacketFlits, flits));
    if (number != trace.packets.size())
      return wrong(fmt::format("pkt_id is {}, expected {}: rows are numbered from 0", number,
                               trace.packets.size()));
    if (number > 0 && packet.madeCycle < trace.packets.back().madeCycle)
      return wrong(fmt::format("inject_cycle is {} behind {}; sort the rows by cycle and number "
                               "them anew",
                               packet.madeCycle, trace.packets.back().madeCycle));
    packet.source = static_cast<TileId>(source);
    packet.flits = static_cast<uint32_t>(flits);
    trace.packets.push_back(std::move(packet));
    return hasOrigins ? readOrigin() : llvm::Error::success();
  }

  llvm::Error readNumber(size_t column, uint64_t least, uint64_t most, uint64_t &value) const {
    return readNumber(column, cells[column], least, most, value);
  }
  llvm::Error readNumber(size_t column, llvm::StringRef cell, uint64_t least, uint64_t most,
                         uint64_t &value) const {
    if (cell.trim(' ').getAsInteger(10, value) || value < least || value > most)
      return wrong(fmt::format("{} is '{}', expected a whole number from {} to {}",
                               kColumns[column], cell.take_front(40).str(), least, most));
    return llvm::Error::success();
  }

  llvm::Error readTile(size_t column, llvm::StringRef cell, uint64_t &tile) const {
    SPINDLE_RETURN_IF_ERROR(readNumber(column, cell, 0, UINT32_MAX, tile));
    if (tile < mesh.tiles())
      return llvm::Error::success();
    return wrong(fmt::format("{} is tile {}, but the mesh of {}x{} ends with tile {}; take the "
                             "chip that the packets were made for, or one with a larger mesh",
                             kColumns[column], tile, mesh.columns, mesh.rows, mesh.tiles() - 1));
  }

  /// `7`, or `3;7;12` for a packet that goes to several tiles.
  llvm::Error readTargets(TracedPacket &packet) {
    for (llvm::StringRef left = cells[3]; packet.targets.empty() || !left.empty();) {
      llvm::StringRef cell;
      std::tie(cell, left) = left.split(';');
      uint64_t tile;
      SPINDLE_RETURN_IF_ERROR(readTile(3, cell, tile));
      if (!packet.targets.empty() && tile <= packet.targets.back())
        return wrong(fmt::format("dst names tile {} behind {}, expected ascending tiles", tile,
                                 packet.targets.back()));
      packet.targets.push_back(static_cast<TileId>(tile));
    }
    return llvm::Error::success();
  }

  llvm::Error readOrigin() {
    uint64_t neuron, step, sample;
    SPINDLE_RETURN_IF_ERROR(readNumber(5, 0, UINT32_MAX - 1, neuron));
    SPINDLE_RETURN_IF_ERROR(readNumber(6, 0, UINT32_MAX - 1, step));
    SPINDLE_RETURN_IF_ERROR(readNumber(8, 0, UINT32_MAX - 1, sample));
    const auto *kind = llvm::find(kKindNames, cells[7].trim(' '));
    if (kind == std::end(kKindNames))
      return wrong(fmt::format("kind is '{}', expected {}", cells[7].take_front(40).str(),
                               fmt::join(kKindNames, " or ")));
    trace.origins.push_back({static_cast<NeuronId>(neuron), static_cast<uint32_t>(sample),
                             static_cast<uint32_t>(step),
                             static_cast<PacketKind>(kind - kKindNames)});
    return llvm::Error::success();
  }

  const std::string &file;
  const Mesh &mesh;
  bool hasOrigins = false;
  size_t line = 0;
  llvm::SmallVector<llvm::StringRef, 9> cells;
  PacketTrace trace;
};

} // namespace

llvm::Expected<PacketTrace> readPacketTrace(const std::string &path, const Mesh &mesh) {
  SPINDLE_ASSIGN(std::string text, readFile(path));
  return TraceReader(path, mesh).read(text);
}

llvm::Error writePacketTrace(const std::string &path, const PacketTrace &trace) {
  bool hasOrigins = !trace.origins.empty();
  std::string text = columnList(kNeededColumns + (hasOrigins ? kOriginColumns : 0)) + "\n";
  auto out = std::back_inserter(text);
  for (size_t i = 0; i < trace.packets.size(); ++i) {
    const TracedPacket &packet = trace.packets[i];
    fmt::format_to(out, "{},{},{},{},{}", i, packet.madeCycle, packet.source,
                   fmt::join(packet.targets, ";"), packet.flits);
    if (hasOrigins) {
      const PacketOrigin &origin = trace.origins[i];
      fmt::format_to(out, ",{},{},{},{}", origin.neuron, origin.step,
                     kKindNames[static_cast<size_t>(origin.kind)], origin.sample);
    }
    text += '\n';
  }
  return writeFile(path, text);
}

llvm::Error writeDeliveries(const std::string &path, const std::vector<Delivery> &deliveries) {
  std::string text = "pkt_id,src,dst,size_flits,made,injected,head,tail,hops\n";
  auto out = std::back_inserter(text);
  for (const Delivery &d : deliveries)
    fmt::format_to(out, "{},{},{},{},{},{},{},{},{}\n", d.packet, d.source, d.target, d.flits,
                   d.madeCycle, d.injectedCycle, d.headCycle, d.tailCycle, d.hops);
  return writeFile(path, text);
}

} // namespace spindle
