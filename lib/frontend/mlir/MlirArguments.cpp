// Weights that are arguments of the function, given by a NumPy archive.
#include "core/support/formats/Npz.h"
#include "lib/frontend/mlir/MlirModel.h"

#include "fmt/format.h"
#include "fmt/ranges.h"

#include <algorithm>
#include <numeric>

using namespace mlir;

namespace spindle {

/// The number in `arg<number>`, below `count`.
static std::optional<unsigned> argumentNumber(StringRef name, unsigned count) {
  unsigned number = 0;
  if (!name.consume_front("arg") || name.getAsInteger(10, number) || number >= count)
    return std::nullopt;
  return number;
}

static llvm::Error checkShape(const NpzMember &member, const Shape &wanted, unsigned argument,
                              const std::string &archive) {
  const Shape &found = member.array.shape;
  if (found == wanted)
    return llvm::Error::success();
  std::string remedy = found == Shape(wanted.rbegin(), wanted.rend())
                           ? "; it is transposed, store it in the order of the argument"
                           : "";
  return inputError(archive, fmt::format("array '{}' is {}, argument {} is {}{}", member.name,
                                         toText(found), argument, toText(wanted), remedy));
}

/// The argument marked as input, if one is.
static std::optional<unsigned> markedInput(func::FuncOp function) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (function.getArgAttr(i, "secret.secret"))
      return i;
  return std::nullopt;
}

/// For each argument the array bound to it, null for the input.
using Binding = std::vector<const NpzMember *>;

static llvm::Expected<Binding> bindByName(const std::vector<NpzMember> &members, unsigned count,
                                          std::optional<unsigned> marked,
                                          const std::string &archive) {
  Binding binding(count, nullptr);
  for (const NpzMember &member : members)
    binding[*argumentNumber(member.name, count)] = &member;
  std::vector<std::string> missing;
  for (unsigned i = 0; i < count; ++i)
    if (!binding[i])
      missing.push_back(fmt::format("arg{}", i));
  if (missing.size() != 1)
    return inputError(archive, fmt::format("arrays leave {} arguments without value [{}], expected "
                                           "one, the input",
                                           missing.size(), fmt::join(missing, ", ")));
  if (marked && binding[*marked])
    return inputError(
        archive, fmt::format("array 'arg{}' belongs to the argument marked as input", *marked));
  return binding;
}

/// In order; the input is the marked argument, else the first one that leaves arrays and arguments
/// of equal shapes.
static Binding bindInOrder(const std::vector<NpzMember> &members, const std::vector<Shape> &shapes,
                           std::optional<unsigned> marked) {
  auto leavingOut = [&](size_t input) {
    Binding binding;
    for (size_t i = 0, next = 0; i < shapes.size(); ++i)
      binding.push_back(i == input ? nullptr : &members[next++]);
    return binding;
  };
  if (marked)
    return leavingOut(*marked);
  for (size_t input = 0; input < shapes.size(); ++input) {
    Binding binding = leavingOut(input);
    bool fits = true;
    for (size_t i = 0; i < shapes.size(); ++i)
      fits &= !binding[i] || binding[i]->array.shape == shapes[i];
    if (fits)
      return binding;
  }
  return leavingOut(0);
}

llvm::Expected<Arguments> bindArguments(func::FuncOp function, const std::string &archive,
                                        const std::string &place) {
  unsigned count = function.getNumArguments();
  std::string name = function.getSymName().str();
  if (archive.empty()) {
    if (count != 1)
      return inputError(place,
                        fmt::format("function '{}' has {} arguments, expected one, the input; "
                                    "give the others by model.arguments, an npz archive",
                                    name, count));
    return Arguments{0, {Tensor()}};
  }
  if (count == 0)
    return inputError(place, fmt::format("function '{}' has no arguments, expected one at least, "
                                         "the input",
                                         name));
  std::vector<Shape> shapes;
  uint64_t elements = 0;
  for (Type type : function.getArgumentTypes()) {
    SPINDLE_ASSIGN(Shape shape, staticShape(type, place));
    elements += std::accumulate(shape.begin(), shape.end(), uint64_t{1}, std::multiplies<>());
    shapes.push_back(std::move(shape));
  }
  // Twice as many: arrays of wrong shapes are named below.
  SPINDLE_ASSIGN(std::vector<NpzMember> members, readNpz(archive, 2 * elements + 1024));
  if (members.size() + 1 != count)
    return inputError(archive,
                      fmt::format("holds {} arrays, function '{}' takes {} beside the input",
                                  members.size(), name, count - 1));
  std::optional<unsigned> marked = markedInput(function);
  bool byName = !members.empty() && llvm::all_of(members, [&](const NpzMember &member) {
    return argumentNumber(member.name, count).has_value();
  });
  Binding binding;
  if (byName) {
    SPINDLE_ASSIGN(binding, bindByName(members, count, marked, archive));
  } else {
    binding = bindInOrder(members, shapes, marked);
  }

  Arguments arguments;
  for (unsigned i = 0; i < count; ++i) {
    arguments.values.emplace_back();
    if (!binding[i]) {
      arguments.input = i;
      continue;
    }
    SPINDLE_RETURN_IF_ERROR(checkShape(*binding[i], shapes[i], i, archive));
    arguments.values[i] = Tensor::constant(shapes[i], binding[i]->array.doubles());
  }
  return arguments;
}

} // namespace spindle
