// Which Spindle this is.
#pragma once

#include <string>

namespace spindle {

/// Of the release: 0.3.0.
std::string programVersion();

/// The commit that was built, twelve digits, with a hash of what was changed since, if anything:
/// `1a2b3c4d5e6f+9f8e7d6c`. `unknown` where it was built outside of git.
std::string programCommit();

} // namespace spindle
