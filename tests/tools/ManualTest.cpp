#include "tools/spindle/manual/Manual.h"

#include "tests/support/TemporaryFolder.h"

#include "CLI/CLI.hpp"
#include "gmock/gmock.h"

#include <cstdlib>
#include <sys/wait.h>

using namespace spindle;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

namespace {

/// A small program with one of everything.
class Manual : public ::testing::Test {
protected:
  Manual() {
    app.set_version_flag("--version", "1.2");
    CLI::App *make = app.add_subcommand("make", "it's made [from: here]");
    make->add_option("source", text, "what to read")->type_name("FILE")->required();
    make->add_option("--out,-o", text, "where to")->type_name("FOLDER")->required();
    make->add_option("--set", texts, "a key");
    make->add_option("--limit", number, ".5 is half")->capture_default_str();
    make->add_option("--method", text, "how")->check(CLI::IsMember({"fast", "exact"}));
    make->add_option("--stage", text, "which")->type_name("STAGE:{first,last}");
    make->add_flag("--quiet", flag, "says nothing");
    CLI::App *lists = app.add_subcommand("lists", "exchange");
    lists->add_subcommand("import", "from lists");
    lists->add_subcommand("export", "to lists");
    program = describeCommands(app);
  }

  /// What the script offers for the last of the words of a line.
  std::vector<std::string> completed(const std::vector<std::string> &words) {
    folder.write("completion", bashCompletion(program));
    std::string line = "cd '" + folder.path() + "' && source ./completion && COMP_WORDS=(tool";
    for (const std::string &word : words)
      line += " " + shellQuoted(word);
    line += ") COMP_CWORD=" + std::to_string(words.size()) +
            " && _tool && printf '%s\\n' \"${COMPREPLY[@]}\" >replies";
    int status = std::system(("bash -euc " + shellQuoted(line)).c_str());
    EXPECT_EQ(WEXITSTATUS(status), 0) << line;
    std::istringstream stream(folder.read("replies"));
    std::vector<std::string> replies;
    for (std::string reply; std::getline(stream, reply);)
      if (!reply.empty())
        replies.push_back(reply);
    return replies;
  }

  std::string text;
  std::vector<std::string> texts;
  double number = 2;
  bool flag = false;
  CLI::App app{"Makes things.", "tool"};
  CommandText program;
  TemporaryFolder folder;
};

TEST_F(Manual, DescribesWhatIsDeclared) {
  ASSERT_EQ(program.commands.size(), 2u);
  const CommandText &make = program.commands[0];
  EXPECT_EQ(make.words, "make");
  ASSERT_EQ(make.arguments.size(), 1u);
  EXPECT_EQ(make.arguments[0].value, "source");
  EXPECT_EQ(make.arguments[0].kind, ValueKind::File);
  auto option = [&](const std::string &name) {
    for (const OptionText &candidate : make.options)
      if (candidate.names.back() == name)
        return candidate;
    ADD_FAILURE() << name;
    return OptionText();
  };
  EXPECT_THAT(option("--out").names, ElementsAre("-o", "--out"));
  EXPECT_EQ(option("--out").kind, ValueKind::Folder);
  EXPECT_TRUE(option("--out").isRequired);
  EXPECT_TRUE(option("--set").isRepeatable);
  EXPECT_EQ(option("--limit").kind, ValueKind::Word);
  EXPECT_EQ(option("--limit").preset, "2");
  EXPECT_THAT(option("--method").choices, UnorderedElementsAre("fast", "exact"));
  EXPECT_THAT(option("--stage").choices, ElementsAre("first", "last"));
  EXPECT_EQ(option("--stage").value, "STAGE");
  EXPECT_EQ(option("--quiet").kind, ValueKind::None);
  EXPECT_EQ(program.commands[1].commands[1].words, "lists export");
  EXPECT_EQ(allCommands(program).size(), 5u);
}

TEST_F(Manual, BashCompletesCommands) {
  EXPECT_THAT(completed({""}), ElementsAre("make", "lists"));
  EXPECT_THAT(completed({"li"}), ElementsAre("lists"));
  EXPECT_THAT(completed({"lists", ""}), ElementsAre("import", "export"));
  EXPECT_THAT(completed({"-"}), ElementsAre("-h", "--help", "--version"));
}

TEST_F(Manual, BashCompletesOptionsAndChoices) {
  EXPECT_THAT(completed({"make", "--"}),
              ElementsAre("--help", "--out", "--set", "--limit", "--method", "--stage", "--quiet"));
  EXPECT_THAT(completed({"make", "x", "--method", ""}), UnorderedElementsAre("fast", "exact"));
  EXPECT_THAT(completed({"make", "--method", "=", "e"}), ElementsAre("exact"));
  EXPECT_THAT(completed({"make", "--method", "="}), UnorderedElementsAre("fast", "exact"));
  EXPECT_THAT(completed({"make", "--limit", ""}), ElementsAre());
  EXPECT_THAT(completed({"lists", "export", "--"}), ElementsAre("--help"));
}

TEST_F(Manual, BashCompletesFilesAndFolders) {
  folder.write("net one.yaml", "");
  folder.write("nets/two.yaml", "");
  EXPECT_THAT(completed({"make", "n"}), UnorderedElementsAre("net one.yaml", "nets"));
  EXPECT_THAT(completed({"make", "-o", "n"}), ElementsAre("nets"));
  EXPECT_THAT(completed({"make", "--quiet", "nets/"}), ElementsAre("nets/two.yaml"));
}

TEST_F(Manual, PageHasEveryCommandAndEscapesWhatRoffReads) {
  std::string page = manPage(program, "1.2");
  EXPECT_THAT(page, HasSubstr(".TH TOOL 1 \"\" \"tool 1.2\""));
  EXPECT_THAT(page, HasSubstr("tool \\- makes things\n"));
  EXPECT_THAT(page, HasSubstr(".SS \"tool make source\"\nit's made [from: here]\n"));
  EXPECT_THAT(page, HasSubstr(".SS \"tool lists export\"\n"));
  EXPECT_THAT(page,
              HasSubstr("\\fB\\-o\\fR, \\fB\\-\\-out\\fR \\fIFOLDER\\fR\nwhere to; required"));
  EXPECT_THAT(page, HasSubstr("\n\\&.5 is half [2]\n"));
  EXPECT_THAT(page, HasSubstr("which; one of first, last\n"));
  EXPECT_THAT(page, HasSubstr("a key; may be repeated\n"));
}

TEST_F(Manual, ZshAndFishQuoteWhatTheyRead) {
  std::string zsh = zshCompletion(program);
  EXPECT_THAT(zsh, HasSubstr("'make:it'\\''s made [from: here]'"));
  EXPECT_THAT(zsh, HasSubstr("'(-o --out)--out=[where to]:FOLDER:_files -/'"));
  EXPECT_THAT(zsh, HasSubstr("'*--set=[a key]:TEXT: '"));
  EXPECT_THAT(zsh, HasSubstr("_tool_lists_export() {"));
  std::string fish = fishCompletion(program);
  EXPECT_THAT(fish, HasSubstr("-a make -d 'it\\'s made [from: here]'"));
  EXPECT_THAT(fish, HasSubstr("-n '__tool_in \\'make\\'' -s o -l out -x"));
  EXPECT_THAT(fish, HasSubstr("-l stage -x -a 'first last'"));
}

} // namespace
