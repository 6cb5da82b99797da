#include "tools/spindle/manual/CommandTree.h"

#include "CLI/CLI.hpp"

namespace spindle {

/// `a`, `b` of `TEXT:{a,b}`.
static std::vector<std::string> choicesOf(const std::string &type) {
  size_t open = type.find('{'), close = type.find('}', open);
  if (open == std::string::npos || close == std::string::npos)
    return {};
  return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

static ValueKind valueKindOf(const std::string &type) {
  return type == "FILE" ? ValueKind::File : type == "FOLDER" ? ValueKind::Folder : ValueKind::Word;
}

static OptionText describe(const CLI::Option &option) {
  OptionText text;
  for (const std::string &name : option.get_snames())
    text.names.push_back("-" + name);
  for (const std::string &name : option.get_lnames())
    text.names.push_back("--" + name);
  text.summary = option.get_description();
  text.preset = option.get_default_str();
  text.isRequired = option.get_required();
  if (option.get_items_expected_max() == 0)
    return text;
  std::string type = option.get_type_name();
  std::string word = type.substr(0, type.find(':'));
  text.value = option.get_positional() ? option.get_name(true) : word;
  text.choices = choicesOf(type);
  text.kind = valueKindOf(word);
  text.isRepeatable = option.get_items_expected_max() > 1 ||
                      option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
  return text;
}

static CommandText describe(const CLI::App &app, const std::string &words) {
  CommandText command{app.get_name(), words, app.get_description(), {}, {}, {}};
  for (const CLI::Option *option : app.get_options())
    (option->get_positional() ? command.arguments : command.options).push_back(describe(*option));
  auto isAny = [](const CLI::App *) { return true; };
  for (const CLI::App *sub : app.get_subcommands(isAny))
    command.commands.push_back(
        describe(*sub, words.empty() ? sub->get_name() : words + " " + sub->get_name()));
  return command;
}

CommandText describeCommands(const CLI::App &app) { return describe(app, ""); }

std::vector<const CommandText *> allCommands(const CommandText &command) {
  std::vector<const CommandText *> all = {&command};
  for (const CommandText &sub : command.commands)
    for (const CommandText *below : allCommands(sub))
      all.push_back(below);
  return all;
}

} // namespace spindle
