#include "core/chip/file/SourcedFigures.h"

#include "fmt/format.h"

namespace spindle {

void readCount(YamlReader &reader, const char *key, uint32_t &value, int64_t least, int64_t most) {
  int64_t number = value;
  reader.read(key, number, least, most);
  value = static_cast<uint32_t>(number);
}

void readSourced(YamlReader &reader, const YAML::Node &mapping, const char *key, Sourced &figure,
                 double least, double most) {
  if (!reader.has(key)) {
    reader.section(key); // known, and absent
    return;
  }
  if (mapping[key].IsScalar())
    return reader.fail(key, fmt::format("{} is '{}' without a source: give value and source, e.g. "
                                        "{{value: {}, source: \"author year\"}}",
                                        key, mapping[key].Scalar(), mapping[key].Scalar()));
  YamlReader section = reader.section(key);
  section.require("value");
  section.require("source");
  section.read("value", figure.value, least, most);
  section.read("source", figure.source);
  if (section.has("source") && figure.source.empty())
    section.fail("source", "source is empty: name the publication, or say 'assumption: ...'");
}

} // namespace spindle
