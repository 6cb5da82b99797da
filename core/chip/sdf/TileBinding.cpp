#include "core/chip/sdf/TileBinding.h"

#include "core/support/TextPlace.h"
#include "core/support/files/File.h"

#include "fmt/format.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>

namespace spindle {

namespace {

constexpr SdfTileId kNoTile = UINT32_MAX;

/// The entry of that name, or for a number the one whose name ends in `_` and it.
template <typename Entry>
std::optional<uint32_t> findNamed(const std::vector<Entry> &entries, llvm::StringRef name) {
  std::string ending = "_" + name.str();
  bool isNumber = llvm::all_of(name, [](char c) { return c >= '0' && c <= '9'; });
  for (uint32_t e = 0; e < entries.size(); ++e)
    if (entries[e].name == name)
      return e;
  for (uint32_t e = 0; isNumber && e < entries.size(); ++e)
    if (llvm::StringRef(entries[e].name).ends_with(ending))
      return e;
  return std::nullopt;
}

template <typename Entry> std::string namesOf(const std::vector<Entry> &entries) {
  std::string names;
  for (size_t e = 0; e < entries.size() && e < 8; ++e)
    names += (e ? ", " : "") + entries[e].name;
  return names + (entries.size() > 8 ? ", …" : "");
}

class BindingReader {
public:
  BindingReader(const std::string &file, const std::string &bytes, const SdfGraph &of,
                const SdfArchitecture &on)
      : path(file), text(bytes), graph(of), architecture(on) {
    binding.tiles.assign(graph.actors.size(), kNoTile);
    binding.orders.resize(architecture.tiles.size());
    binding.slices.resize(architecture.tiles.size());
  }

  llvm::Expected<TileBinding> read() {
    if (size_t at = findNotUtf8(text); at != llvm::StringRef::npos)
      return inputError(textPlace(path, text, at), "not UTF-8; save the file as UTF-8");
    llvm::StringRef rest = text;
    while (!rest.empty()) {
      auto [line, next] = rest.split('\n');
      SPINDLE_RETURN_IF_ERROR(readLine(line.split('#').first));
      rest = next;
    }
    auto missing = std::find(binding.tiles.begin(), binding.tiles.end(), kNoTile);
    if (missing != binding.tiles.end())
      return inputError(path,
                        fmt::format("actor '{}' is on no tile; add it to a line",
                                    graph.actors[size_t(missing - binding.tiles.begin())].name));
    return binding;
  }

private:
  llvm::Error readLine(llvm::StringRef line) {
    std::optional<SdfTileId> tile;
    for (llvm::StringRef left = line.ltrim(" \t\r"); !left.empty(); left = left.ltrim(" \t\r")) {
      llvm::StringRef word =
          left.take_until([](char c) { return c == ' ' || c == '\t' || c == '\r'; });
      left = left.drop_front(word.size());
      std::string place = textPlace(path, text, size_t(word.data() - text.data()));
      if (!tile) {
        tile = findNamed(architecture.tiles, word);
        if (!tile)
          return inputError(place, fmt::format("unknown tile '{}', expected one of {}",
                                               excerpt(word), namesOf(architecture.tiles)));
        continue;
      }
      std::optional<ActorId> actor = findNamed(graph.actors, word);
      if (!actor)
        return inputError(place, fmt::format("unknown actor '{}', expected one of {}",
                                             excerpt(word), namesOf(graph.actors)));
      SdfTileId &bound = binding.tiles[*actor];
      if (bound != kNoTile && bound != *tile)
        return inputError(place,
                          fmt::format("actor '{}' is on tile '{}' already; an actor runs on "
                                      "one tile",
                                      graph.actors[*actor].name, architecture.tiles[bound].name));
      bound = *tile;
      binding.orders[*tile].push_back(*actor);
    }
    return llvm::Error::success();
  }

  const std::string &path, &text;
  const SdfGraph &graph;
  const SdfArchitecture &architecture;
  TileBinding binding;
};

} // namespace

llvm::Expected<TileBinding> readTileBinding(const std::string &path, const SdfGraph &graph,
                                            const SdfArchitecture &architecture) {
  SPINDLE_ASSIGN(std::string text, readFile(path));
  return BindingReader(path, text, graph, architecture).read();
}

} // namespace spindle
