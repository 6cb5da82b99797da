#include "lib/sdf/bound/BindingFile.h"

#include "core/support/formats/JsonMapping.h"

namespace spindle {

static constexpr FileFormat kBindingFormat = {"spindle-sdf-binding", 1};

BindingFile toFile(const SdfApplication &application, const SdfArchitecture &architecture,
                   const BindingAnalysis &analysis) {
  const SdfGraph &graph = application.graph;
  const TileBinding &binding = analysis.binding;
  const ChannelResources &resources = analysis.resources;
  BindingFile file{graph.name,
                   architecture.name,
                   analysis.period,
                   analysis.selfTimedAgrees,
                   analysis.candidates,
                   analysis.cycle,
                   {},
                   {}};
  for (size_t t = 0; t < architecture.tiles.size(); ++t) {
    const SdfTile &tile = architecture.tiles[t];
    file.tiles.push_back({tile.name, tile.wheel, binding.slices[t], {}});
    for (ActorId actor : binding.orders[t])
      file.tiles.back().order.push_back(graph.actors[actor].name);
  }
  for (size_t c = 0; c < graph.channels.size(); ++c) {
    const SdfChannel &channel = graph.channels[c];
    if (channel.source == channel.target)
      continue;
    BindingFile::Channel &entry = file.channels.emplace_back();
    entry.source = graph.actors[channel.source].name;
    entry.target = graph.actors[channel.target].name;
    if (binding.tiles[channel.source] == binding.tiles[channel.target]) {
      entry.capacity = resources.capacities[c];
      continue;
    }
    entry.sourceCapacity = resources.source[c];
    entry.targetCapacity = resources.target[c];
    entry.tokenTime = resources.tokenTimes[c];
  }
  return file;
}

static void describe(auto &file, MaybeConst<BindingFile::Tile> auto &tile) {
  file.field("tile", tile.name);
  file.field("wheel", tile.wheel);
  file.field("slice", tile.slice);
  file.field("order", tile.order);
}

static void describe(auto &file, MaybeConst<BindingFile::Channel> auto &channel) {
  file.field("source", channel.source);
  file.field("target", channel.target);
  file.optional("capacity", channel.capacity);
  file.optional("source_capacity", channel.sourceCapacity);
  file.optional("target_capacity", channel.targetCapacity);
  file.optional("token_time", channel.tokenTime);
}

static void describe(auto &file, MaybeConst<BindingFile> auto &binding) {
  file.field("graph", binding.graph);
  file.field("architecture", binding.architecture);
  file.derived("period", [&] { return binding.period.value(); });
  file.field("time", binding.period.time);
  file.field("iterations", binding.period.iterations);
  file.derived("throughput", [&] { return 1 / binding.period.value(); });
  file.field("self_timed_agrees", binding.selfTimedAgrees);
  file.field("candidates", binding.candidates);
  file.field("limited_by", binding.limitedBy);
  file.field("tiles", binding.tiles);
  file.field("channels", binding.channels);
}

llvm::Error writeBinding(const std::string &path, const BindingFile &file) {
  return writeDescribed(path, kBindingFormat, file);
}

llvm::Expected<BindingFile> readBinding(const std::string &path) {
  return readDescribed<BindingFile>(path, kBindingFormat);
}

} // namespace spindle
