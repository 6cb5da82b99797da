#include "tools/spindle/manual/Manual.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

namespace spindle {

/// In fish a backslash escapes within quotes, too.
static std::string fishQuoted(const std::string &text) {
  std::string quoted = "'";
  for (char c : text) {
    if (c == '\'' || c == '\\')
      quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

/// `-r -F`, `-x -a 'list exact'`; nothing for a flag.
static std::string value(const OptionText &option) {
  if (!option.choices.empty())
    return " -x -a " + fishQuoted(fmt::format("{}", fmt::join(option.choices, " ")));
  switch (option.kind) {
  case ValueKind::File:
    return " -r -F";
  case ValueKind::Folder:
    return " -x -a '(__fish_complete_directories)'";
  case ValueKind::Word:
    return " -x";
  case ValueKind::None:
    break;
  }
  return "";
}

static std::string lines(const CommandText &program, const CommandText &command) {
  std::string start =
      fmt::format("complete -c {0} -n {1}", program.name,
                  fishQuoted(fmt::format("__{}_in {}", program.name, fishQuoted(command.words))));
  std::string text;
  for (const CommandText &sub : command.commands)
    text += fmt::format("{} -a {} -d {}\n", start, sub.name, fishQuoted(sub.summary));
  for (const OptionText &option : command.options) {
    std::string names;
    for (const std::string &name : option.names)
      names += name.compare(0, 2, "--") == 0 ? " -l " + name.substr(2) : " -s " + name.substr(1);
    text += start + names + value(option) + " -d " + fishQuoted(option.summary) + "\n";
  }
  for (const OptionText &argument : command.arguments)
    if (!argument.choices.empty())
      text += fmt::format("{} -a {}\n", start,
                          fishQuoted(fmt::format("{}", fmt::join(argument.choices, " "))));
    else if (argument.kind == ValueKind::Folder)
      text += start + " -a '(__fish_complete_directories)'\n";
    else if (argument.kind == ValueKind::File)
      text += start + " -F\n";
  return text;
}

std::string fishCompletion(const CommandText &program) {
  std::vector<std::string> paths; // of commands: ' run', 'lists export'
  std::string completions;
  for (const CommandText *command : allCommands(program)) {
    completions += lines(program, *command);
    for (const CommandText &sub : command->commands)
      paths.push_back(fishQuoted(command->words + " " + sub.name));
  }
  return fmt::format(R"(# Completes {0} in fish; written by '{0} completion fish'.
function __{0}_in
    set -l command ''
    set -l words (commandline -opc)
    set -e words[1]
    for word in $words
        switch "$command $word"
            case {1}
                set command (string trim -- "$command $word")
        end
    end
    test "$command" = "$argv[1]"
end
complete -c {0} -f
{2})",
                     program.name, fmt::join(paths, " "), completions);
}

} // namespace spindle
