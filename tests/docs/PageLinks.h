// Pages in Markdown: the links and anchors in them, links that lead nowhere, pages that no link
// leads to.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

namespace spindle {

struct Page {
  std::string path; // from the repository's root, with slashes
  std::string text;
};

struct Link {
  size_t line = 0;
  std::string target; // as written: `page.md#anchor`, `#anchor`, `https://…`
  bool operator==(const Link &) const = default;
};

/// README.md, CONTRIBUTING.md, CHANGELOG.md and every page below docs of the repository at `root`,
/// ascending.
std::vector<Page> readPages(const std::string &root);

/// The links of a page in the order of its text: `[text](target)`, images, and definitions of
/// references (`[name]: target`). Fenced code blocks, code in the text and comments have none.
std::vector<Link> linksOf(const Page &page);

/// The anchors of the headings by GitHub's rule: the text in small letters without punctuation
/// (hyphens and underscores stay), hyphens for spaces; `-1`, `-2`, … where an anchor is taken.
std::set<std::string> anchorsOf(const Page &page);

/// Every link whose file or anchor is missing, as `path:line: reason`. `exists` says whether the
/// repository has a file or folder. Links with a scheme (https:, mailto:) are not followed.
std::vector<std::string> brokenLinks(const std::vector<Page> &pages,
                                     const std::function<bool(const std::string &)> &exists);

/// The pages in the folder of `index` or below it that one cannot get to from `index` by links
/// between such pages. A link to a folder leads to its README.md.
std::vector<std::string> unreachablePages(const std::vector<Page> &pages, const std::string &index);

} // namespace spindle
