#include "tests/hls/prepare/KernelFile.h"

#include "core/support/files/File.h"

#include <algorithm>
#include <filesystem>

namespace spindle::hls {

static void readComment(llvm::StringRef line, KernelCase &kernel) {
  if (!line.consume_front("// "))
    return;
  auto [key, value] = line.split(": ");
  if (key == "top")
    kernel.options.top = value.str();
  else if (key == "bind")
    kernel.options.bind = llvm::cantFail(parseBindings(value));
  else if (key == "expect")
    kernel.expected.push_back(value.str());
  else if (key == "absent")
    kernel.absent.push_back(value.str());
  else if (key == "error")
    kernel.error = value.str();
}

std::vector<KernelCase> readKernelCases(const std::string &path) {
  std::string text = llvm::cantFail(readFile(path));
  std::vector<KernelCase> kernels(1);
  llvm::StringRef rest = text;
  for (size_t number = 1; !rest.empty(); ++number) {
    llvm::StringRef line;
    std::tie(line, rest) = rest.split('\n');
    if (line == "// -----") {
      kernels.emplace_back();
      kernels.back().line = number + 1;
      continue;
    }
    readComment(line, kernels.back());
    kernels.back().text += line.str() + "\n";
  }
  return kernels;
}

std::vector<std::string> kernelFiles(const std::string &folder) {
  std::vector<std::string> files;
  for (const auto &entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".mlir")
      files.push_back(entry.path().string());
  std::sort(files.begin(), files.end());
  return files;
}

} // namespace spindle::hls
