#include "sim/model/router/LinkWaves.h"

#include "fmt/format.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace spindle {

llvm::Expected<std::vector<WatchedLink>> parseLinks(const std::string &text, const Mesh &mesh) {
  llvm::SmallVector<llvm::StringRef> names;
  llvm::StringRef(text).split(names, ',');
  std::vector<WatchedLink> links;
  for (llvm::StringRef name : names) {
    auto [from, to] = name.trim().split('-');
    WatchedLink link;
    if (from.getAsInteger(10, link.from) || to.getAsInteger(10, link.to))
      return inputError(
          "--vcd", fmt::format("'{}' is no link, expected {}", name.take_front(40).str(),
                               mesh.isTree() ? fmt::format("two routers such as 0-{}", mesh.tiles())
                                             : "two tiles such as 0-1"));
    if (std::max(link.from, link.to) >= mesh.routers() || mesh.hops(link.from, link.to) != 1)
      return inputError(
          "--vcd", fmt::format("{}-{} joins no neighbours in the {} of {}x{} tiles{}", link.from,
                               link.to, mesh.topologyName(), mesh.columns, mesh.rows,
                               mesh.isTree() ? fmt::format(", whose routers without a tile have "
                                                           "the numbers from {} on",
                                                           mesh.tiles())
                                             : ""));
    links.push_back(link);
  }
  return links;
}

namespace {

/// Signals of a link, in this order.
struct Signal {
  const char *name;
  uint32_t bits;
};
constexpr Signal kSignals[] = {
    {"valid", 1}, {"packet", 32}, {"channel", 4}, {"head", 1}, {"tail", 1}};

class VcdWriter {
public:
  explicit VcdWriter(const std::vector<WatchedLink> &watched) {
    text = "$timescale 1ns $end\n";
    for (uint32_t link = 0; link < watched.size(); ++link) {
      write("$scope module link_{}_{} $end\n", watched[link].from, watched[link].to);
      for (uint32_t signal = 0; signal < std::size(kSignals); ++signal)
        write("$var wire {} {} {} $end\n", kSignals[signal].bits, code(link, signal),
              kSignals[signal].name);
      text += "$upscope $end\n";
    }
    text += "$enddefinitions $end\n#0\n";
    for (uint32_t link = 0; link < watched.size(); ++link)
      for (uint32_t signal = 0; signal < std::size(kSignals); ++signal)
        set(link, signal, 0);
  }

  void add(const LinkFlit &flit) {
    endBefore(flit.cycle);
    beginCycle(flit.cycle);
    set(flit.link, 0, 1);
    set(flit.link, 1, flit.packet);
    set(flit.link, 2, flit.channel);
    set(flit.link, 3, flit.head);
    set(flit.link, 4, flit.tail);
    busy.push_back(flit.link);
  }

  std::string finish() {
    endBefore(UINT64_MAX);
    return std::move(text);
  }

private:
  template <typename... Values>
  void write(fmt::format_string<Values...> pattern, Values &&...values) {
    fmt::format_to(std::back_inserter(text), pattern, std::forward<Values>(values)...);
  }

  /// Printable characters from '!' on, as many as it takes.
  static std::string code(uint32_t link, uint32_t signal) {
    std::string name;
    for (uint32_t number = link * static_cast<uint32_t>(std::size(kSignals)) + signal + 1;
         number != 0; number /= 94)
      name += static_cast<char>('!' + number % 94);
    return name;
  }

  void set(uint32_t link, uint32_t signal, uint32_t value) {
    if (kSignals[signal].bits == 1)
      write("{}{}\n", value, code(link, signal));
    else
      write("b{:b} {}\n", value, code(link, signal));
  }

  void beginCycle(uint64_t next) {
    if (next != cycle)
      write("#{}\n", next);
    cycle = next;
  }

  /// A flit is on its link for one cycle.
  void endBefore(uint64_t next) {
    if (busy.empty() || next == cycle)
      return;
    beginCycle(cycle + 1);
    for (uint32_t link : busy)
      set(link, 0, 0);
    busy.clear();
  }

  std::string text;
  uint64_t cycle = 0;
  std::vector<uint32_t> busy; // links with a flit in `cycle`
};

} // namespace

std::string vcdText(const std::vector<WatchedLink> &links, std::vector<LinkFlit> flits) {
  std::sort(flits.begin(), flits.end(), [](const LinkFlit &a, const LinkFlit &b) {
    return std::tie(a.cycle, a.link) < std::tie(b.cycle, b.link);
  });
  VcdWriter writer(links);
  for (const LinkFlit &flit : flits)
    writer.add(flit);
  return writer.finish();
}

} // namespace spindle
