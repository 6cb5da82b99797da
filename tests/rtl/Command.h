// Runs a command of the shell, for tests of scripts and of what other tools say.
#pragma once

#include <array>
#include <cstdio>
#include <string>

namespace spindle::rtl {

struct Outcome {
  int status;
  std::string output; // and errors
};

inline Outcome run(const std::string &command) {
  FILE *pipe = popen((command + " 2>&1").c_str(), "r");
  std::string output;
  std::array<char, 4096> buffer;
  while (size_t count = fread(buffer.data(), 1, buffer.size(), pipe))
    output.append(buffer.data(), count);
  return {pclose(pipe), output};
}

} // namespace spindle::rtl
