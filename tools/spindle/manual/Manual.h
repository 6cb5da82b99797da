// What the declared commands say of themselves to `man` and to shells.
#pragma once

#include "tools/spindle/manual/CommandTree.h"

#include <string>

namespace spindle {

/// The manual page, section 1, for the macros `man` of roff.
std::string manPage(const CommandText &program, const std::string &version);

/// Scripts that complete commands, options, choices, files and folders.
std::string bashCompletion(const CommandText &program);
std::string zshCompletion(const CommandText &program);
std::string fishCompletion(const CommandText &program);

/// A word of a shell: 'it'\''s'.
std::string shellQuoted(const std::string &text);

} // namespace spindle
