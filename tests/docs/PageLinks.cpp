#include "tests/docs/PageLinks.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

namespace spindle {

namespace {

namespace fs = std::filesystem;

constexpr std::array rootPages = {"README.md", "CONTRIBUTING.md", "CHANGELOG.md"};

std::string readAll(const fs::path &path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// Overwrites all but the ends of lines with spaces.
void blank(std::string &text, size_t from, size_t to) {
  for (size_t i = from; i < std::min(to, text.size()); ++i)
    if (text[i] != '\n')
      text[i] = ' ';
}

/// The length of the run of one character that begins at `at`.
size_t runAt(const std::string &text, size_t at) {
  size_t end = text.find_first_not_of(text[at], at);
  return (end == std::string::npos ? text.size() : end) - at;
}

/// Blanks fenced blocks: from a line of three or more ``` or ~~~ to one of as many, or to the end.
void blankFences(std::string &text) {
  std::string fence;
  for (size_t start = 0; start < text.size();) {
    size_t end = std::min(text.find('\n', start), text.size());
    size_t sign = text.find_first_not_of(" \t", start);
    bool isRun = sign < end && (text[sign] == '`' || text[sign] == '~') && runAt(text, sign) >= 3;
    if (fence.empty() && isRun) {
      fence = text.substr(sign, runAt(text, sign));
      blank(text, start, end);
    } else if (!fence.empty()) {
      bool isClosed = isRun && text[sign] == fence[0] && runAt(text, sign) >= fence.size() &&
                      text.find_first_not_of(" \t", sign + runAt(text, sign)) >= end;
      blank(text, start, end);
      if (isClosed)
        fence.clear();
    }
    start = end + 1;
  }
}

/// Blanks `code` between runs of as many backticks, within a paragraph, and comments.
void blankCodeAndComments(std::string &text) {
  for (size_t at = 0; at < text.size(); ++at) {
    if (text.compare(at, 4, "<!--") == 0) {
      size_t end = text.find("-->", at);
      blank(text, at, end == std::string::npos ? text.size() : end + 3);
    } else if (text[at] == '`') {
      size_t length = runAt(text, at), end = std::min(text.find("\n\n", at), text.size());
      size_t close = at + length;
      while (close < end && (text[close] != '`' || runAt(text, close) != length))
        close += text[close] == '`' ? runAt(text, close) : 1;
      if (close < end)
        blank(text, at, close + length);
      at += length - 1;
    }
  }
}

size_t lineOf(const std::string &text, size_t at) {
  return 1 + std::count(text.begin(), text.begin() + at, '\n');
}

/// The target that begins at `from`, up to a space or the bracket that closes it.
std::string targetAt(const std::string &text, size_t from) {
  int depth = 0;
  size_t end = from;
  for (; end < text.size() && !std::isspace(static_cast<unsigned char>(text[end])); ++end) {
    depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
    if (depth < 0)
      break;
  }
  return text.substr(from, end - from);
}

bool isElsewhere(const std::string &target) {
  static const std::regex scheme("^([A-Za-z][A-Za-z0-9+.-]*:|//)");
  return std::regex_search(target, scheme);
}

struct Place {
  std::string file, anchor; // file: from the repository's root; empty where it lies outside
};

Place placeOf(const Page &page, const std::string &target) {
  size_t hash = std::min(target.find('#'), target.size());
  Place place{page.path, hash < target.size() ? target.substr(hash + 1) : ""};
  if (hash > 0) {
    fs::path file = fs::path(page.path).parent_path() / target.substr(0, hash);
    place.file = file.lexically_normal().generic_string();
  }
  if (place.file.compare(0, 2, "..") == 0 || place.file.compare(0, 1, "/") == 0)
    place.file.clear();
  return place;
}

/// A code point from `at` on, which moves behind it; bytes that are no UTF-8 stand for themselves.
uint32_t nextCodePoint(const std::string &text, size_t &at) {
  unsigned char lead = text[at++];
  int more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc0 ? 1 : 0;
  uint32_t point = more ? lead & (0x3f >> more) : lead;
  for (; more > 0 && at < text.size(); --more)
    point = point << 6 | (text[at++] & 0x3f);
  return point;
}

/// Whether GitHub keeps a character that is not ASCII: letters, not signs such as → or ×.
bool isLetter(uint32_t point) {
  bool isSign = point < 0xc0 || point == 0xd7 || point == 0xf7;
  bool isSymbol = point >= 0x2000 && point < 0x2c00;
  return !isSign && !isSymbol;
}

std::string anchorOf(const std::string &heading) {
  static const std::regex link("\\[([^\\]]*)\\]\\([^)]*\\)");
  std::string text = std::regex_replace(heading, link, "$1"), anchor;
  for (size_t at = 0; at < text.size();) {
    size_t start = at;
    uint32_t point = nextCodePoint(text, at);
    if (point >= 0x80)
      anchor += isLetter(point) ? text.substr(start, at - start) : "";
    else if (point == ' ')
      anchor += '-';
    else if (std::isalnum(static_cast<int>(point)) || point == '-' || point == '_')
      anchor += static_cast<char>(std::tolower(static_cast<int>(point)));
  }
  return anchor;
}

} // namespace

std::vector<Page> readPages(const std::string &root) {
  std::vector<Page> pages;
  auto read = [&](const fs::path &path) {
    pages.push_back({fs::relative(path, root).generic_string(), readAll(path)});
  };
  for (const char *name : rootPages)
    if (fs::exists(fs::path(root) / name))
      read(fs::path(root) / name);
  if (fs::exists(fs::path(root) / "docs"))
    for (const auto &entry : fs::recursive_directory_iterator(fs::path(root) / "docs"))
      if (entry.is_regular_file() && entry.path().extension() == ".md")
        read(entry.path());
  std::sort(pages.begin(), pages.end(),
            [](const Page &a, const Page &b) { return a.path < b.path; });
  return pages;
}

std::vector<Link> linksOf(const Page &page) {
  std::string text = page.text;
  blankFences(text);
  blankCodeAndComments(text);
  std::map<size_t, Link> links; // by position
  for (size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at + 1))
    links[at] = {lineOf(text, at), targetAt(text, at + 2)};
  static const std::regex definition("(^|\n) {0,3}\\[[^\\]\n]+\\]:[ \t]+");
  for (std::sregex_iterator it(text.begin(), text.end(), definition), end; it != end; ++it) {
    size_t at = it->position() + it->length();
    links[at] = {lineOf(text, at), targetAt(text, at)};
  }
  std::vector<Link> result;
  for (auto &[at, link] : links)
    result.push_back(std::move(link));
  return result;
}

std::set<std::string> anchorsOf(const Page &page) {
  static const std::regex heading("^ {0,3}#{1,6}[ \t]+(.*?)[ \t]*#*[ \t]*$");
  std::string text = page.text;
  blankFences(text);
  std::istringstream lines(text);
  std::set<std::string> anchors;
  std::map<std::string, size_t> repeats;
  std::string line;
  std::smatch match;
  while (std::getline(lines, line)) {
    if (!std::regex_match(line, match, heading))
      continue;
    std::string anchor = anchorOf(match[1]), unique = anchor;
    while (!anchors.insert(unique).second)
      unique = anchor + "-" + std::to_string(++repeats[anchor]);
  }
  return anchors;
}

std::vector<std::string> brokenLinks(const std::vector<Page> &pages,
                                     const std::function<bool(const std::string &)> &exists) {
  std::map<std::string, std::set<std::string>> anchors;
  for (const Page &page : pages)
    anchors[page.path] = anchorsOf(page);
  std::vector<std::string> problems;
  for (const Page &page : pages)
    for (const Link &link : linksOf(page)) {
      if (isElsewhere(link.target))
        continue;
      auto complain = [&](const std::string &reason) {
        problems.push_back(page.path + ":" + std::to_string(link.line) + ": " + link.target +
                           reason);
      };
      Place place = placeOf(page, link.target);
      auto known = anchors.find(place.file);
      if (place.file.empty())
        complain(" lies outside the repository");
      else if (known == anchors.end() && !exists(place.file))
        complain(": no such file");
      else if (!place.anchor.empty() && known == anchors.end())
        complain(": anchors are known of pages only");
      else if (!place.anchor.empty() && !known->second.count(place.anchor))
        complain(": no such heading in " + place.file);
    }
  return problems;
}

std::vector<std::string> unreachablePages(const std::vector<Page> &pages,
                                          const std::string &index) {
  std::string folder = index.substr(0, index.rfind('/') + 1);
  std::map<std::string, const Page *> left; // not reached yet
  for (const Page &page : pages)
    if (page.path.compare(0, folder.size(), folder) == 0)
      left[page.path] = &page;
  std::vector<const Page *> reached;
  auto reach = [&](const std::string &path) {
    auto found = left.find(path);
    if (found == left.end())
      return;
    reached.push_back(found->second);
    left.erase(found);
  };
  reach(index);
  for (size_t next = 0; next < reached.size(); ++next) {
    const Page &page = *reached[next];
    for (const Link &link : linksOf(page)) {
      if (isElsewhere(link.target))
        continue;
      std::string file = placeOf(page, link.target).file;
      reach(file);
      reach((fs::path(file) / "README.md").generic_string());
    }
  }
  std::vector<std::string> problems;
  for (const auto &[path, page] : left)
    problems.push_back(path + ": no way leads here from " + index);
  return problems;
}

} // namespace spindle
