#include "hw/cosim/harness/Exchange.h"

#include <cstdio>
#include <cstring>

namespace spindle::hls {

namespace {

/// Both directions of a file go through the same list of members, so that they cannot differ.
class Writer {
public:
  void word(const uint64_t &value) { words.push_back(value); }
  void text(const std::string &value) {
    word(value.size());
    for (unsigned char c : value)
      word(c);
  }
  template <typename T, typename Each> void list(const std::vector<T> &values, Each each) {
    word(values.size());
    for (const T &value : values)
      each(value);
  }
  void list(const Words &values) {
    word(values.size());
    words.insert(words.end(), values.begin(), values.end());
  }
  Words words;
};

class Reader {
public:
  explicit Reader(const Words &all) : words(all) {}
  void word(uint64_t &value) { value = take(); }
  void text(std::string &value) {
    value.resize(size());
    for (char &c : value)
      c = static_cast<char>(take());
  }
  template <typename T, typename Each> void list(std::vector<T> &values, Each each) {
    values.resize(size());
    for (T &value : values)
      each(value);
  }
  void list(Words &values) {
    values.resize(size());
    for (uint64_t &value : values)
      value = take();
  }
  bool isWhole() const { return !isShort && next == words.size(); }

private:
  uint64_t take() {
    isShort = isShort || next == words.size();
    return isShort ? 0 : words[next++];
  }
  /// No list is longer than what is left.
  size_t size() {
    uint64_t count = take();
    isShort = isShort || count > words.size() - next;
    return isShort ? 0 : static_cast<size_t>(count);
  }

  const Words &words;
  size_t next = 0;
  bool isShort = false;
};

template <typename File, typename S> void exchangeStimulus(File &file, S &stimulus) {
  file.word(stimulus.seed);
  file.word(stimulus.mostCycles);
  file.word(stimulus.memoryLatency);
  file.word(stimulus.traceFrom);
  file.word(stimulus.traceTo);
  file.list(stimulus.runs, [&](auto &run) {
    file.word(run.gap);
    file.word(run.resetPercent);
    file.word(run.stallPercent);
    file.list(run.scalars);
    file.list(run.memories, [&](auto &words) { file.list(words); });
    file.list(run.streams, [&](auto &words) { file.list(words); });
  });
}

template <typename File, typename R> void exchangeResponse(File &file, R &response) {
  file.list(response.outcomes, [&](auto &outcome) {
    file.word(outcome.isFinished);
    file.word(outcome.cycles);
    file.word(outcome.startCycle);
    file.word(outcome.endCycle);
    file.list(outcome.results);
    file.list(outcome.memories, [&](auto &words) { file.list(words); });
    file.list(outcome.lastWrites, [&](auto &words) { file.list(words); });
    file.list(outcome.streams, [&](auto &words) { file.list(words); });
    file.list(outcome.left);
    file.list(outcome.moments, [&](auto &words) { file.list(words); });
    file.list(outcome.spans, [&](auto &words) { file.list(words); });
    file.list(outcome.fills, [&](auto &words) { file.list(words); });
  });
  file.list(response.violations, [&](auto &violation) {
    file.word(violation.run);
    file.word(violation.cycle);
    file.text(violation.text);
  });
}

bool writeWords(const std::string &path, const Words &words) {
  std::FILE *file = std::fopen(path.c_str(), "wb");
  if (!file)
    return false;
  bool isWritten = std::fwrite(words.data(), 8, words.size(), file) == words.size();
  return std::fclose(file) == 0 && isWritten;
}

bool readWords(const std::string &path, Words &words) {
  std::FILE *file = std::fopen(path.c_str(), "rb");
  if (!file)
    return false;
  std::fseek(file, 0, SEEK_END);
  long bytes = std::ftell(file);
  std::fseek(file, 0, SEEK_SET);
  words.resize(bytes > 0 ? static_cast<size_t>(bytes) / 8 : 0);
  bool isRead = bytes >= 0 && std::fread(words.data(), 8, words.size(), file) == words.size();
  std::fclose(file);
  return isRead;
}

} // namespace

bool writeStimulus(const std::string &path, const Stimulus &stimulus) {
  Writer writer;
  exchangeStimulus(writer, stimulus);
  return writeWords(path, writer.words);
}

bool readStimulus(const std::string &path, Stimulus &stimulus) {
  Words words;
  Reader reader(words);
  if (!readWords(path, words))
    return false;
  exchangeStimulus(reader, stimulus);
  return reader.isWhole();
}

bool writeResponse(const std::string &path, const Response &response) {
  Writer writer;
  exchangeResponse(writer, response);
  return writeWords(path, writer.words);
}

bool readResponse(const std::string &path, Response &response) {
  Words words;
  Reader reader(words);
  if (!readWords(path, words))
    return false;
  exchangeResponse(reader, response);
  return reader.isWhole();
}

} // namespace spindle::hls
