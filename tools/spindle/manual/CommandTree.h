// The commands of a program and their options, as its manual and its completions need them.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace spindle {

enum class ValueKind { None, Word, File, Folder }; // None: a flag

/// An option or, without names, an argument.
struct OptionText {
  std::vector<std::string> names; // "-h", "--help"
  std::string value;              // what stands for its value: FILE; of an argument its name
  std::string summary, preset;    // preset: its value where none is given, if --help says it
  std::vector<std::string> choices;
  ValueKind kind = ValueKind::None;
  bool isRequired = false, isRepeatable = false;
};

struct CommandText {
  std::string name;  // the word of the command line
  std::string words; // with those before it, without the program: "lists export"; of the program ""
  std::string summary;
  std::vector<OptionText> options, arguments;
  std::vector<CommandText> commands; // below it
};

/// What is declared, in the order of its declaration. Types of values: FILE, FOLDER, `WORD:{a,b}`
/// for a choice; all others are words that nobody can complete.
CommandText describeCommands(const CLI::App &app);

/// The command and all below it, each before its own.
std::vector<const CommandText *> allCommands(const CommandText &command);

} // namespace spindle
