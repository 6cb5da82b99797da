#include "tests/bench/Peers.h"

#include "lib/support/File.h"
#include "lib/support/Json.h"

#include "fmt/format.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Program.h"

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
runPeer(const Peer &peer, const std::string &file, int64_t runs) {
  const char *variable = std::getenv("SPINDLE_PYTHON");
  std::string python = variable ? variable : "/usr/bin/python3";
  std::string script = std::string(SPINDLE_PEERS) + "/" + peer.script;

  llvm::SmallString<128> output, errors;
  if (llvm::sys::fs::createTemporaryFile("spindle-peer", "out", output) ||
      llvm::sys::fs::createTemporaryFile("spindle-peer", "err", errors))
    return inputError(output.str().str(), "cannot create a temporary file");
  llvm::FileRemover removeOutput(output), removeErrors(errors);

  std::string runsText = std::to_string(runs), failure;
  bool failed = false;
  int code = llvm::sys::ExecuteAndWait(
      python, {python, script, file, "--runs", runsText}, std::nullopt,
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

} // namespace spindle::bench
