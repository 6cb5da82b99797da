#include "core/support/files/DataPath.h"

#include "tests/support/TemporaryFolder.h"
#include "gmock/gmock.h"

using namespace spindle;
using testing::EndsWith;
using testing::HasSubstr;

namespace {

/// Sets SPINDLE_DATA for the length of a test.
class DataVariable {
public:
  explicit DataVariable(const std::string &folder) {
    if (const char *old = std::getenv("SPINDLE_DATA"))
      before = old;
    setenv("SPINDLE_DATA", folder.c_str(), 1);
  }
  ~DataVariable() {
    if (before.empty())
      unsetenv("SPINDLE_DATA");
    else
      setenv("SPINDLE_DATA", before.c_str(), 1);
  }

private:
  std::string before;
};

} // namespace

TEST(DataPath, LooksBesideThenAboveThenInTheDataFolder) {
  TemporaryFolder folder;
  DataVariable variable(folder / "data");
  std::string flow = folder.write("repo/configs/flows/f.yaml", "");
  PathResolver resolver(flow);
  auto find = [&](const std::string &path) { return llvm::cantFail(resolver.find(path, "f")); };

  std::string shared = folder.write("shared/data/x.gz", "");
  EXPECT_EQ(find("x.gz"), shared);
  std::string data = folder.write("data/x.gz", "");
  EXPECT_EQ(find("x.gz"), data);
  std::string root = folder.write("repo/x.gz", "");
  EXPECT_EQ(find("x.gz"), root);
  std::string configs = folder.write("repo/configs/x.gz", "");
  EXPECT_EQ(find("x.gz"), configs);
  std::string beside = folder.write("repo/configs/flows/x.gz", "");
  EXPECT_EQ(find("x.gz"), beside);
  EXPECT_EQ(find("../x.gz"), configs);
  EXPECT_EQ(find(data), data);
}

TEST(DataPath, NamesTheFoldersTried) {
  TemporaryFolder folder;
  DataVariable variable(folder / "data");
  std::string flow = folder.write("repo/configs/flows/f.yaml", "");
  std::string text = toText(PathResolver(flow).find("none.gz", flow + ":3:9").takeError());
  EXPECT_THAT(text, HasSubstr(flow + ":3:9: error: 'none.gz' is in none of the folders " +
                              folder / "repo/configs/flows" + ", " + folder / "repo/configs" +
                              ", " + folder / "repo" + ", ., "));
  EXPECT_THAT(text, HasSubstr(", " + folder / "data" + ", "));
  EXPECT_THAT(text, EndsWith("; set SPINDLE_DATA to the folder that holds it"));
  EXPECT_EQ(toText(PathResolver(flow).find(folder / "none.gz", "f").takeError()),
            "f: error: '" + folder / "none.gz" + "' does not exist");
}

TEST(DataPath, WhatIsInstalledComesLast) {
  TemporaryFolder folder;
  DataVariable variable(folder / "data");
  std::string flow = folder.write("work/flow.yaml", "");
  std::string chip = folder.write("usr/share/spindle/configs/chip.yaml", "");
  std::string installed = installedData(folder / "usr/bin/spindle");
  EXPECT_EQ(installed, folder / "usr/share/spindle");

  PathResolver resolver(flow, installed);
  EXPECT_EQ(resolver.folders().back(), installed);
  EXPECT_EQ(llvm::cantFail(resolver.find("configs/chip.yaml", "f")), chip);
  std::string data = folder.write("data/configs/chip.yaml", "");
  EXPECT_EQ(llvm::cantFail(resolver.find("configs/chip.yaml", "f")), data);
}

TEST(DataPath, ABuildTreeHasNothingInstalled) {
  TemporaryFolder folder;
  std::string program = folder.write("build/release/bin/spindle", "");
  EXPECT_EQ(installedData(program), "");
  EXPECT_EQ(installedData(""), "");
  EXPECT_EQ(PathResolver("f.yaml", "").folders(), PathResolver("f.yaml").folders());
}

TEST(DataPath, TheCommandLineMayNameWhatIsInstalled) {
  TemporaryFolder folder;
  std::string installed = folder / "share/spindle";
  std::string flow = folder.write("share/spindle/configs/flows/f.yaml", "");
  std::string own = folder.write("own.yaml", "");
  EXPECT_EQ(orInstalled("configs/flows/f.yaml", installed), flow);
  EXPECT_EQ(orInstalled("configs/flows/f.yaml", ""), "configs/flows/f.yaml");
  EXPECT_EQ(orInstalled("configs/flows/none.yaml", installed), "configs/flows/none.yaml");
  EXPECT_EQ(orInstalled(own, installed), own);
}
