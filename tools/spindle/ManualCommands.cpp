// `completion`, `manual`: what the declared commands say of themselves.
#include "tools/spindle/Commands.h"
#include "tools/spindle/manual/Manual.h"

#include "CLI/CLI.hpp"
#include "fmt/format.h"

#include <map>
#include <memory>

namespace spindle {

static void addCompletion(CLI::App &app, Command &command) {
  using Script = std::string (*)(const CommandText &);
  static const std::map<std::string, Script> shells = {
      {"bash", bashCompletion}, {"fish", fishCompletion}, {"zsh", zshCompletion}};
  auto shell = std::make_shared<std::string>();
  CLI::App *sub = app.add_subcommand(
      "completion", "print what completes commands and options in a shell, to be sourced there");
  sub->add_option("shell", *shell, "shell")
      ->required()
      ->check(CLI::IsMember({"bash", "fish", "zsh"}));
  sub->callback([=, &app, &command] {
    command = [=, &app] {
      fmt::print("{}", shells.at(*shell)(describeCommands(app)));
      return llvm::Error::success();
    };
  });
}

void addManualCommands(CLI::App &app, Command &command) {
  addCompletion(app, command);
  CLI::App *sub = app.add_subcommand("manual", "print the manual page; | man -l - shows it");
  sub->callback([&app, &command] {
    command = [&app] {
      fmt::print("{}", manPage(describeCommands(app), SPINDLE_VERSION));
      return llvm::Error::success();
    };
  });
}

} // namespace spindle
