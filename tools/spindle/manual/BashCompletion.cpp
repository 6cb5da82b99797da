#include "tools/spindle/manual/Manual.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

namespace spindle {

std::string shellQuoted(const std::string &text) {
  std::string quoted = "'";
  for (char c : text)
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/// What may stand for the value: `words='…'` or `paths=-f`; nothing for free words.
static std::string candidates(const OptionText &option) {
  if (!option.choices.empty())
    return fmt::format("words={}", shellQuoted(fmt::format("{}", fmt::join(option.choices, " "))));
  return option.kind == ValueKind::File     ? "paths=-f"
         : option.kind == ValueKind::Folder ? "paths=-d"
                                            : ":";
}

/// Of the word after an option that takes a value.
static std::string valueCases(const CommandText &command) {
  std::string text;
  for (const OptionText &option : command.options)
    if (option.kind != ValueKind::None)
      for (const std::string &name : option.names)
        text += fmt::format("  {}) {} ;;\n", shellQuoted(command.words + ":" + name),
                            candidates(option));
  return text;
}

/// Of any other word: commands, arguments; options after a hyphen.
static std::string wordCase(const CommandText &command) {
  std::vector<std::string> options, commands;
  for (const OptionText &option : command.options)
    options.insert(options.end(), option.names.begin(), option.names.end());
  for (const CommandText &sub : command.commands)
    commands.push_back(sub.name);
  std::string others = ":";
  if (!commands.empty())
    others = fmt::format("words='{}'", fmt::join(commands, " "));
  else if (!command.arguments.empty())
    others = candidates(command.arguments.front());
  return fmt::format("    {}) if [[ $word == -* ]]; then words='{}'; else {}; fi ;;\n",
                     shellQuoted(command.words), fmt::join(options, " "), others);
}

std::string bashCompletion(const CommandText &program) {
  std::vector<std::string> paths; // of commands: ' run', 'lists export'
  std::string values, words;
  for (const CommandText *command : allCommands(program)) {
    values += valueCases(*command);
    words += wordCase(*command);
    for (const CommandText &sub : command->commands)
      paths.push_back(shellQuoted(command->words + " " + sub.name));
  }
  std::string text = fmt::format("# Completes {0} in bash; written by '{0} completion bash'.\n"
                                 "_{0}() {{\n",
                                 program.name);
  text += R"(  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  local command='' words='' paths='' i
  if [[ $word == = ]]; then
    word=''
  elif [[ $before == = && $COMP_CWORD -ge 2 ]]; then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$command ${COMP_WORDS[i]}" in
)";
  text += fmt::format("    {})\n", fmt::join(paths, " | "));
  text += R"(      command="${command:+$command }${COMP_WORDS[i]}" ;;
    esac
  done
  case "$command:$before" in
)";
  text += values + "  *)\n    case \"$command\" in\n" + words + "    esac ;;\n  esac\n";
  text += R"(  COMPREPLY=()
  if [[ $words ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  elif [[ $paths ]]; then
    mapfile -t COMPREPLY < <(compgen "$paths" -- "$word")
    compopt -o filenames 2>/dev/null || true # only readline has options
  fi
}
)";
  return text + fmt::format("complete -F _{0} {0}\n", program.name);
}

} // namespace spindle
