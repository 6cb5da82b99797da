#include "core/support/files/RunApart.h"

#include "fmt/format.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace spindle {

/// What the first byte of a reply says.
static constexpr char kResultReply = 'r', kRefusalReply = 'e';

static void sendReply(int descriptor, char kind, llvm::StringRef bytes) {
  std::string reply = kind + bytes.str();
  for (size_t sent = 0; sent < reply.size();) {
    ssize_t count = write(descriptor, reply.data() + sent, reply.size() - sent);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      _exit(1);
    sent += static_cast<size_t>(count);
  }
}

void Refusal::operator()(llvm::StringRef place, llvm::StringRef message) const {
  sendReply(descriptor, kRefusalReply, (place + llvm::Twine('\0') + message).str());
  _exit(0);
}

/// Everything up to the end of the pipe; false when the time was over first.
static bool readReply(int descriptor, double seconds, std::string &reply) {
  auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  char block[1 << 16];
  while (true) {
    double left = std::chrono::duration<double>(end - std::chrono::steady_clock::now()).count();
    pollfd waits{descriptor, POLLIN, 0};
    int ready = poll(&waits, 1, static_cast<int>(std::clamp(std::ceil(left * 1000), 0.0, 1e9)));
    if (ready < 0 && errno == EINTR)
      continue;
    if (ready <= 0)
      return false;
    ssize_t count = read(descriptor, block, sizeof block);
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return true;
    reply.append(block, static_cast<size_t>(count));
  }
}

llvm::Expected<std::string> runApart(const ApartWork &about,
                                     llvm::function_ref<std::string(const Refusal &)> work) {
  auto cannotStart = [&] {
    return inputError(about.place, fmt::format("cannot start a process: {}", std::strerror(errno)));
  };
  int pipes[2];
  if (pipe(pipes) != 0)
    return cannotStart();
  pid_t child = fork();
  if (child < 0) {
    llvm::Error error = cannotStart();
    close(pipes[0]);
    close(pipes[1]);
    return error;
  }
  if (child == 0) {
    close(pipes[0]);
    for (int fatal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
      std::signal(fatal, SIG_DFL); // what a crash says is up to the parent
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    sendReply(pipes[1], kResultReply, work(Refusal(pipes[1])));
    _exit(0);
  }
  close(pipes[1]);
  std::string reply;
  bool isInTime = readReply(pipes[0], about.seconds, reply);
  close(pipes[0]);
  if (!isInTime)
    kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    continue;
  if (!isInTime)
    return inputError(about.place, fmt::format("{} is not done after {} s; {}", about.doing,
                                               about.seconds, about.remedy));
  if (WIFSIGNALED(status))
    return inputError(about.place, fmt::format("{} ends in a crash ({}); {}", about.doing,
                                               strsignal(WTERMSIG(status)), about.remedy));
  if (WEXITSTATUS(status) != 0 || reply.empty())
    return inputError(about.place,
                      fmt::format("{} ends without a result; {}", about.doing, about.remedy));
  llvm::StringRef bytes = llvm::StringRef(reply).drop_front();
  if (reply[0] == kResultReply)
    return bytes.str();
  auto [place, message] = bytes.split('\0');
  return inputError(place.str(), message.str());
}

} // namespace spindle
