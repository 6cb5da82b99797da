// The command line. Exit codes: 0 done, 1 the user's input is wrong, 2 a check of ours failed.
#include "tools/spindle/Commands.h"
#include "tools/spindle/Version.h"

#include "lib/emulation/ranks/Serve.h"

#include "CLI/CLI.hpp"
#include "fmt/format.h"

#include <cstdlib>
#include <exception>

using namespace spindle;

static int exitCode(llvm::Error error) {
  if (!error)
    return 0;
  int code = kindOf(error) == ErrorKind::Input ? 1 : 2;
  fmt::print(stderr, "{}\n", toText(std::move(error)));
  return code;
}

static int runTool(int argc, char **argv, Ranks &ranks) {
  CLI::App app(
      "Compiles trained neural networks to spiking hardware and proves every step by running it.",
      "spindle");
  app.require_subcommand(1);
  app.set_version_flag("--version", programVersion());
  llvm::unique_function<llvm::Error()> command;
  addRunCommands(app, command, ranks);
  addFileCommands(app, command);
  addExportCommand(app, command);
  addEvalCommand(app, command);
  addHardwareCommands(app, command);
  addManualCommands(app, command);
  auto isNamed = [&](const CLI::App *sub) { return sub->check_name(argv[1]); };
  if (argc > 1 && argv[1][0] != '-' && app.get_subcommands(isNamed).empty()) {
    fmt::print(stderr, "error: unknown command '{}'; see spindle --help\n", argv[1]);
    return 1;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success &success) { // --help, --version
    return app.exit(success);
  } catch (const CLI::ParseError &error) {
    fmt::print(stderr, "error: {}; see spindle --help\n", error.what());
    return 1;
  }
  try {
    return exitCode(command());
  } catch (const std::bad_alloc &) {
    return exitCode(inputError("", "out of memory; emulate fewer samples or a smaller network"));
  }
}

/// Of processes that mpirun started the first one speaks for all.
static bool isFirstProcess() {
  for (const char *variable : {"OMPI_COMM_WORLD_RANK", "PMI_RANK"})
    if (const char *number = std::getenv(variable); number && std::atoi(number) > 0)
      return false;
  return true;
}

/// Under mpirun rank 0 is the tool and the others work for it; they print nothing.
int main(int argc, char **argv) {
  llvm::Expected<std::unique_ptr<Ranks>> ranks = joinRanks(argc, argv);
  if (!ranks && isFirstProcess())
    return exitCode(ranks.takeError());
  if (!ranks) {
    llvm::consumeError(ranks.takeError());
    return 1;
  }
  if ((*ranks)->rank() > 0)
    return exitCode(serveEmulations(**ranks));
  int code = runTool(argc, argv, **ranks);
  dismiss(**ranks);
  return code;
}
