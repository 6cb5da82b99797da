#include "tests/bench/Peers.h"

#include "core/support/files/File.h"
#include "core/support/formats/Json.h"
#include "core/support/formats/Npz.h"

#include "fmt/format.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Program.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace spindle::bench {

constexpr int kSkipped = 77; // exit code of the scripts

static llvm::Expected<PeerAnswer> parseAnswer(const std::string &place, llvm::StringRef text) {
  auto json = nlohmann::ordered_json::parse(text.begin(), text.end(), nullptr, false);
  return parseJson<PeerAnswer>(place, json, [](const Json &answer) {
    return PeerAnswer{answer.at("seconds"), answer.at("spikes").get<std::vector<uint64_t>>(),
                      answer.at("detail")};
  });
}

llvm::Expected<std::variant<PeerAnswer, PeerSkipped>>
runPeer(const Peer &peer, const std::string &file, int64_t runs,
        const std::vector<std::string> &moreArguments) {
  const char *variable = std::getenv("SPINDLE_PYTHON");
  std::string python = variable ? variable : "/usr/bin/python3";
  std::string script = std::string(SPINDLE_PEERS) + "/" + peer.script;

  llvm::SmallString<128> output, errors;
  if (llvm::sys::fs::createTemporaryFile("spindle-peer", "out", output) ||
      llvm::sys::fs::createTemporaryFile("spindle-peer", "err", errors))
    return inputError(output.str().str(), "cannot create a temporary file");
  llvm::FileRemover removeOutput(output), removeErrors(errors);

  std::string runsText = std::to_string(runs), failure;
  std::vector<llvm::StringRef> arguments = {python, script, file, "--runs", runsText};
  arguments.insert(arguments.end(), moreArguments.begin(), moreArguments.end());
  bool failed = false;
  int code = llvm::sys::ExecuteAndWait(
      python, arguments, std::nullopt,
      {llvm::StringRef(""), llvm::StringRef(output), llvm::StringRef(errors)}, 0, 0, &failure,
      &failed);
  if (failed || code == -1)
    return PeerSkipped{fmt::format("{} does not run: {} (variable SPINDLE_PYTHON)", python,
                                   llvm::StringRef(failure).trim().str())};
  SPINDLE_ASSIGN(std::string text, readFile(output.str().str()));
  llvm::StringRef last = llvm::StringRef(text).trim().rsplit('\n').second;
  if (last.empty())
    last = llvm::StringRef(text).trim();
  if (code == kSkipped && last.consume_front("skipped: "))
    return PeerSkipped{last.str()};
  if (code != 0) {
    SPINDLE_ASSIGN(std::string complaint, readFile(errors.str().str()));
    llvm::StringRef trimmed = llvm::StringRef(complaint).trim();
    return inputError(script, fmt::format("ends with code {}: {}", code,
                                          trimmed.substr(trimmed.rfind('\n') + 1).str()));
  }
  SPINDLE_ASSIGN(PeerAnswer answer, parseAnswer(script, last));
  return answer;
}

llvm::Error checkSpikes(const std::string &place, const Measurement &ours, const PeerAnswer &peer,
                        double tolerance) {
  if (peer.spikes.size() != ours.spikes.size())
    return checkError(place, fmt::format("answers for {} populations, expected {}",
                                         peer.spikes.size(), ours.spikes.size()));
  for (size_t p = 0; p < ours.spikes.size(); ++p) {
    auto mine = double(ours.spikes[p]), theirs = double(peer.spikes[p]);
    if (std::abs(theirs - mine) > tolerance * mine)
      return checkError(place,
                        fmt::format("{} spikes in {}, expected {} within {:.0f} %", peer.spikes[p],
                                    ours.populations[p].name, ours.spikes[p], 100 * tolerance));
  }
  return llvm::Error::success();
}

llvm::Expected<uint64_t> checkFirstSpikes(const Peer &peer, const std::string &file,
                                          const Measurement &ours) {
  llvm::SmallString<128> path;
  if (llvm::sys::fs::createTemporaryFile("spindle-spikes", "npz", path))
    return inputError(path.str().str(), "cannot create a temporary file");
  llvm::FileRemover remove(path);
  SPINDLE_ASSIGN(auto answer, runPeer(peer, file, 1,
                                      {"--double", "--steps", std::to_string(peer.equalSteps),
                                       "--spikes", path.str().str()}));
  if (auto *skipped = std::get_if<PeerSkipped>(&answer))
    return checkError(peer.script, "skipped the second time: " + skipped->reason);
  SPINDLE_ASSIGN(auto members, readNpz(path.str().str()));
  const NpyArray *steps = findMember(members, "step"), *neurons = findMember(members, "neuron");
  if (!steps || !neurons || steps->count() != neurons->count())
    return checkError(peer.script, "writes spikes without the arrays 'step' and 'neuron'");
  std::vector<int64_t> step = steps->integers(), neuron = neurons->integers();
  std::vector<Spike> theirs, mine;
  for (size_t k = 0; k < step.size(); ++k)
    theirs.push_back({uint32_t(step[k]), NeuronId(neuron[k])});
  std::sort(theirs.begin(), theirs.end());
  for (const Spike &spike : ours.recorded)
    if (spike.step < peer.equalSteps && spike.neuron < ours.populations.front().size)
      mine.push_back(spike);
  auto [here, there] = std::mismatch(mine.begin(), mine.end(), theirs.begin(), theirs.end());
  auto text = [](auto at, auto end) {
    return at == end ? "none" : fmt::format("step {} neuron {}", at->step, at->neuron);
  };
  if (here != mine.end() || there != theirs.end())
    return checkError(peer.script,
                      fmt::format("{} spikes in the first {} steps, expected {}; after {} equal "
                                  "ones it has {}, expected {}",
                                  theirs.size(), peer.equalSteps, mine.size(), here - mine.begin(),
                                  text(there, theirs.end()), text(here, mine.end())));
  return mine.size();
}

} // namespace spindle::bench
