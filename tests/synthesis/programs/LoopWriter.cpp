#include "tests/synthesis/programs/LoopWriter.h"

namespace spindle::hls {

/// Fewer where loops are around.
int64_t LoopWriter::anyTrips() {
  static constexpr int64_t counts[] = {0, 1, 2, 3, 4, 5, 8};
  int64_t trips = oneOf(counts);
  return trips * around > 200 ? 1 + below(2) : trips;
}

Scope LoopWriter::carried(const Scope &scope, unsigned most) {
  Scope values;
  for (unsigned count = below(most + 1); count > 0; --count) {
    values.push_back(chance(3) ? constant(anyType()) : any(scope));
    if (chance(4)) // another one of its type
      values.push_back(anyOf(scope, values.back().type));
  }
  return values;
}

Scope LoopWriter::fresh(const Scope &like) {
  Scope made;
  for (const Named &value : like)
    made.push_back({fresh(), value.type});
  return made;
}

Scope LoopWriter::following(const Scope &before, const Scope &scope) {
  Scope after;
  for (size_t n = 0; n < before.size(); ++n) {
    const Named &other = before[(n + 1) % before.size()];
    bool moves = other.type == before[n].type && chance(3);
    after.push_back(moves ? other : accumulated(before[n], scope));
  }
  return after;
}

/// ` iter_args(%a = %x) -> (i32)`
std::string LoopWriter::initial(const Scope &arguments, const Scope &values) {
  std::string pairs;
  for (size_t n = 0; n < arguments.size(); ++n)
    pairs += fmt::format("{}{} = {}", n ? ", " : "", arguments[n].name, values[n].name);
  return pairs;
}

static std::string iterationArguments(const std::string &pairs, const std::string &types) {
  return pairs.empty() ? "" : fmt::format(" iter_args({}) -> ({})", pairs, types);
}

/// One bound of a loop: a number, a form, or the least or largest of two. Upper bounds stay at or
/// below `limit`, lower ones at or above it.
std::string LoopWriter::bound(const Place &place, bool isUpper, int64_t limit, int64_t &range) {
  Operands operands;
  Form form = affineForm(place, operands);
  if (isClosed && !operands.symbols.empty())
    return bound(place, isUpper, limit, range);
  bool holds = isUpper ? form.most <= limit : form.least >= limit;
  range = isUpper ? std::min(limit, form.most) : std::max(limit, form.least);
  std::string results = form.text;
  if (!holds || chance(4))
    results += fmt::format(", {}", limit);
  if (chance(4)) { // another one inside of both
    Form other = affineForm(place, operands);
    if (!isClosed || operands.symbols.empty()) {
      results += ", " + other.text;
      range = isUpper ? std::min(range, other.most) : std::max(range, other.least);
    }
  }
  bool isOne = results.find(", ") == std::string::npos;
  if (isOne && !operands.dims.size() && !operands.symbols.size())
    return results;
  return fmt::format("{}affine_map<{} -> ({})>{}",
                     isOne     ? ""
                     : isUpper ? "min "
                               : "max ",
                     operands.heading(), results, operands.given());
}

LoopWriter::Bounds LoopWriter::affineBounds(const Place &place) {
  int64_t trips = anyTrips(), step = below(3) ? 1 : between(2, 4), from = between(-3, 3);
  if (chance(2))
    from = 0;
  int64_t to = from + trips * step - (trips > 0 ? between(0, step - 1) : between(0, 2));
  std::string lower = std::to_string(from), upper = std::to_string(to);
  int64_t least = from, end = to;
  if (chance(4))
    lower = bound(place, false, from, least);
  if (chance(4))
    upper = bound(place, true, to, end);
  std::string range = fmt::format("{} to {}", lower, upper);
  if (step > 1)
    range += fmt::format(" step {}", step);
  // A start at the largest of several may lie anywhere from `from` on.
  return {range, from, std::max(from, to - 1)};
}

void LoopWriter::affineLoop(Place &place, unsigned depth) {
  Bounds bounds = affineBounds(place);
  std::string counter = fresh();
  Scope start = carried(place.scope, 2), held = fresh(start), results = fresh(start);
  open(fmt::format("{}affine.for {} = {}{}", defining(results), counter, bounds.text,
                   iterationArguments(initial(held, start), typesOf(start))));
  Place within = place;
  within.counters.push_back({counter, bounds.least, bounds.most, true});
  within.scope.insert(within.scope.end(), held.begin(), held.end());
  if (chance(2))
    within.scope.push_back({counter, "index"});
  int64_t before = around;
  around *= bounds.most - bounds.least + 1;
  block(within, depth);
  around = before;
  end("affine.yield", following(held, within.scope));
  bool isDirected = chance(6);
  close(isDirected && hasDirectives ? fmt::format(" {{hls.unroll = {} : i64}}", below(4)) : "");
  place.scope.insert(place.scope.end(), results.begin(), results.end());
}

/// From 0 to `most`, a number or data.
Named LoopWriter::countedBound(Place &place, const std::string &type, int64_t most) {
  if (isClosed || chance(2))
    return number(between(0, most), type);
  return cast(indexBelow(place.scope, most + 1), type);
}

void LoopWriter::countedLoop(Place &place, unsigned depth) {
  std::string type = chance(4) ? "i32" : "index", counter = fresh();
  int64_t most = around > 50 ? 2 : 6;
  Named from = chance(2) ? number(between(-2, 2), type) : countedBound(place, type, 3);
  Named to = countedBound(place, type, most);
  Named step = number(between(1, 3), type);
  if (!isClosed && chance(4)) { // data, at least one
    Named given = cast(indexBelow(place.scope, 4), type), one = number(1, type);
    step = let(type, fmt::format("arith.maxsi {}, {} : {}", given.name, one.name, type));
  }
  Scope start = carried(place.scope, 2), held = fresh(start), results = fresh(start);
  open(fmt::format("{}scf.for {} = {} to {} step {}{}{}", defining(results), counter, from.name,
                   to.name, step.name, iterationArguments(initial(held, start), typesOf(start)),
                   type == "index" ? "" : " : " + type));
  Place within = place;
  within.scope.insert(within.scope.end(), held.begin(), held.end());
  within.scope.push_back({counter, type});
  if (type == "index")
    within.counters.push_back({counter, -2, most - 1, false});
  int64_t before = around;
  around *= most;
  block(within, depth);
  around = before;
  end("scf.yield", following(held, within.scope));
  close();
  place.scope.insert(place.scope.end(), results.begin(), results.end());
}

/// Counts down from a few, and may end before; the body is in front of the condition or behind it.
void LoopWriter::whileLoop(Place &place, unsigned depth) {
  std::string type = chance(2) ? "i32" : chance(2) ? "index" : "i8";
  bool testsLast = chance(2);
  Scope start{cast(indexBelow(place.scope, around > 50 ? 2 : 5), type)};
  Scope more = carried(place.scope, 2);
  start.insert(start.end(), more.begin(), more.end());
  Scope held = fresh(start), passed = fresh(start);
  std::string result = fresh();
  open(fmt::format("{}:{} = scf.while ({}) : ({}) -> ({})", result, start.size(),
                   initial(held, start), typesOf(start), typesOf(start)));
  int64_t before = around;
  around *= 5;
  auto body = [&](const Scope &values, const Named &less) {
    Place within = place;
    within.scope.insert(within.scope.end(), values.begin(), values.end());
    block(within, depth);
    Scope after = following(values, within.scope);
    after[0] = less;
    return after;
  };
  auto decremented = [&](const Named &value) {
    return let(type, fmt::format("arith.subi {}, {} : {}", value.name, number(1, type).name, type));
  };
  auto goesOn = [&](const Named &count, const Scope &scope) {
    Named is = let(
        "i1", fmt::format("arith.cmpi sgt, {}, {} : {}", count.name, number(0, type).name, type));
    if (chance(2))
      is = let("i1", fmt::format("arith.andi {}, {} : i1", is.name, condition(scope).name));
    return is.name;
  };
  Scope passes = testsLast ? body(held, decremented(held[0])) : held;
  Scope known = place.scope;
  known.insert(known.end(), passes.begin(), passes.end());
  line(fmt::format("scf.condition({}) {} : {}", goesOn(passes[0], known), namesOf(passes),
                   typesOf(passes)));
  reopen("} do {");
  line(fmt::format("^bb0({}):", declared(passed)));
  end("scf.yield", testsLast ? passed : body(passed, decremented(passed[0])));
  close();
  around = before;
  for (size_t n = 0; n < start.size(); ++n)
    place.scope.push_back({fmt::format("{}#{}", result, n), start[n].type});
}

/// Its reduction is of integers, in any order the same.
void LoopWriter::parallelLoop(Place &place, unsigned depth) {
  static const char *const kinds[] = {"addi", "muli", "ori", "andi", "xori", "maxsi", "minui"};
  bool isAffine = chance(2), reduces = chance(2);
  unsigned kind = below(isAffine ? 4 : 7), dims = 1 + below(2);
  std::string type = fmt::format("i{}", 1 + below(64));
  Named result{reduces ? fresh() : "", type};
  Scope results = reduces ? Scope{result} : Scope();
  Place within = place;
  std::string counters, from, to, step;
  for (unsigned dim = 0; dim < dims; ++dim) {
    std::string counter = fresh(), comma = dim ? ", " : "";
    int64_t least = isAffine && chance(3) ? -1 : 0, trips = std::min<int64_t>(anyTrips(), 4);
    counters += comma + counter;
    from += comma + (isAffine ? std::to_string(least) : number(least, "index").name);
    to += comma + (isAffine ? std::to_string(least + trips) : number(least + trips, "index").name);
    step += comma + (isAffine ? "1" : number(1, "index").name);
    within.counters.push_back({counter, least, std::max(least, least + trips - 1), isAffine});
    within.scope.push_back({counter, "index"});
  }
  if (isAffine) {
    open(fmt::format("{}affine.parallel ({}) = ({}) to ({}){}", defining(results), counters, from,
                     to,
                     reduces ? fmt::format(" reduce (\"{}\") -> ({})", kinds[kind], type) : ""));
  } else {
    Named start = reduces ? anyOf(place.scope, type) : Named();
    open(fmt::format("{}scf.parallel ({}) = ({}) to ({}) step ({}){}", defining(results), counters,
                     from, to, step,
                     reduces ? fmt::format(" init ({}) -> {}", start.name, type) : ""));
  }
  int64_t before = around;
  around *= 8;
  block(within, depth);
  around = before;
  if (reduces) {
    Named term = anyOf(within.scope, type);
    if (isAffine) {
      end("affine.yield", {term});
    } else {
      open(fmt::format("scf.reduce({} : {})", term.name, type));
      Scope both{{fresh(), type}, {fresh(), type}};
      line(fmt::format("^bb0({}):", declared(both)));
      Named sum = let(type, fmt::format("arith.{} {} : {}", kinds[kind], namesOf(both), type));
      line(fmt::format("scf.reduce.return {} : {}", sum.name, type));
      close();
    }
  }
  close();
  place.scope.insert(place.scope.end(), results.begin(), results.end());
}

/// Both branches of a condition whose operation begins with `head`.
void LoopWriter::branches(Place &place, const std::string &head, unsigned depth, bool isAffine) {
  Scope results;
  for (unsigned count = below(3); count > 0; --count)
    results.push_back({fresh(), anyType()});
  bool hasElse = !results.empty() || chance(2);
  std::string types = results.empty() ? "" : fmt::format(" -> ({})", typesOf(results));
  open(defining(results) + head + types);
  for (bool isThen : {true, false}) {
    if (!isThen && !hasElse)
      continue;
    if (!isThen)
      reopen("} else {");
    Place within = place;
    block(within, depth);
    Scope yielded;
    for (const Named &one : results)
      yielded.push_back(anyOf(within.scope, one.type));
    if (!yielded.empty())
      end(isAffine ? "affine.yield" : "scf.yield", yielded);
  }
  close();
  place.scope.insert(place.scope.end(), results.begin(), results.end());
}

void LoopWriter::affineCondition(Place &place, unsigned depth) {
  Operands operands;
  std::string constraints;
  for (unsigned count = 1 + below(2); count > 0; --count)
    constraints += fmt::format("{}{} {} 0", constraints.empty() ? "" : ", ",
                               affineForm(place, operands).text, chance(3) ? "==" : ">=");
  branches(place,
           fmt::format("affine.if affine_set<{} : ({})>{}", operands.heading(), constraints,
                       operands.given()),
           depth, true);
}

void LoopWriter::condition(Place &place, unsigned depth) {
  branches(place, "scf.if " + condition(place.scope).name, depth, false);
}

void LoopWriter::choice(Place &place, unsigned depth) {
  Scope results;
  for (unsigned count = 1 + below(2); count > 0; --count)
    results.push_back({fresh(), anyType()});
  std::string which = indexBelow(place.scope, 4).name;
  line(fmt::format("{}scf.index_switch {} -> {}", defining(results), which, typesOf(results)));
  for (int number : {0, 2, -1}) {
    open(number < 0 ? "default" : fmt::format("case {}", number));
    Place within = place;
    block(within, depth);
    Scope yielded;
    for (const Named &one : results)
      yielded.push_back(anyOf(within.scope, one.type));
    end("scf.yield", yielded);
    close();
  }
  place.scope.insert(place.scope.end(), results.begin(), results.end());
}

} // namespace spindle::hls
