// Random programs of bundle operations and neurons, as text, and random arguments for them.
#pragma once

#include "core/support/CounterRandom.h"
#include "lib/emulation/neuron-level/Values.h"

#include <algorithm>
#include <string>

namespace spindle::test {

/// A function @f of one bundle 4 × 3 of trains, a tensor of 12 weights and a bias, that returns
/// every bundle and order it computes. Positions are always inside.
class RandomProgram {
public:
  RandomProgram(uint64_t seed, int operations) : random(seed, 1) {
    addBundle("in", {4, 3});
    for (int n = 0; n < operations; ++n)
      addOperation();
    std::string values, types;
    for (const Named &bundle : bundles) {
      values += (values.empty() ? "%" : ", %") + bundle.name;
      types += (types.empty() ? "" : ", ") + typeOf(bundle.shape);
    }
    const Named &last = bundles.back();
    text = "func.func @f(%in: " + typeOf({4, 3}) + ", %w: tensor<12xf32>, %b: f32) -> (" + types +
           ", tensor<?xindex>, tensor<?xindex>) {\n" + body + "  %order = snn.get_order(%" +
           last.name + " : " + typeOf(last.shape) +
           ") : tensor<?xindex>\n  %rev = snn.get_rev_order(%" + last.name + " : " +
           typeOf(last.shape) + ") : tensor<?xindex>\n  return " + values +
           ", %order, %rev : " + types + ", tensor<?xindex>, tensor<?xindex>\n}\n";
  }
  std::string text;

private:
  struct Named {
    std::string name;
    neuron_level::Shape shape;
  };

  static std::string typeOf(const neuron_level::Shape &shape) {
    std::string result = "!snn.spike_bundle<";
    for (int64_t extent : shape)
      result += std::to_string(extent) + "x";
    return result + "!train>";
  }
  static std::string list(const std::vector<int64_t> &numbers) {
    std::string result;
    for (int64_t number : numbers)
      result += (result.empty() ? "" : ", ") + std::to_string(number);
    return "[" + result + "]";
  }
  int64_t below(int64_t bound) { return random.below(uint32_t(bound)); }
  float between(float low, float high) { return low + (high - low) * float(random.uniform()); }
  std::string number(const char *name, float value) {
    char buffer[64];
    snprintf(buffer, sizeof buffer, "%s = %.9e : f32", name, double(value));
    return buffer;
  }
  std::string fresh() { return "v" + std::to_string(counter++); }
  void addBundle(const std::string &name, neuron_level::Shape shape) {
    bundles.push_back({name, std::move(shape)});
  }
  std::string line(const std::string &name, const std::string &right) {
    body += "  %" + name + " = snn." + right + "\n";
    return name;
  }

  std::string select(const Named &from) {
    std::vector<int64_t> position;
    for (int64_t extent : from.shape)
      position.push_back(below(extent));
    return line(fresh(), "spike_bundle_select(%" + from.name + list(position) + " : " +
                             typeOf(from.shape) + ") : !train");
  }

  std::string neuron(const Named &from) {
    bool clocked = below(2), subtract = below(2), refractory = below(3) == 0;
    std::string operands = "%" + from.name + " : " + typeOf(from.shape);
    if (from.shape == neuron_level::Shape{12} && below(3))
      operands += ", %w : tensor<12xf32>";
    if (below(2))
      operands += ", %b : f32";
    float vth = between(0.3f, 1.2f);
    std::string attributes = number("k", below(4) ? between(0.05f, 0.9f) : 0) + ", " +
                             number("vth", vth) + ", " + number("vrest", between(-0.5f, 0.2f)) +
                             ", " + number("initial_membrane", between(-0.5f, 0.25f));
    if (refractory)
      attributes += ", " + number("refractory", between(0.3f, 3));
    if (below(2))
      attributes += ", max_spikes = 3 : i64";
    if (clocked)
      attributes += ", " + number("step", between(0.4f, 1.5f)) + ", " +
                    number("r", between(0.5f, 2)) + (below(2) ? ", steps = 20 : i64" : "");
    else if (below(2))
      attributes += ", " + number("until", between(5, 20));
    return line(fresh(), "neuron(" + operands + ")" + (subtract ? " reset subtract" : "") + " {" +
                             attributes + "} : !train");
  }

