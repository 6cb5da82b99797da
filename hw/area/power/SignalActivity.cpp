#include "hw/area/power/SignalActivity.h"

#include "fmt/format.h"

#include <fstream>
#include <unordered_map>
#include <vector>

namespace spindle::hls {

namespace {

/// A signal of the waveform, all its bits.
struct Wave {
  std::vector<std::string> paths;
  std::vector<char> now;     // '0', '1', …; the lowest bit first
  std::vector<char> settled; // of the cycle before
  std::vector<Activity> bits;
  std::vector<uint64_t> highSince; // the cycle from which on it has been 1
  bool isTouched = false;
};

class Reader {
public:
  explicit Reader(std::string file) : path(std::move(file)) {}

  llvm::Expected<SignalActivity> read() {
    std::ifstream in(path);
    std::string word;
    while (in >> word)
      SPINDLE_RETURN_IF_ERROR(take(in, word));
    if (waves.empty() || !hasValues)
      return checkError(path, "is no waveform with signals and values");
    if (isSettled)
      endCycle(); // the last one
    SignalActivity found;
    found.cycles = cycles;
    for (Wave &wave : waves)
      for (size_t bit = 0; bit < wave.now.size(); ++bit) {
        Activity &one = wave.bits[bit];
        if (wave.settled[bit] == '1')
          one.high += cycles - wave.highSince[bit];
        for (const std::string &signal : wave.paths)
          found.signals[wave.now.size() == 1 ? signal : fmt::format("{}[{}]", signal, bit)] = one;
      }
    return found;
  }

private:
  llvm::Error take(std::ifstream &in, const std::string &word) {
    switch (word.front()) {
    case '$':
      return takeCommand(in, word);
    case '#':
      return takeMoment(word);
    case 'b':
    case 'B': {
      std::string code;
      in >> code;
      return change(code, word.substr(1));
    }
    case 'r':
    case 'R': { // a real number
      std::string code;
      in >> code;
      return llvm::Error::success();
    }
    default:
      return change(word.substr(1), word.substr(0, 1));
    }
  }

  llvm::Error takeCommand(std::ifstream &in, const std::string &command) {
    if (command == "$end" || command == "$dumpvars" || command == "$dumpall" ||
        command == "$dumpon" || command == "$dumpoff")
      return llvm::Error::success(); // values follow
    std::vector<std::string> words;
    std::string word;
    while (in >> word && word != "$end")
      words.push_back(word);
    if (command == "$scope" && words.size() == 2)
      scopes.push_back(words[1]);
    else if (command == "$upscope" && !scopes.empty())
      scopes.pop_back();
    else if (command == "$var" && words.size() >= 4)
      return declare(words);
    return llvm::Error::success();
  }

  llvm::Error declare(const std::vector<std::string> &words) {
    size_t bits = 0;
    for (char digit : words[1]) {
      if (digit < '0' || digit > '9' || bits > 1000000)
        return checkError(path, fmt::format("a signal has '{}' bits", words[1]));
      bits = bits * 10 + size_t(digit - '0');
    }
    auto [known, isNew] = codes.try_emplace(words[2], waves.size());
    if (isNew)
      waves.push_back({{},
                       std::vector<char>(bits, 'x'),
                       std::vector<char>(bits, 'x'),
                       std::vector<Activity>(bits),
                       std::vector<uint64_t>(bits, 0)});
    std::string name;
    for (const std::string &scope : scopes)
      name += scope + ".";
    if (waves[known->second].now.size() == bits)
      waves[known->second].paths.push_back(name + words[3]);
    return llvm::Error::success();
  }

  llvm::Error change(const std::string &code, const std::string &value) {
    auto known = codes.find(code);
    if (known == codes.end())
      return checkError(path, fmt::format("a value is for '{}', which is no signal", code));
    Wave &wave = waves[known->second];
    if (value.empty() || value.size() > wave.now.size())
      return checkError(path, fmt::format("the value '{}' is for {} bits", value, wave.now.size()));
    hasValues = true;
    for (size_t bit = 0; bit < wave.now.size(); ++bit) // those in front are zeros
      wave.now[bit] = bit < value.size() ? value[value.size() - 1 - bit] : '0';
    if (!wave.isTouched)
      touched.push_back(known->second);
    wave.isTouched = true;
    return llvm::Error::success();
  }

  llvm::Error takeMoment(const std::string &word) {
    uint64_t moment = 0;
    for (char digit : word.substr(1)) {
      if (digit < '0' || digit > '9')
        return checkError(path, fmt::format("'{}' is no moment", word));
      moment = moment * 10 + uint64_t(digit - '0');
    }
    if (isSettled)
      endCycle();
    isSettled = moment % 2 == 0;
    return llvm::Error::success();
  }

  /// All values of a settled moment are known.
  void endCycle() {
    for (size_t index : touched) {
      Wave &wave = waves[index];
      wave.isTouched = false;
      for (size_t bit = 0; bit < wave.now.size(); ++bit) {
        char before = wave.settled[bit], now = wave.now[bit];
        if (before == now)
          continue;
        if (before != 'x')
          ++wave.bits[bit].changes;
        if (before == '1')
          wave.bits[bit].high += cycles - wave.highSince[bit];
        wave.highSince[bit] = cycles;
        wave.settled[bit] = now;
      }
    }
    touched.clear();
    ++cycles;
  }

  std::string path;
  std::vector<std::string> scopes;
  std::unordered_map<std::string, size_t> codes;
  std::vector<Wave> waves;
  std::vector<size_t> touched; // since the last settled moment
  uint64_t cycles = 0;
  bool isSettled = false, hasValues = false;
};

} // namespace

llvm::Expected<SignalActivity> readActivity(const std::string &path) { return Reader(path).read(); }

} // namespace spindle::hls
