#include "tests/report/JsonSchema.h"

#include <map>

namespace spindle {

namespace {

class Checker {
public:
  explicit Checker(const Json &whole) : root(whole) {}

  void check(const Json &schema, const Json &value, const std::string &place) {
    static const std::map<std::string, void (Checker::*)(const Json &, const Json &, const Json &,
                                                         const std::string &)>
        keywords = {{"type", &Checker::type},
                    {"const", &Checker::constant},
                    {"enum", &Checker::enumeration},
                    {"required", &Checker::required},
                    {"properties", &Checker::properties},
                    {"additionalProperties", &Checker::additional},
                    {"items", &Checker::items},
                    {"minimum", &Checker::minimum},
                    {"maximum", &Checker::maximum},
                    {"minItems", &Checker::leastSize},
                    {"minLength", &Checker::leastSize},
                    {"$ref", &Checker::reference},
                    {"$schema", &Checker::nothing},
                    {"$defs", &Checker::nothing},
                    {"title", &Checker::nothing},
                    {"description", &Checker::nothing}};
    for (const auto &[keyword, argument] : schema.items()) {
      auto known = keywords.find(keyword);
      if (known == keywords.end())
        problems.push_back("schema: unknown keyword " + keyword);
      else
        (this->*known->second)(argument, value, schema, place);
    }
  }

  std::vector<std::string> problems;

private:
  using Text = const std::string &;
  void require(bool holds, Text place, Text reason) {
    if (!holds)
      problems.push_back(place + ": " + reason);
  }
  void type(const Json &name, const Json &value, const Json &, Text place) {
    bool holds = name == "integer"   ? value.is_number_integer()
                 : name == "number"  ? value.is_number()
                 : name == "boolean" ? value.is_boolean()
                                     : name == value.type_name();
    require(holds, place, "is not of type " + name.get<std::string>());
  }
  void constant(const Json &expected, const Json &value, const Json &, Text place) {
    require(value == expected, place, "is not " + expected.dump());
  }
  void enumeration(const Json &allowed, const Json &value, const Json &, Text place) {
    bool found = false;
    for (const Json &one : allowed)
      found = found || one == value;
    require(found, place, "is none of " + allowed.dump());
  }
  void required(const Json &names, const Json &value, const Json &, Text place) {
    for (const Json &name : names)
      require(value.contains(name.get<std::string>()), place, "lacks " + name.dump());
  }
  void properties(const Json &schemas, const Json &value, const Json &, Text place) {
    for (const auto &[name, schema] : schemas.items())
      if (value.contains(name))
        check(schema, value[name], place + "/" + name);
  }
  void additional(const Json &schema, const Json &value, const Json &owner, Text place) {
    for (const auto &[name, member] : value.items())
      if (!owner.value("properties", Json::object()).contains(name)) {
        if (schema.is_boolean())
          require(schema.get<bool>(), place, "has the unknown member " + name);
        else
          check(schema, member, place + "/" + name);
      }
  }
  void items(const Json &schema, const Json &value, const Json &, Text place) {
    for (size_t i = 0; i < value.size(); ++i)
      check(schema, value[i], place + "/" + std::to_string(i));
  }
  void minimum(const Json &least, const Json &value, const Json &, Text place) {
    require(value.is_number() && value >= least, place, "is below " + least.dump());
  }
  void maximum(const Json &most, const Json &value, const Json &, Text place) {
    require(value.is_number() && value <= most, place, "is above " + most.dump());
  }
  void leastSize(const Json &least, const Json &value, const Json &, Text place) {
    size_t size = value.is_string() ? value.get_ref<const std::string &>().size() : value.size();
    require(size >= least.get<size_t>(), place, "is shorter than " + least.dump());
  }
  void reference(const Json &pointer, const Json &value, const Json &, Text place) {
    check(root.at(Json::json_pointer(pointer.get<std::string>().substr(1))), value, place);
  }
  void nothing(const Json &, const Json &, const Json &, Text) {}

  const Json &root;
};

} // namespace

std::vector<std::string> schemaProblems(const Json &schema, const Json &value) {
  Checker checker(schema);
  checker.check(schema, value, "");
  return checker.problems;
}

} // namespace spindle