  void addOperation() {
    const Named from = bundles[size_t(below(int64_t(bundles.size())))];
    const std::string operand = "%" + from.name;
    std::string type = typeOf(from.shape);
    size_t rank = from.shape.size();
    neuron_level::Shape shape = from.shape;
    size_t axis = size_t(below(int64_t(rank)));
    std::string along = rank > 1 ? " {axis = " + std::to_string(axis) + " : i64}" : "";
    if (along.empty())
      axis = 0;
    switch (below(6)) {
    case 0: { // trains and neurons of a bundle, into a row
      std::string trains;
      int64_t count = below(2) ? 12 : 1 + below(6);
      for (int64_t n = 0; n < count; ++n)
        trains += (n ? ", %" : "%") + (below(3) ? select(from) : neuron(from)) + " : !train";
      shape = {count};
      addBundle(line(fresh(), "spike_bundle_collect(" + trains + ") : " + typeOf(shape)), shape);
      return;
    }
    case 1: {
      std::vector<int64_t> permutation;
      for (size_t d = 0; d < rank; ++d)
        permutation.insert(permutation.begin() + below(int64_t(d) + 1), int64_t(d));
      for (size_t d = 0; d < rank; ++d)
        shape[d] = from.shape[size_t(permutation[d])];
      addBundle(line(fresh(), "spike_bundle_permute(" + operand + " permutation " +
                                  list(permutation) + " : " + type + ") : " + typeOf(shape)),
                shape);
      return;
    }
    case 2: {
      std::vector<int64_t> offsets, strides;
      for (int64_t &extent : shape) {
        int64_t whole = extent;
        offsets.push_back(below(whole));
        strides.push_back(1 + below(3));
        extent = 1 + below((whole - 1 - offsets.back()) / strides.back() + 1);
      }
      addBundle(line(fresh(), "spike_bundle_slice(" + operand + list(offsets) + " " + list(shape) +
                                  " " + list(strides) + " : " + type + ") : " + typeOf(shape)),
                shape);
      return;
    }
    case 3:
      if (from.shape[axis] > 1) {
        --shape[axis];
        addBundle(line(fresh(), "spike_bundle_remove(" + operand + "[" +
                                    std::to_string(below(from.shape[axis])) + "] : " + type + ")" +
                                    along + " : " + typeOf(shape)),
                  shape);
      }
      return;
    case 4: {
      neuron_level::Shape beside = from.shape;
      beside.erase(beside.begin() + int64_t(axis));
      std::string inserted, insertedType = beside.empty() ? "!train" : typeOf(beside);
      if (beside.empty())
        inserted = select(from);
      else { // a part of the bundle itself, collected anew
        std::string trains;
        for (size_t n = 0; n < neuron_level::sizeOf(beside); ++n)
          trains += (n ? ", %" : "%") + select(from) + " : !train";
        inserted = line(fresh(), "spike_bundle_collect(" + trains + ") : " + insertedType);
      }
      ++shape[axis];
      addBundle(line(fresh(), "spike_bundle_insert(%" + inserted + " : " + insertedType + " into " +
                                  operand + "[" + std::to_string(below(shape[axis])) +
                                  "] : " + type + ")" + along + " : " + typeOf(shape)),
                shape);
      return;
    }
    default: // all trains of a bundle, collected as it is
      std::string trains;
      for (size_t n = 0; n < neuron_level::sizeOf(shape); ++n) {
        std::vector<int64_t> position(rank);
        for (size_t d = rank, rest = n; d-- > 0; rest /= size_t(shape[d]))
          position[d] = int64_t(rest) % shape[d];
        trains += (n ? ", %" : "%") +
                  line(fresh(), "spike_bundle_select(" + operand + list(position) + " : " + type +
                                    ") : !train") +
                  " : !train";
      }
      addBundle(line(fresh(), "spike_bundle_collect(" + trains + ") : " + type), shape);
    }
  }

  CounterRandom random;
  std::vector<Named> bundles;
  std::string body;
  int counter = 0;
};

/// Trains of up to eight spikes, some of them at whole times so that they coincide.
inline std::vector<neuron_level::Value> randomArguments(uint64_t seed) {
  CounterRandom random(seed, 2);
  neuron_level::Bundle bundle{{4, 3}, std::vector<neuron_level::Train>(12)};
  for (neuron_level::Train &train : bundle.trains) {
    train.resize(random.below(8));
    for (float &time : train)
      time = random.below(2) ? float(random.below(12)) : float(12 * random.uniform());
    std::sort(train.begin(), train.end());
  }
  neuron_level::Floats weights{{12}, {}};
  for (int n = 0; n < 12; ++n)
    weights.values.push_back(float(1.4 * random.uniform() - 0.5));
  return {bundle, weights, float(random.uniform())};
}

} // namespace spindle::test
