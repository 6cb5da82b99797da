#include "core/chip/sdf/SdfArrays.h"

#include <algorithm>

namespace spindle {

namespace {

constexpr const char *kActorName = "actors/name", *kActorTime = "actors/execution_time",
                     *kSource = "channels/source", *kTarget = "channels/target",
                     *kProduce = "channels/produce", *kConsume = "channels/consume",
                     *kTokens = "channels/initial_tokens", *kBits = "channels/token_bits";

/// A number of every channel.
template <typename T, typename Get>
std::vector<T> channelNumbers(const SdfGraph &graph, const Get &get) {
  std::vector<T> numbers;
  numbers.reserve(graph.channels.size());
  for (const SdfChannel &channel : graph.channels)
    numbers.push_back(get(channel));
  return numbers;
}

} // namespace

bool hasSinglePhases(const SdfGraph &graph) {
  return std::ranges::all_of(
             graph.actors, [](const SdfActor &each) { return each.executionTime.phases() == 1; }) &&
         std::ranges::all_of(graph.channels, [](const SdfChannel &each) {
           return each.produce.phases() == 1 && each.consume.phases() == 1;
         });
}

static llvm::Error writeAll(Hdf5Writer &file, const SdfGraph &graph) {
  std::vector<std::string> names;
  std::vector<uint64_t> times;
  for (const SdfActor &actor : graph.actors) {
    names.push_back(actor.name);
    times.push_back(actor.executionTime[0]);
  }
  SPINDLE_RETURN_IF_ERROR(file.write(kActorName, names));
  SPINDLE_RETURN_IF_ERROR(file.write(kActorTime, times));
  using Channel = const SdfChannel &;
  auto write = [&]<typename T>(const char *name, T, auto get) {
    return file.write(name, channelNumbers<T>(graph, get));
  };
  uint32_t narrow = 0;
  uint64_t wide = 0;
  SPINDLE_RETURN_IF_ERROR(write(kSource, narrow, [](Channel each) { return each.source; }));
  SPINDLE_RETURN_IF_ERROR(write(kTarget, narrow, [](Channel each) { return each.target; }));
  SPINDLE_RETURN_IF_ERROR(write(kProduce, narrow, [](Channel each) { return each.produce[0]; }));
  SPINDLE_RETURN_IF_ERROR(write(kConsume, narrow, [](Channel each) { return each.consume[0]; }));
  SPINDLE_RETURN_IF_ERROR(write(kTokens, wide, [](Channel each) { return each.initialTokens; }));
  return write(kBits, narrow, [](Channel each) { return each.tokenBits; });
}

llvm::Error writeSdfArrays(const std::string &path, const SdfGraph &graph) {
  uint64_t values = 2 * graph.actors.size() + 6 * graph.channels.size();
  return writeArrays(path, values, [&](Hdf5Writer &file) { return writeAll(file, graph); });
}

llvm::Error readSdfArrays(const ArraysReader &file, SdfGraph &graph) {
  std::vector<std::string> names;
  std::vector<uint64_t> times, tokens;
  std::vector<uint32_t> source, target, produce, consume, bits;
  SPINDLE_RETURN_IF_ERROR(file.read(kActorName, names));
  SPINDLE_RETURN_IF_ERROR(file.read(kActorTime, times, names.size(), kActorName));
  SPINDLE_RETURN_IF_ERROR(file.read(kSource, source));
  for (auto [name, numbers] :
       {std::pair{kTarget, &target}, {kProduce, &produce}, {kConsume, &consume}, {kBits, &bits}})
    SPINDLE_RETURN_IF_ERROR(file.read(name, *numbers, source.size(), kSource));
  SPINDLE_RETURN_IF_ERROR(file.read(kTokens, tokens, source.size(), kSource));
  for (size_t a = 0; a < names.size(); ++a)
    graph.actors.push_back({names[a], times[a]});
  graph.channels.reserve(source.size());
  for (size_t c = 0; c < source.size(); ++c)
    graph.channels.push_back({source[c], target[c], produce[c], consume[c], tokens[c], bits[c]});
  return llvm::Error::success();
}

} // namespace spindle
