// The small chip as a file, with something in it changed.
#pragma once

#include "core/chip/Chip.h"
#include "tests/core/chip/SmallChip.h"
#include "tests/support/TemporaryFolder.h"

#include "gmock/gmock.h"

namespace spindle {

class ChipFile : public ::testing::Test {
protected:
  TemporaryFolder folder;

  /// The small chip with `before` replaced by `after`.
  static std::string textWith(const std::string &before, const std::string &after) {
    std::string text = kSmallChip;
    if (!before.empty()) {
      size_t at = text.find(before);
      EXPECT_NE(at, std::string::npos) << before;
      text.replace(at, before.size(), after);
    }
    return text;
  }
  llvm::Expected<Chip> read(const std::string &before = "", const std::string &after = "") {
    return readChip(folder.write("chip.yaml", textWith(before, after)));
  }
  /// The error without the folder's name.
  std::string errorOf(const std::string &before, const std::string &after) {
    llvm::Expected<Chip> chip = read(before, after);
    if (chip)
      return "accepted";
    std::string text = toText(chip.takeError());
    return text.substr(text.find("chip.yaml"));
  }
};

} // namespace spindle
