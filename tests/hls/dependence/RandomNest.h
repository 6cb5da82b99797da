// Random perfect nests of accesses to one array, as MLIR and as what they do, iteration by
// iteration.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace spindle::hls {

/// constant + Σ coefficient[v] · iv[v] over the loops, control loops first.
struct RandomForm {
  int64_t constant = 0;
  std::vector<int64_t> coefficients;

  int64_t at(const std::vector<int64_t> &values) const {
    int64_t sum = constant;
    for (size_t v = 0; v < coefficients.size(); ++v)
      sum += coefficients[v] * values[v];
    return sum;
  }

  std::string text() const {
    std::string sum = std::to_string(constant);
    for (size_t v = 0; v < coefficients.size(); ++v)
      if (coefficients[v])
        sum += " + " + std::to_string(coefficients[v]) + " * %i" + std::to_string(v);
    return sum;
  }

  /// As a map applied to all induction variables so far.
  std::string apply(const std::string &kind) const {
    std::string dims, operands, sum = std::to_string(constant);
    for (size_t v = 0; v < coefficients.size(); ++v) {
      dims += (v ? ", d" : "d") + std::to_string(v);
      operands += (v ? ", %i" : "%i") + std::to_string(v);
      sum += " + " + std::to_string(coefficients[v]) + " * d" + std::to_string(v);
    }
    bool isMap = kind == "map";
    return "affine_" + kind + "<(" + dims + ") " + (isMap ? "-> (" : ": (") + sum +
           (isMap           ? ")>("
            : kind == "set" ? " >= 0)>("
                            : "") +
           operands + ")";
  }
};

struct RandomAccess {
  bool isStore;
  RandomForm row, column;
  std::vector<RandomForm> guards; // each >= 0
};

struct RandomLoop {
  RandomForm lower, upper;
  int64_t least = 0;
};

struct RandomNest {
  std::vector<RandomLoop> loops;
  size_t control = 0; // the first loops are around the nest
  std::vector<RandomAccess> accesses;

  static RandomNest make(std::mt19937 &random, bool triangular, bool guarded) {
    auto pick = [&](int64_t low, int64_t high) {
      return std::uniform_int_distribution<int64_t>(low, high)(random);
    };
    RandomNest nest;
    nest.control = size_t(pick(0, 1));
    size_t depth = nest.control + size_t(pick(1, 3));
    for (size_t d = 0; d < depth; ++d) {
      RandomLoop loop;
      loop.lower.coefficients.assign(d, 0);
      loop.upper.coefficients.assign(d, 0);
      loop.lower.constant = pick(0, 2);
      loop.upper.constant = loop.lower.constant + pick(triangular ? 0 : 1, 4);
      if (triangular && d > 0 && pick(0, 1))
        (pick(0, 1) ? loop.lower : loop.upper).coefficients[size_t(pick(0, int64_t(d) - 1))] = 1;
      if (triangular && d + 1 == depth && pick(0, 3) == 0)
        loop.least = pick(2, 5);
      nest.loops.push_back(loop);
    }
    for (int64_t a = pick(2, 4); a > 0; --a) {
      RandomAccess access{pick(0, 1) == 0, {}, {}, {}};
      for (RandomForm *form : {&access.row, &access.column}) {
        form->constant = pick(70, 73);
        for (size_t d = 0; d < depth; ++d)
          form->coefficients.push_back(pick(0, 2) ? 0 : pick(-1, 2));
      }
      if (guarded && pick(0, 1)) {
        RandomForm guard{pick(-2, 4), std::vector<int64_t>(depth, 0)};
        guard.coefficients[size_t(pick(0, int64_t(depth) - 1))] = pick(0, 1) ? 1 : -1;
        access.guards.push_back(guard);
      }
      nest.accesses.push_back(access);
    }
    return nest;
  }

  std::string text() const {
    std::string body = "func.func @f(%a: memref<256x256xf64>, %v: f64) {\n";
    for (size_t d = 0; d < loops.size(); ++d)
      body += "affine.for %i" + std::to_string(d) + " = " + loops[d].lower.apply("map") + " to " +
              loops[d].upper.apply("map") + " {\n";
    for (size_t a = 0; a < accesses.size(); ++a) {
      const RandomAccess &access = accesses[a];
      for (const RandomForm &guard : access.guards)
        body += "affine.if " + guard.apply("set") + " {\n";
      std::string place = " %a[" + access.row.text() + ", " + access.column.text() + "]";
      body += access.isStore ? "affine.store %v," + place
                             : "%x" + std::to_string(a) + " = affine.load" + place;
      body += " : memref<256x256xf64>\n";
      for (size_t g = 0; g < access.guards.size(); ++g)
        body += "}\n";
    }
    for (size_t d = loops.size(); d-- > 0;)
      body += loops[d].least ? "} {hls.at_least = " + std::to_string(loops[d].least) + " : i64}\n"
                             : "}\n";
    return body + "return\n}\n";
  }

  /// Smallest distances by pair of accesses, from the definition: all pairs of executions.
  std::map<std::pair<size_t, size_t>, int64_t> distances() const {
    struct Execution {
      size_t access;
      int64_t run, time, row, column;
    };
    std::vector<Execution> executions;
    std::vector<int64_t> values;
    int64_t time = 0, runs = 0;
    std::function<void(size_t)> run = [&](size_t level) {
      runs += level == control;
      if (level == loops.size()) {
        for (size_t a = 0; a < accesses.size(); ++a) {
          bool isExecuted = true;
          for (const RandomForm &guard : accesses[a].guards)
            isExecuted = isExecuted && guard.at(values) >= 0;
          if (isExecuted)
            executions.push_back(
                {a, runs, time, accesses[a].row.at(values), accesses[a].column.at(values)});
        }
        ++time;
        return;
      }
      int64_t first = loops[level].lower.at(values), end = loops[level].upper.at(values);
      values.push_back(0);
      for (values.back() = first; values.back() < end; ++values.back())
        run(level + 1);
      values.pop_back();
      int64_t trips = std::max<int64_t>(0, end - first);
      if (level < control)
        return;
      int64_t bubble = 1;
      for (size_t inner = level + 1; inner < loops.size(); ++inner)
        bubble *= std::max<int64_t>(1, loops[inner].least);
      time += std::max<int64_t>(0, std::max<int64_t>(1, loops[level].least) - trips) * bubble;
    };
    run(0);
    std::map<std::pair<size_t, size_t>, int64_t> smallest;
    for (size_t s = 0; s < executions.size(); ++s)
      for (size_t t = s + 1; t < executions.size(); ++t) {
        const Execution &a = executions[s], &b = executions[t];
        if (a.run != b.run || a.row != b.row || a.column != b.column ||
            !(accesses[a.access].isStore || accesses[b.access].isStore))
          continue;
        auto [place, isNew] = smallest.try_emplace({a.access, b.access}, b.time - a.time);
        place->second = std::min(place->second, b.time - a.time);
      }
    return smallest;
  }
};

} // namespace spindle::hls
