#include "tools/spindle/manual/Manual.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <algorithm>

namespace spindle {

/// With a backslash before the characters that end the text.
static std::string escaped(const std::string &text, const std::string &ends) {
  std::string result;
  for (char c : text) {
    if (c == '\\' || ends.find(c) != std::string::npos)
      result += '\\';
    result += c;
  }
  return result;
}

/// `:FOLDER:_files -/`
static std::string action(const OptionText &option) {
  std::string how = " ";
  if (!option.choices.empty())
    how = fmt::format("({})", fmt::join(option.choices, " "));
  else if (option.kind == ValueKind::File)
    how = "_files";
  else if (option.kind == ValueKind::Folder)
    how = "_files -/";
  return ":" + escaped(option.value, ":") + ":" + how;
}

/// What `_arguments` takes for an option, one word for each of its names.
static std::string specification(const OptionText &option) {
  std::string text;
  for (const std::string &name : option.names) {
    std::string others = fmt::format("({})", fmt::join(option.names, " "));
    std::string word = option.isRepeatable ? "*" : others;
    word += name;
    if (option.kind != ValueKind::None && name.compare(0, 2, "--") == 0)
      word += "=";
    word += "[" + escaped(option.summary, "[]") + "]";
    if (option.kind != ValueKind::None)
      word += action(option);
    text += " \\\n    " + shellQuoted(word);
  }
  return text;
}

static std::string functionName(const CommandText &program, const CommandText &command) {
  std::string name = "_" + program.name;
  if (!command.words.empty())
    name += "_" + command.words;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

/// The choice of a command below, and what it takes.
static std::string dispatch(const CommandText &program, const CommandText &command) {
  std::string names, cases;
  for (const CommandText &sub : command.commands) {
    names += "      " + shellQuoted(escaped(sub.name, ":") + ":" + sub.summary) + "\n";
    cases += fmt::format("    {}) {} ;;\n", sub.name, functionName(program, sub));
  }
  return fmt::format("  case $state in\n"
                     "  command)\n"
                     "    local -a commands=(\n{}    )\n"
                     "    _describe command commands ;;\n"
                     "  argument)\n"
                     "    case $line[1] in\n{}    esac ;;\n"
                     "  esac\n",
                     names, cases);
}

static std::string function(const CommandText &program, const CommandText &command) {
  std::string text = functionName(program, command) + "() {\n";
  if (!command.commands.empty())
    text += "  local curcontext=$curcontext state line\n  local -A opt_args\n";
  text += command.commands.empty() ? "  _arguments" : "  _arguments -C";
  for (const OptionText &option : command.options)
    text += specification(option);
  if (!command.commands.empty())
    return text + " \\\n    '1: :->command' \\\n    '*:: :->argument'\n" +
           dispatch(program, command) + "}\n\n";
  for (size_t i = 0; i < command.arguments.size(); ++i)
    text += " \\\n    " + shellQuoted(fmt::format("{}{}", i + 1, action(command.arguments[i])));
  return text + "\n}\n\n";
}

std::string zshCompletion(const CommandText &program) {
  std::string text = fmt::format("#compdef {0}\n"
                                 "# Completes {0} in zsh; written by '{0} completion zsh'.\n\n",
                                 program.name);
  for (const CommandText *command : allCommands(program))
    text += function(program, *command);
  // A file of the search path is the function itself; otherwise it is told what it completes.
  return text + fmt::format("if [[ $funcstack[1] == _{0} ]]; then\n"
                            "  _{0} \"$@\"\n"
                            "else\n"
                            "  compdef _{0} {0}\n"
                            "fi\n",
                            program.name);
}

} // namespace spindle
