// The header of Verilator, which takes longer to read than a small circuit to compile: compiled
// once for all test benches of a user.
#pragma once

#include <string>
#include <vector>

namespace spindle::hls {

/// One header for one compiler, one Verilator and one set of options.
struct BenchHeader {
  std::string file; // that all sources begin with; empty: there is no place for one

  /// What follows other options of the compiler; empty without a file.
  std::string options() const;
  /// Precompiled already?
  bool isMade() const;
};

/// In the folder for what can be made again (`XDG_CACHE_HOME`, or `~/.cache`), below `spindle`. The
/// name of its folder tells programs and options apart; a program that was installed anew counts as
/// another one.
BenchHeader benchHeader(const std::vector<std::string> &programs, const std::string &options);

/// Precompiles it. `compile`, to which the file that shall be made is added as `HEADER_MADE=FILE`,
/// runs in `folder`. Where it fails or nothing can be written, the header stays a plain one, which
/// takes longer and compiles the same.
void makeBenchHeader(const BenchHeader &header, std::vector<std::string> compile,
                     const std::string &folder, const std::string &log);

} // namespace spindle::hls
