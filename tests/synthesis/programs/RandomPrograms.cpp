#include "tests/synthesis/programs/RandomPrograms.h"

#include "tests/synthesis/programs/LoopWriter.h"

namespace spindle::hls {

namespace {

class ProgramWriter : public LoopWriter {
public:
  ProgramWriter(uint64_t seed, const RandomProgramOptions &given)
      : LoopWriter(seed, given), options(given) {}

  std::string write() {
    Scope arguments, results;
    std::string head;
    for (unsigned part = 0; part < options.parts; ++part)
      writePart(part, arguments, results);
    end("return", results);
    return globals + functions +
           fmt::format("func.func @kernel({}) -> ({}) {{\n{}}}\n", declared(arguments),
                       typesOf(results), text);
  }

private:
  struct Function {
    std::string name;
    Scope parameters; // scalars and arrays
    Scope results;
  };

  void writePart(unsigned part, Scope &arguments, Scope &results);
  void writeFunction(const std::vector<Array> &arrays);
  void block(Place &place, unsigned depth) override;
  void statement(Place &place);
  void nested(Place &place, unsigned depth);
  void call(Place &place);
  Place placeOf(const std::vector<Array> &arrays, const Scope &scalars);

  RandomProgramOptions options;
  std::string functions;
  std::vector<Function> callees;
};

/// An index argument is a symbol, too.
Place ProgramWriter::placeOf(const std::vector<Array> &arrays, const Scope &scalars) {
  Place place;
  place.arrays = arrays;
  place.scope = scalars;
  for (const Named &scalar : scalars)
    if (scalar.type == "index")
      place.symbols.push_back({scalar.name, -8, 24, true});
  return place;
}

void ProgramWriter::writePart(unsigned part, Scope &arguments, Scope &results) {
  std::vector<Array> arrays;
  Scope scalars;
  for (unsigned count = 1 + below(3); count > 0; --count) {
    arrays.push_back(anyArray(fmt::format("%m{}_{}", part, count), anyType()));
    arguments.push_back({arrays.back().name, arrays.back().type});
  }
  for (unsigned count = 1 + below(2); count > 0; --count) {
    scalars.push_back({fmt::format("%s{}_{}", part, count), chance(4) ? "index" : anyType()});
    arguments.push_back(scalars.back());
  }
  callees.clear();
  for (unsigned count = chance(3) ? 1 + below(2) : 0; count > 0; --count)
    writeFunction(arrays);
  Place place = placeOf(arrays, scalars);
  for (unsigned count = below(2); count > 0; --count)
    place.arrays.push_back(constantArray());
  for (unsigned count = below(2); count > 0; --count)
    place.arrays.push_back(localArray(place));
  for (unsigned count = 2 + below(options.statements); count > 0; --count)
    chance(4) ? statement(place) : nested(place, 1 + below(2));
  for (unsigned count = below(3); count > 0; --count)
    results.push_back(any(place.scope));
  if (options.parts == 1 && results.empty())
    results.push_back(place.scope.back());
}

/// Its arrays have types of those of the kernel. Calls inside of functions are of earlier ones.
void ProgramWriter::writeFunction(const std::vector<Array> &arrays) {
  std::string before = std::exchange(text, "");
  unsigned wasIndent = std::exchange(indent, 1);
  Function made{fmt::format("@f{}", next++), {}, {}};
  std::vector<Array> own;
  for (unsigned count = below(3); count > 0; --count) {
    Array array = oneOf(arrays);
    array.name = fresh();
    own.push_back(array);
    made.parameters.push_back({array.name, array.type});
  }
  Scope scalars;
  for (unsigned count = 1 + below(2); count > 0; --count)
    scalars.push_back({fresh(), anyType()});
  made.parameters.insert(made.parameters.end(), scalars.begin(), scalars.end());
  Place place = placeOf(own, scalars);
  place.symbols.clear(); // of any value
  for (unsigned count = 1 + below(2); count > 0; --count)
    chance(2) ? statement(place) : nested(place, 1);
  for (unsigned count = below(3); count > 0; --count)
    made.results.push_back(any(place.scope));
  end("return", made.results);
  functions += fmt::format("func.func private {}({}) -> ({}) {{\n{}}}\n", made.name,
                           declared(made.parameters), typesOf(made.results), text);
  text = before;
  indent = wasIndent;
  callees.push_back(made);
}

void ProgramWriter::call(Place &place) {
  if (callees.empty())
    return;
  const Function &callee = oneOf(callees);
  Scope given, results;
  for (const Named &parameter : callee.parameters) {
    bool isArray = parameter.type[0] == 'm';
    Named found = isArray ? Named() : anyOf(place.scope, parameter.type);
    for (const Array &array : place.arrays)
      if (isArray && array.type == parameter.type && !array.isConstant &&
          (found.name.empty() || chance(2)))
        found = {array.name, array.type};
    if (found.name.empty())
      return;
    given.push_back(found);
  }
  for (const Named &result : callee.results)
    results.push_back({fresh(), result.type});
  line(fmt::format("{}func.call {}({}) : ({}) -> ({})", defining(results), callee.name,
                   namesOf(given), typesOf(given), typesOf(results)));
  place.scope.insert(place.scope.end(), results.begin(), results.end());
}

void ProgramWriter::statement(Place &place) {
  switch (below(12)) {
  case 0:
    if (!place.counters.empty() || !place.symbols.empty())
      place.scope.push_back(applied(place));
    return;
  case 1:
    return call(place);
  case 2:
    if (!place.arrays.empty()) {
      Array made = view(place, Array(oneOf(place.arrays)));
      place.arrays.push_back(made);
    }
    return;
  case 3:
  case 4:
  case 5:
    if (!place.arrays.empty())
      place.scope.push_back(loaded(place));
    return;
  case 6:
  case 7:
    if (!place.arrays.empty())
      store(place);
    return;
  default:
    for (unsigned count = 1 + below(3); count > 0; --count)
      place.scope.push_back(computed(place.scope));
  }
}

void ProgramWriter::nested(Place &place, unsigned depth) {
  switch (below(isClosed ? 9 : 11)) {
  case 0:
    return countedLoop(place, depth - 1);
  case 1:
    return parallelLoop(place, depth - 1);
  case 2:
    return affineCondition(place, depth - 1);
  case 3:
    return condition(place, depth - 1);
  case 4:
    return choice(place, depth - 1);
  case 9:
  case 10:
    return whileLoop(place, depth - 1);
  default:
    return affineLoop(place, depth - 1);
  }
}

/// Loops have statements in front of what is inside them, and behind it.
void ProgramWriter::block(Place &place, unsigned depth) {
  for (unsigned count = 1 + below(3); count > 0; --count)
    statement(place);
  if (depth > 0 && below(4))
    nested(place, depth);
  for (unsigned count = below(2); count > 0; --count)
    statement(place);
  if (!place.arrays.empty() && below(3))
    store(place);
}

} // namespace

std::string randomProgram(uint64_t seed, const RandomProgramOptions &options) {
  return ProgramWriter(seed, options).write();
}

} // namespace spindle::hls
