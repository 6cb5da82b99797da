#include "dialects/hls/interpreter/MemoryState.h"

#include "fmt/format.h"

namespace spindle::hls {

namespace {

uint64_t bitsOf(mlir::Attribute value) {
  if (auto real = llvm::dyn_cast<mlir::FloatAttr>(value))
    return real.getValue().bitcastToAPInt().getZExtValue();
  return llvm::cast<mlir::IntegerAttr>(value).getValue().getZExtValue();
}

std::string textOf(mlir::Operation *op) {
  return fmt::format("operation '{}'", op->getName().getStringRef().str());
}

} // namespace

ElementType elementTypeOf(mlir::Type type) {
  if (type.isIndex())
    return {ElementType::Kind::Index, 64};
  return {type.isBF16()                      ? ElementType::Kind::BFloat
          : llvm::isa<mlir::FloatType>(type) ? ElementType::Kind::Float
                                             : ElementType::Kind::Integer,
          type.getIntOrFloatBitWidth()};
}

MemoryState::MemoryState(MemoryOp memory)
    : name(memory.getSymName().str()), isRegister(memory.getRegisters()),
      seesOld(isRegister || memory.getDistributed()), bankWords(memory.getBankWords()) {
  layout.kind = KernelArgument::Kind::Memory;
  layout.type = elementTypeOf(memory.getElement());
  layout.shape = memory.getMemRef().getShape().vec();
  pattern = 0x5a5a5a5a5a5a5a5a & layout.type.mask();
  for (size_t dimension = 0; dimension < layout.shape.size(); ++dimension)
    layout.partition.push_back(memory.getDimension(unsigned(dimension)));
  words.assign(static_cast<size_t>(memory.getBanks() * bankWords), pattern);
  current.resize(static_cast<size_t>(memory.getBanks()));
  if (mlir::ElementsAttr initial = memory.getInitialAttr())
    for (auto [element, value] : llvm::enumerate(initial.getValues<mlir::Attribute>()))
      words[position(element)] = bitsOf(value);
}

size_t MemoryState::position(size_t element) const {
  BankAddress place = layout.place(element);
  return place.bank * static_cast<size_t>(bankWords) + place.address;
}

void MemoryState::setContents(const KernelArray &array) {
  for (size_t element = 0; element < array.count(); ++element)
    words[position(element)] = array.at(element);
}

KernelArray MemoryState::contents() const {
  KernelArray array = makeArray(layout.type, layout.shape);
  for (size_t element = 0; element < array.count(); ++element)
    array.set(element, words[position(element)]);
  return array;
}

llvm::Error MemoryState::claim(const Access &access, int64_t cycle) {
  auto refuse = [&](const std::string &what) {
    return checkError("@" + name, fmt::format("{} {} in cycle {}", textOf(access.op), what, cycle));
  };
  if (access.word < 0 || access.word >= bankWords)
    return refuse(fmt::format("accesses word {} of bank {}, expected 0 to {},", access.word,
                              access.bank, bankWords - 1));
  Accesses &bank = current[static_cast<size_t>(access.bank)];
  if (bank.cycle != cycle)
    bank.made.clear();
  bank.cycle = cycle;
  for (const Access &other : bank.made) {
    if (!isRegister && other.port == access.port)
      return refuse(fmt::format("takes port {} of bank {}, which {} has,", access.port, access.bank,
                                textOf(other.op)));
    bool meets = other.word == access.word && (other.isStore || access.isStore);
    bool mayMeet = seesOld && !(other.isStore && access.isStore);
    if (meets && !mayMeet)
      return refuse(fmt::format("meets {} in word {} of bank {}", textOf(other.op), access.word,
                                access.bank));
  }
  bank.made.push_back(access);
  return llvm::Error::success();
}

void MemoryState::commit() {
  for (auto [position, value] : pending)
    words[position] = value;
  pending.clear();
}

} // namespace spindle::hls
