#include "hw/cosim/Compare.h"

#include "fmt/format.h"

namespace spindle::hls {

/// Of a word in which no element lies.
static uint64_t fillerAt(const KernelArgument &argument, size_t word) {
  return (0x5a5a5a5a5a5a5a5a ^ word) & argument.type.mask();
}

static size_t wordOf(const KernelArgument &argument, size_t element) {
  BankAddress at = argument.place(element);
  return at.bank * argument.bankWords() + at.address;
}

static Words toWords(const KernelArgument &argument, const KernelArray &array) {
  Words words(argument.banks() * argument.bankWords());
  for (size_t word = 0; word < words.size(); ++word)
    words[word] = fillerAt(argument, word);
  for (size_t element = 0; element < array.count(); ++element)
    words[wordOf(argument, element)] = array.at(element);
  return words;
}

static Words tokensOf(const KernelArray &array) {
  Words tokens;
  for (size_t n = 0; n < array.count(); ++n)
    tokens.push_back(array.at(n));
  return tokens;
}

BenchRun toRun(const KernelInterface &kernel, const std::vector<KernelArray> &arguments) {
  BenchRun run;
  for (const KernelArgument &argument : kernel.arguments)
    if (argument.isMemory())
      run.memories.push_back(toWords(argument, arguments[argument.index]));
    else if (argument.isStream())
      run.streams.push_back(argument.isRead ? tokensOf(arguments[argument.index]) : Words());
    else
      run.scalars.push_back(arguments[argument.index].at(0));
  return run;
}

Values fromOutcome(const KernelInterface &kernel, const BenchOutcome &outcome,
                   const std::vector<KernelArray> &before) {
  Values values{before, {}};
  size_t memory = 0, stream = 0;
  for (const KernelArgument &argument : kernel.arguments) {
    if (argument.isStream()) {
      const Words &tokens = outcome.streams[stream++];
      if (argument.isRead)
        continue;
      KernelArray &array = values.arguments[argument.index];
      bool isWhole = argument.isArray() && tokens.size() == argument.elements();
      array = makeArray(argument.type,
                        isWhole ? argument.shape : std::vector<int64_t>{int64_t(tokens.size())});
      for (size_t n = 0; n < tokens.size(); ++n)
        array.set(n, tokens[n]);
    }
    if (!argument.isMemory())
      continue;
    KernelArray &array = values.arguments[argument.index];
    for (size_t element = 0; element < array.count(); ++element)
      array.set(element, outcome.memories[memory][wordOf(argument, element)]);
    ++memory;
  }
  for (size_t i = 0; i < kernel.results.size() && i < outcome.results.size(); ++i) {
    values.results.push_back(makeArray(kernel.results[i], {}));
    values.results.back().set(0, outcome.results[i]);
  }
  return values;
}

/// `arg3[2][5]`
static std::string elementName(const KernelArgument &argument, uint64_t element) {
  std::string indices;
  for (size_t d = argument.shape.size(); d-- > 0; element /= uint64_t(argument.shape[d]))
    indices = fmt::format("[{}]{}", element % uint64_t(argument.shape[d]), indices);
  return fmt::format("arg{}{}", argument.index, indices);
}

static std::string differenceText(ElementType type, uint64_t found, uint64_t expected) {
  return fmt::format("is {} ({}), expected {} ({})", numberText(type, found), bitsText(type, found),
                     numberText(type, expected), bitsText(type, expected));
}

namespace {

class Search {
public:
  Search(const BenchOutcome &whole, const ElementName &elementName)
      : outcome(whole), name(elementName) {}

  /// Before the text of a mismatch.
  std::string of(const KernelArgument &argument, size_t element, uint64_t bits) const {
    return name ? name(argument.index, element, bits) + ": " : "";
  }

