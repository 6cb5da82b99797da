#include "lib/report/page/Page.h"

#include "lib/report/page/PageFiles.h"

#include <string_view>

namespace spindle {

std::string inlineJson(const Json &value) {
  std::string text;
  for (char c : jsonText(value)) {
    // `</script>` and `<!--` end or change the element; in JSON `<` stands only inside strings.
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  }
  return text;
}

std::string renderPage(const Json &report, const Json &figures) {
  const std::pair<std::string_view, std::string> parts[] = {
      {"{{style}}", page_file::kStyle},
      {"{{data}}", inlineJson({{"report", report}, {"figures", figures}})},
      {"{{script}}", page_file::kScript}};
  // In one pass from left to right: the data may hold the text of a placeholder.
  std::string page;
  std::string_view rest = page_file::kPage;
  for (const auto &[placeholder, text] : parts) {
    size_t at = rest.find(placeholder);
    page.append(rest.substr(0, at)).append(text);
    rest.remove_prefix(at + placeholder.size());
  }
  return page.append(rest);
}

} // namespace spindle
