#include "hw/cosim/bench/BenchHeader.h"

#include "core/support/files/File.h"
#include "core/support/files/TemporaryFile.h"
#include "hw/cosim/Process.h"

#include "fmt/format.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MD5.h"
#include "llvm/Support/Path.h"

#include <cstdlib>
#include <filesystem>

namespace spindle::hls {

/// All that the sources of a circuit include of Verilator's and of the language.
constexpr const char *kText = "#include \"verilated.h\"\n";

std::string BenchHeader::options() const {
  // What is read from a header can be kept by a compiler cache only if the preprocessor names it;
  // the log says where the header does not fit and is read anew.
  return file.empty() ? "" : fmt::format(" -include {} -fpch-preprocess -Winvalid-pch", file);
}

bool BenchHeader::isMade() const { return isThere(file + ".gch"); }

/// Words of a makefile and of a shell as they are.
static bool isPlain(llvm::StringRef path) {
  return llvm::all_of(path, [](char letter) {
    return llvm::isAlnum(letter) || llvm::StringRef("/._+-@,:").contains(letter);
  });
}

/// Nothing where a program cannot be looked at.
static std::string identityOf(const std::string &program) {
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status(program, status))
    return "";
  return fmt::format("{} {} {}\n", program, status.getSize(),
                     status.getLastModificationTime().time_since_epoch().count());
}

BenchHeader benchHeader(const std::vector<std::string> &programs, const std::string &options) {
  llvm::SmallString<128> place;
  if (!llvm::sys::path::cache_directory(place) || !isPlain(place))
    return {};
  const char *root = std::getenv("VERILATOR_ROOT"); // says where the header is
  llvm::MD5 hash;
  hash.update(kText + options + (root ? root : ""));
  for (const std::string &program : programs) {
    std::string identity = identityOf(program);
    if (identity.empty())
      return {};
    hash.update(identity);
  }
  llvm::MD5::MD5Result digest;
  hash.final(digest);
  std::string key = digest.digest().str().str();
  llvm::sys::path::append(place, "spindle", "bench-header-" + key, "Verilated.h");
  std::string file = place.str().str();
  if (isThere(file))
    return {file};
  std::error_code status;
  std::filesystem::create_directories(std::filesystem::path(file).parent_path(), status);
  // A compiler cache knows what was precompiled by this sum: its bytes are never the same twice.
  llvm::Error failed =
      llvm::joinErrors(writeFile(file + ".gch.sum", key + "\n"), writeFile(file, kText));
  bool isWritten = !failed;
  llvm::consumeError(std::move(failed));
  return {isWritten ? file : ""};
}

void makeBenchHeader(const BenchHeader &header, std::vector<std::string> compile,
                     const std::string &folder, const std::string &log) {
  TemporaryFile made(header.file + ".gch");
  compile.push_back("HEADER_MADE=" + made.path());
  llvm::Error failed = runProgram(compile, folder, log);
  if (!failed)
    failed = made.keep();
  llvm::consumeError(std::move(failed));
}

} // namespace spindle::hls