  /// `text` is only called for what may be the first.
  template <typename Text> void add(uint64_t writtenAt, Text text) {
    ++comparison.mismatches;
    if (comparison.first && earliest <= writtenAt)
      return;
    earliest = writtenAt;
    std::string when = writtenAt == kNever ? "never written"
                                           : fmt::format("last written in cycle {} of {}",
                                                         writtenAt - outcome.startCycle,
                                                         outcome.endCycle - outcome.startCycle);
    comparison.first = {fmt::format("{}; {}", text(), when),
                        writtenAt == kNever ? outcome.endCycle : writtenAt};
  }
  /// A result, which is there at the end, or a token: the first one counts.
  void addResult(const std::string &text) {
    ++comparison.mismatches;
    if (!comparison.first || earliest == kNever) {
      earliest = outcome.endCycle;
      comparison.first = {text, outcome.endCycle};
    }
  }

  Comparison comparison;

private:
  const BenchOutcome &outcome;
  const ElementName &name;
  uint64_t earliest = kNever;
};

void compareMemory(Search &search, const KernelArgument &argument, const Words &before,
                   const Words &after, const Words &lastWrites, const KernelArray &expected) {
  std::vector<bool> holdsElement(after.size());
  for (size_t element = 0; element < expected.count(); ++element) {
    BankAddress at = argument.place(element);
    size_t word = at.bank * argument.bankWords() + at.address;
    holdsElement[word] = true;
    uint64_t found = after[word], right = expected.at(element);
    if (!isSame(argument.type, found, right))
      search.add(lastWrites[word], [&] {
        return fmt::format("{}{} {}; bank {} word {}", search.of(argument, element, found ^ right),
                           elementName(argument, element),
                           differenceText(argument.type, found, right), at.bank, at.address);
      });
  }
  for (size_t word = 0; word < after.size(); ++word)
    if (!holdsElement[word] && after[word] != before[word])
      search.add(lastWrites[word], [&] {
        return fmt::format("arg{} bank {} word {} holds no element, but was written",
                           argument.index, word / argument.bankWords(),
                           word % argument.bankWords());
      });
}

/// `token 7`; of an array its element.
static std::string tokenName(const KernelArgument &argument, uint64_t token) {
  return argument.isArray() ? elementName(argument, token)
                            : fmt::format("arg{} token {}", argument.index, token);
}

/// What the kernel wrote, token for token; of what it reads, everything.
void compareStream(Search &search, const KernelArgument &argument, uint64_t left,
                   const KernelArray &found, const KernelArray &expected) {
  if (argument.isRead && left > 0)
    search.addResult(
        fmt::format("arg{}: {} of {} tokens are not read", argument.index, left, expected.count()));
  if (argument.isRead)
    return;
  for (size_t n = 0; n < std::min(found.count(), expected.count()); ++n)
    if (!isSame(argument.type, found.at(n), expected.at(n)))
      search.addResult(fmt::format("{}{} {}", search.of(argument, n, found.at(n) ^ expected.at(n)),
                                   tokenName(argument, n),
                                   differenceText(argument.type, found.at(n), expected.at(n))));
  if (found.count() != expected.count())
    search.addResult(fmt::format("arg{}: {} tokens come out, expected {}", argument.index,
                                 found.count(), expected.count()));
}

} // namespace

Comparison compare(const KernelInterface &kernel, const BenchRun &run, const BenchOutcome &outcome,
                   const Values &found, const Values &expected, const ElementName &name) {
  Search search(outcome, name);
  size_t memory = 0, stream = 0;
  for (const KernelArgument &argument : kernel.arguments)
    if (argument.isStream()) {
      compareStream(search, argument, outcome.left[stream++], found.arguments[argument.index],
                    expected.arguments[argument.index]);
    } else if (argument.isMemory()) {
      compareMemory(search, argument, run.memories[memory], outcome.memories[memory],
                    outcome.lastWrites[memory], expected.arguments[argument.index]);
      ++memory;
    }
  for (size_t i = 0; i < found.results.size(); ++i)
    if (!isSame(kernel.results[i], found.results[i].at(0), expected.results[i].at(0)))
      search.addResult(fmt::format(
          "result{} {}", i,
          differenceText(kernel.results[i], found.results[i].at(0), expected.results[i].at(0))));
  return search.comparison;
}

} // namespace spindle::hls
