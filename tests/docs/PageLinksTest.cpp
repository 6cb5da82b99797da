#include "tests/docs/PageLinks.h"

#include "gmock/gmock.h"

#include <filesystem>

using namespace spindle;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

namespace {

bool neverExists(const std::string &) { return false; }

/// One for each line, all of them.
std::string asText(const std::vector<std::string> &problems) {
  std::string text;
  for (const std::string &problem : problems)
    text += problem + "\n";
  return text;
}

std::vector<std::string> targetsOf(const std::string &text) {
  std::vector<std::string> targets;
  for (const Link &link : linksOf({"docs/page.md", text}))
    targets.push_back(link.target);
  return targets;
}

std::vector<std::string> brokenIn(const std::string &text) {
  return brokenLinks({{"docs/page.md", text}}, neverExists);
}

TEST(Docs, EveryLinkLeadsSomewhere) {
  std::vector<Page> pages = readPages(".");
  ASSERT_GT(pages.size(), 50u) << "run from the repository's root";
  auto exists = [](const std::string &path) { return std::filesystem::exists(path); };
  EXPECT_EQ(asText(brokenLinks(pages, exists)), "");
}

TEST(Docs, EveryPageIsReachedFromTheIndex) {
  EXPECT_EQ(asText(unreachablePages(readPages("."), "docs/README.md")), "");
}

TEST(PageLinks, AreFoundWithTheirLines) {
  Page page{"a.md", "# A\nsee [b](b.md), ![plot](plot.svg \"title\")\n"
                    "and [over\ntwo](c.md#top).\n[ref]: d.md\n"};
  EXPECT_THAT(linksOf(page), ElementsAre(Link{2, "b.md"}, Link{2, "plot.svg"}, Link{4, "c.md#top"},
                                         Link{5, "d.md"}));
  EXPECT_THAT(targetsOf("[`code`](b.md), [x](c_(d).md)"), ElementsAre("b.md", "c_(d).md"));
}

TEST(PageLinks, OfCodeAndCommentsAreNotLookedAt) {
  EXPECT_THAT(targetsOf("```\n[a](no.md)\n```\n[b](yes.md)\n"), ElementsAre("yes.md"));
  EXPECT_THAT(targetsOf("````md\n```\n[a](no.md)\n```\n````\n"), IsEmpty());
  EXPECT_THAT(targetsOf("- item\n  ~~~\n  [a](no.md)\n  ~~~\n"), IsEmpty());
  EXPECT_THAT(targetsOf("`[a](no.md)` and ``[`](no.md)`` [b](yes.md)"), ElementsAre("yes.md"));
  EXPECT_THAT(targetsOf("a ` alone [b](yes.md)\n\nanother ` there"), ElementsAre("yes.md"));
  EXPECT_THAT(targetsOf("<!-- [a](no.md) --> [b](yes.md)"), ElementsAre("yes.md"));
}

TEST(PageLinks, ToOtherSitesAreNotFollowed) {
  EXPECT_THAT(brokenIn("[a](https://example.org/x) [b](http://example.org#y) [c](mailto:a@b) "
                       "[d](//example.org)"),
              IsEmpty());
}

TEST(PageLinks, WithoutAFileAreBroken) {
  EXPECT_THAT(brokenIn("text\n\n[a](none.md)"),
              ElementsAre("docs/page.md:3: none.md: no such file"));
  EXPECT_THAT(brokenIn("[a](../../etc/none.md)"),
              ElementsAre("docs/page.md:1: ../../etc/none.md lies outside the repository"));
  EXPECT_THAT(brokenIn("[a](/none.md)"),
              ElementsAre("docs/page.md:1: /none.md lies outside the repository"));
  auto hasSource = [](const std::string &path) { return path == "lib/A.cpp"; };
  EXPECT_THAT(brokenLinks({{"docs/page.md", "[a](../lib/A.cpp)"}}, hasSource), IsEmpty());
  EXPECT_THAT(brokenLinks({{"docs/page.md", "[a](../lib/A.cpp#L1)"}}, hasSource),
              ElementsAre("docs/page.md:1: ../lib/A.cpp#L1: anchors are known of pages only"));
}

TEST(PageLinks, WithoutTheirHeadingAreBroken) {
  Page one{"docs/one.md", "[a](two.md#a-title) [b](two.md#none) [c](#here) [d](#there)\n## Here\n"};
  Page two{"docs/two.md", "# A title\n"};
  EXPECT_THAT(brokenLinks({one, two}, neverExists),
              ElementsAre("docs/one.md:1: two.md#none: no such heading in docs/two.md",
                          "docs/one.md:1: #there: no such heading in docs/one.md"));
}

TEST(PageAnchors, FollowGitHub) {
  auto anchors = [](const std::string &text) { return anchorsOf({"a.md", text}); };
  EXPECT_THAT(anchors("# Division, square root\n## `snn_opt`: what it does?\n"),
              UnorderedElementsAre("division-square-root", "snn_opt-what-it-does"));
  EXPECT_THAT(anchors("### A [link](b.md) #\n"), UnorderedElementsAre("a-link"));
  EXPECT_THAT(anchors("# ANN → SNN: größer × 2\n"), UnorderedElementsAre("ann--snn-größer--2"));
  EXPECT_THAT(anchors("# Same\n## Same\n## Same\n"),
              UnorderedElementsAre("same", "same-1", "same-2"));
  EXPECT_THAT(anchors("```\n# a comment\n```\n#no space\n"), IsEmpty());
}

TEST(PageReach, FollowsLinksWithinTheFolder) {
  Page index{"docs/README.md", "[a](a.md) [more](more/) [out](../README.md)"};
  Page a{"docs/a.md", "[b](deep/b.md#x)"}, b{"docs/deep/b.md", "# X\n"};
  Page more{"docs/more/README.md", "[index](../README.md)"};
  Page root{"README.md", "[hidden](docs/hidden.md)"};
  Page hidden{"docs/hidden.md", "[a](a.md) `[b](b.md)`"};
  EXPECT_THAT(unreachablePages({root, index, a, b, more}, "docs/README.md"), IsEmpty());
  EXPECT_THAT(unreachablePages({root, index, a, b, more, hidden}, "docs/README.md"),
              ElementsAre("docs/hidden.md: no way leads here from docs/README.md"));
  EXPECT_THAT(unreachablePages({a}, "docs/README.md"),
              ElementsAre("docs/a.md: no way leads here from docs/README.md"));
}

} // namespace
