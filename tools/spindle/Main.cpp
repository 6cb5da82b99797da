// The command line. Exit codes: 0 done, 1 the user's input is wrong, 2 a check of ours failed.
#include "tools/spindle/Commands.h"
#include "tools/spindle/Notices.h"
#include "tools/spindle/Version.h"

#include "core/support/files/Unfinished.h"
#include "lib/emulation/ranks/Serve.h"

#include "CLI/CLI.hpp"
#include "fmt/format.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <system_error>

using namespace spindle;

static int exitCode(llvm::Error error) {
  if (!error)
    return 0;
  int code = kindOf(error) == ErrorKind::Input ? 1 : 2;
  printNotice(toText(std::move(error)));
  return code;
}

/// The command that was begun: `export` of `spindle lists export`.
static const CLI::App &begunCommand(const CLI::App &app) {
  std::vector<CLI::App *> next = app.get_subcommands();
  return next.empty() ? app : begunCommand(*next.front());
}

static std::string wordsOf(const CLI::App &command) {
  const CLI::App *parent = command.get_parent();
  return (parent ? wordsOf(*parent) + " " : "") + command.get_name();
}

/// Words that nobody knows come first, since one that is misspelt is why another one is missing.
static std::string faultOf(const CLI::App &app, const CLI::ParseError &error) {
  for (llvm::StringRef word : app.remaining(/*recurse=*/true)) {
    if (word == "--")
      continue;
    if (!word.starts_with("-"))
      return fmt::format("unexpected argument '{}'", word.str());
    std::string name = word.ltrim('-').split('=').first.str(); // -seed: only -h has a short name
    auto isMeant = [&](const CLI::Option *option) { return option->check_lname(name); };
    bool isKnown = !begunCommand(app).get_options(isMeant).empty();
    return fmt::format("unknown option '{}'{}", word.str(),
                       isKnown ? fmt::format(" (did you mean '--{}'?)", name) : "");
  }
  return error.what();
}

static llvm::Error runCommand(Command &command) {
  try {
    return command();
  } catch (const std::bad_alloc &) {
    return inputError("", "out of memory; emulate fewer samples or a smaller network");
  } catch (const std::filesystem::filesystem_error &error) {
    return inputError(error.path1().string(), error.code().message());
  } catch (const std::system_error &) { // of fmt::print, which main reports
    if (!std::ferror(stdout))
      throw;
    return llvm::Error::success();
  }
}

static int runTool(int argc, char **argv, Ranks &ranks) {
  CLI::App app(
      "Compiles trained neural networks to spiking hardware and proves every step by running it.",
      "spindle");
  app.require_subcommand(1);
  app.set_version_flag("--version", programVersion());
  llvm::unique_function<llvm::Error()> command;
  addRunCommands(app, command, ranks);
  addExploreCommands(app, command);
  addMultiplexCommand(app, command);
  addFileCommands(app, command);
  addExportCommand(app, command);
  addSanafeCommands(app, command);
  addEvalCommand(app, command);
  addHardwareCommands(app, command);
  addManualCommands(app, command);
  auto isNamed = [&](const CLI::App *sub) { return sub->check_name(argv[1]); };
  if (argc > 1 && argv[1][0] != '-' && app.get_subcommands(isNamed).empty()) {
    printNotice(fmt::format("error: unknown command '{}'; see spindle --help", argv[1]));
    return 1;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success &success) { // --help, --version
    return app.exit(success);
  } catch (const CLI::ParseError &error) {
    printNotice(
        fmt::format("error: {}; see {} --help", faultOf(app, error), wordsOf(begunCommand(app))));
    return 1;
  }
  std::string kept =
      app.got_subcommand("run")       ? "stages are kept, the same command goes on from there"
      : app.got_subcommand("explore") ? "points are kept, the same command goes on from there"
                                      : "files are kept, unfinished ones are removed";
  endCleanlyWhenInterrupted("spindle: interrupted; finished " + kept);
  llvm::Error error = runCommand(command);
  Uninterrupted reporting; // a program that the same signal ended is no error of its own
  return exitCode(std::move(error));
}

/// What was printed may be lost on a full disk, or have waited in a buffer until now.
static int checkOutput(int code) {
  bool isWritten = std::fflush(stdout) == 0 && !std::ferror(stdout) && std::cout.good();
  if (isWritten || code != 0)
    return code;
  return exitCode(inputError("standard output", "cannot write all of it; is the disk full?"));
}

/// Of processes that mpirun started the first one speaks for all.
static bool isFirstProcess() {
  for (const char *variable : {"OMPI_COMM_WORLD_RANK", "PMI_RANK"})
    if (const char *number = std::getenv(variable); number && std::atoi(number) > 0)
      return false;
  return true;
}

/// What the user is given, as the only process of an emulation.
static int runAlone(int argc, char **argv) {
  int code = 0;
  runThreadRanks(
      1, [&](Ranks &only) { code = checkOutput(runTool(argc, argv, only)); }, [](Ranks &) {});
  llvm::errs().clear_error();
  return code;
}

/// Under mpirun rank 0 is the tool and the others work for it; they print nothing.
int main(int argc, char **argv) {
  // Processes of an exploration work on points of their own, whoever started them.
  if (argc > 1 && llvm::StringRef(argv[1]) == "explore")
    return runAlone(argc, argv);
  llvm::Expected<std::unique_ptr<Ranks>> ranks = joinRanks(argc, argv);
  if (!ranks && isFirstProcess())
    return exitCode(ranks.takeError());
  if (!ranks) {
    llvm::consumeError(ranks.takeError());
    return 1;
  }
  if ((*ranks)->rank() > 0)
    return exitCode(serveEmulations(**ranks));
  int code = checkOutput(runTool(argc, argv, **ranks));
  dismiss(**ranks);
  llvm::errs().clear_error(); // of a full disk; else its end would abort the program
  return code;
}
