#include "lib/frontend/network/Values.h"

#include "core/support/files/DataPath.h"
#include "core/support/formats/Npz.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <cmath>
#include <numbers>

namespace spindle::network {

static void readPair(YamlReader &section, const char *key, Values::Kind kind, Values &values) {
  section.read(key, values.numbers);
  values.kind = kind;
  if (values.numbers.size() != 2) {
    section.fail(key, fmt::format("{} has {} numbers, expected two: {}", key, values.numbers.size(),
                                  kind == Values::Kind::Uniform ? "from and to"
                                                                : "mean and standard deviation"));
    values.numbers = {0, 0};
  }
}

/// Of an archive of NumPy.
static llvm::Expected<Values> readArray(const std::string &path, const std::string &name) {
  SPINDLE_ASSIGN(std::vector<NpzMember> members, readNpz(path));
  std::vector<std::string> known;
  for (const NpzMember &member : members)
    known.push_back(member.name);
  const NpyArray *array = findMember(members, name);
  if (!array)
    return inputError(
        path, fmt::format("has no array '{}', expected one of {}", name, fmt::join(known, ", ")));
  Values values{Values::Kind::Listed, array->doubles(), array->shape};
  if (values.numbers.empty())
    return inputError(path,
                      fmt::format("the array '{}' is empty, expected a number or more", name));
  for (double number : values.numbers)
    if (!std::isfinite(number))
      return inputError(
          path, fmt::format("the array '{}' holds {}, expected finite numbers", name, number));
  return values;
}

/// {npz, array}.
static bool readArchive(YamlReader &section, const std::string &file, Values &values) {
  std::string archive, name;
  section.read("npz", archive);
  section.require("array");
  section.read("array", name);
  if (!section.has("array"))
    return false;
  auto read = [&]() -> llvm::Expected<Values> {
    SPINDLE_ASSIGN(std::string path, PathResolver(file).find(archive, ""));
    return readArray(path, name);
  };
  llvm::Expected<Values> found = read();
  if (found) {
    values = std::move(*found);
    return true;
  }
  llvm::handleAllErrors(found.takeError(), [&](const SpindleError &error) {
    section.fail("npz", error.place.empty() ? error.message
                                            : fmt::format("{}: {}", error.place, error.message));
  });
  return false;
}

bool readValues(YamlReader &reader, const std::string &key, const std::string &file,
                Values &values) {
  if (!reader.has(key))
    return false;
  if (!reader.isMapping(key)) {
    Values listed;
    reader.read(key, listed.numbers);
    if (listed.numbers.empty()) {
      reader.fail(key, fmt::format("{} lists nothing, expected one number or more", key));
      return false;
    }
    values = listed;
    return true;
  }
  YamlReader section = reader.section(key);
  Values drawn;
  bool isUniform = section.has("uniform"), isNormal = section.has("normal");
  if (isUniform + isNormal + section.has("npz") != 1) {
    reader.fail(key, fmt::format("{} is a mapping, expected {{uniform: [from, to]}}, "
                                 "{{normal: [mean, deviation]}} or {{npz: FILE, array: NAME}}",
                                 key));
    return false;
  }
  if (section.has("npz"))
    return readArchive(section, file, values);
  if (isUniform) {
    readPair(section, "uniform", Values::Kind::Uniform, drawn);
    if (drawn.numbers[0] > drawn.numbers[1])
      section.fail("uniform",
                   fmt::format("uniform goes from {} to {}, expected the lower one first",
                               drawn.numbers[0], drawn.numbers[1]));
  } else {
    readPair(section, "normal", Values::Kind::Normal, drawn);
    if (drawn.numbers[1] < 0)
      section.fail("normal", fmt::format("normal has the standard deviation {}, expected zero or "
                                         "more",
                                         drawn.numbers[1]));
  }
  values = drawn;
  return true;
}

void readList(YamlReader &reader, const std::string &key, const std::string &file,
              std::vector<double> &values) {
  if (!reader.isMapping(key))
    return reader.read(key, values);
  Values found;
  if (!readValues(reader, key, file, found))
    return;
  if (found.kind != Values::Kind::Listed)
    return reader.fail(key, fmt::format("{} is drawn, expected a list or {{npz: FILE, array: "
                                        "NAME}}",
                                        key));
  values = std::move(found.numbers);
}

void readList(YamlReader &reader, const std::string &key, const std::string &file,
              std::vector<int64_t> &values) {
  if (!reader.isMapping(key))
    return reader.read(key, values);
  std::vector<double> found;
  readList(reader, key, file, found);
  values.clear();
  for (double number : found) {
    if (number != std::floor(number) || std::abs(number) > 1e9)
      return reader.fail(key, fmt::format("{} holds {}, expected whole numbers", key, number));
    values.push_back(static_cast<int64_t>(number));
  }
}

uint64_t keyOf(uint64_t seed, llvm::StringRef name) {
  uint64_t hash = 0xcbf29ce484222325; // Fowler-Noll-Vo, 1a: the same everywhere
  for (char letter : name)
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
  return seed ^ hash;
}

CounterRandom randomOf(uint64_t seed, llvm::StringRef name, uint32_t item) {
  return CounterRandom(keyOf(seed, name), 0, item);
}

double draw(const Values &values, CounterRandom &random) {
  double a = values.numbers[0];
  if (values.kind == Values::Kind::Listed)
    return a;
  double b = values.numbers[1], u = random.uniform();
  if (values.kind == Values::Kind::Uniform)
    return a + (b - a) * u;
  double angle = 2 * std::numbers::pi * random.uniform(); // Box and Muller 1958
  return a + b * std::sqrt(-2 * std::log(1 - u)) * std::cos(angle);
}

std::vector<double> numbersOf(const Values &values, size_t count, uint64_t seed,
                              const std::string &name) {
  if (values.kind == Values::Kind::Listed)
    return values.numbers;
  std::vector<double> numbers(count);
  for (size_t n = 0; n < count; ++n) {
    CounterRandom random = randomOf(seed, name, static_cast<uint32_t>(n));
    numbers[n] = draw(values, random);
  }
  return numbers;
}

constexpr double kMostSteps = 1e9;

std::optional<int64_t> wholeSteps(double ms, double dtMs) {
  double steps = ms / dtMs, nearest = std::round(steps);
  if (std::abs(steps - nearest) > 1e-6 * std::max(1.0, nearest) || std::abs(nearest) > kMostSteps)
    return std::nullopt;
  return static_cast<int64_t>(nearest);
}

void readSteps(YamlReader &reader, const std::string &key, double dtMs, int64_t least,
               int64_t &steps) {
  if (!reader.has(key))
    return;
  double ms = 0;
  reader.read(key, ms);
  std::optional<int64_t> whole = wholeSteps(ms, dtMs);
  if (ms / dtMs > kMostSteps)
    return reader.fail(
        key, fmt::format("{} is {} ms, expected at most {} ms", key, ms, kMostSteps * dtMs));
  if (!whole)
    return reader.fail(
        key, fmt::format("{} is {} ms, which is no multiple of dt, {} ms", key, ms, dtMs));
  if (*whole < least)
    return reader.fail(key, fmt::format("{} is {} ms, expected at least {} ms", key, ms,
                                        static_cast<double>(least) * dtMs));
  steps = *whole;
}

} // namespace spindle::network
