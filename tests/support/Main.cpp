// Runs the tests of one program with a folder of its own as testing::TempDir(): programs work side
// by side.
#include "gtest/gtest.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  std::string folder = (std::filesystem::temp_directory_path() / "spindle-tests-XXXXXX").string();
  if (!mkdtemp(folder.data())) {
    perror("spindle tests: cannot make a folder for temporary files");
    return 1;
  }
  setenv("TEST_TMPDIR", folder.c_str(), /*overwrite=*/1);
  int status = RUN_ALL_TESTS();
  std::filesystem::remove_all(folder);
  return status;
}
