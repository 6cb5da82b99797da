#include "lib/frontend/network/SynapseValues.h"

#include "fmt/format.h"
#include "fmt/ranges.h"
#include "llvm/ADT/STLExtras.h"

namespace spindle::network {

/// Refuses a list that has not one value for each synapse of connections that are not drawn.
static void checkList(YamlReader &reader, const std::string &key, const Values &values,
                      const Projection &projection) {
  double synapses = expectedSynapses(projection.rule, projection.ends);
  bool isRandom = std::holds_alternative<WithProbability>(projection.rule) ||
                  std::holds_alternative<FanIn>(projection.rule) ||
                  std::holds_alternative<FanOut>(projection.rule);
  const Ends &ends = projection.ends;
  std::vector<int64_t> matrix{ends.targets.size(), ends.sources.size()};
  bool isMatrix = std::holds_alternative<AllToAll>(projection.rule) && values.shape.size() > 1;
  if (isRandom)
    reader.fail(key, fmt::format("{} is a list, but the connections are drawn; expected one value, "
                                 "uniform or normal",
                                 key));
  else if (projection.ends.avoidsSelf && std::holds_alternative<AllToAll>(projection.rule))
    reader.fail(key,
                fmt::format("{} is a list, which goes with autapses: true or listed pairs", key));
  else if (static_cast<double>(values.numbers.size()) != synapses)
    reader.fail(key, fmt::format("{} has {} values, expected 1 or {}, one per synapse", key,
                                 values.numbers.size(), synapses));
  else if (isMatrix && values.shape != matrix)
    reader.fail(key, fmt::format("{} is an array of {}, expected {}, targets x sources", key,
                                 fmt::join(values.shape, " x "), fmt::join(matrix, " x ")));
}

/// One value for all where all are equal.
static void joinEqual(Values &values) {
  if (values.kind == Values::Kind::Listed && llvm::all_equal(values.numbers))
    values.numbers.resize(1);
}

/// Listed delays are whole steps, drawn ones are rounded to them. All are a step at least.
static void setDelays(YamlReader &reader, double dtMs, const Values &delays,
                      Projection &projection) {
  Values inSteps = delays;
  for (double &ms : inSteps.numbers) {
    std::optional<int64_t> steps = wholeSteps(ms, dtMs);
    if (!steps || *steps < 1 || *steps > kMostDelay)
      return reader.fail("delay", fmt::format("delay has {} ms, expected multiples of dt, {} to {} "
                                              "ms",
                                              ms, dtMs, dtMs * double(kMostDelay)));
    ms = static_cast<double>(*steps);
  }
  joinEqual(inSteps);
  projection.delay = static_cast<int64_t>(*llvm::min_element(inSteps.numbers));
  if (!inSteps.isOne())
    projection.delays = std::move(inSteps);
}

/// With a mean and a deviation for which most of what is drawn is a delay.
static void setNormalDelays(YamlReader &reader, double dtMs, const Values &delays,
                            Projection &projection) {
  double most = dtMs * double(kMostDelay), mean = delays.numbers[0], deviation = delays.numbers[1];
  if (mean < dtMs || mean > most || deviation > most)
    return reader.fail("delay", fmt::format("delay is drawn around {} ms with a deviation of {} "
                                            "ms, expected a mean of {} to {} ms and a deviation of "
                                            "at most {} ms",
                                            mean, deviation, dtMs, most, most));
  projection.delay = 1;
  projection.delays = {delays.kind, {mean / dtMs, deviation / dtMs}};
}

/// A list, or a distribution.
static void readDelays(YamlReader &reader, const Description &network, const Population &source,
                       Projection &projection) {
  Values delays;
  if (!readValues(reader, "delay", network.path, delays))
    return;
  if (std::holds_alternative<SampleSource>(source.contents))
    return reader.fail("delay", fmt::format("delay differs between synapses, but '{}' is the "
                                            "samples; expected one value",
                                            source.name));
  if (delays.kind == Values::Kind::Normal)
    return setNormalDelays(reader, network.dtMs, delays, projection);
  if (delays.kind == Values::Kind::Listed)
    checkList(reader, "delay", delays, projection);
  setDelays(reader, network.dtMs, delays, projection);
}

void readDelay(YamlReader &reader, const Description &network, ListedSynapses &listed,
               Projection &projection) {
  const Population &source = network.populations[projection.source];
  auto *samples = std::get_if<SampleSource>(&source.contents);
  bool isConstant = samples && samples->encoding == InputEncoding::Direct;
  projection.delay = isConstant ? 0 : 1;
  if (!listed.delays.empty()) {
    if (reader.has("delay"))
      return reader.fail("delay", "delay is given, but the file has delays too; leave one of them "
                                  "out");
    if (samples)
      return reader.fail("connect", fmt::format("the file has delays, but '{}' is the samples; "
                                                "leave them out, and give one value",
                                                source.name));
    return setDelays(reader, network.dtMs, {Values::Kind::Listed, std::move(listed.delays)},
                     projection);
  }
  std::vector<double> given;
  if (!reader.isMapping("delay"))
    reader.read("delay", given);
  if (reader.isMapping("delay") || given.size() > 1)
    return readDelays(reader, network, source, projection);
  readSteps(reader, "delay", network.dtMs, 0, projection.delay);
  if (isConstant && projection.delay != 0)
    reader.fail("delay", fmt::format("delay is given, but the samples of '{}' are a constant "
                                     "current; leave it out or choose another encoding",
                                     source.name));
}

static bool mayBeNegative(const Values &weight) {
  if (weight.kind == Values::Kind::Uniform)
    return weight.numbers[0] < 0;
  return weight.kind == Values::Kind::Listed &&
         llvm::any_of(weight.numbers, [](double w) { return w < 0; });
}

void readWeight(YamlReader &reader, const Description &network, ListedSynapses &listed,
                Projection &projection) {
  Values &weight = projection.weight;
  weight.numbers = {0};
  if (!listed.weights.empty()) {
    if (reader.has("weight"))
      reader.fail(
          "weight",
          "weight is given, but the file has weights too; leave one of them out, or write the "
          "heading source,target,delay where its third column is the delay");
    weight.numbers = std::move(listed.weights);
  } else {
    reader.require("weight");
    if (!readValues(reader, "weight", network.path, weight))
      return;
    if (weight.kind == Values::Kind::Listed && !weight.isOne())
      checkList(reader, "weight", weight, projection);
  }
  joinEqual(weight);
  if (mayBeNegative(weight) && network.populations[projection.target].neurons()->takesConductances)
    reader.fail("weight", "weight is negative, but it is a conductance; inhibition comes from the "
                          "receptor and its e_inh");
}

} // namespace spindle::network
