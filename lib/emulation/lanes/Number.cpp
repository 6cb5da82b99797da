#include "lib/emulation/lanes/Number.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <numeric>

using namespace mlir;

namespace spindle::lanes {

static Value constantValue(LoopBuilder &b, Type type, Attribute value) {
  if (auto vector = dyn_cast<VectorType>(type))
    return b.make<arith::ConstantOp>(DenseElementsAttr::get(vector, value));
  return b.make<arith::ConstantOp>(cast<TypedAttr>(value));
}

Number::Number(LoopBuilder &kernel, Type type, int64_t constant) : builder(&kernel) {
  Type one = getElementTypeOrSelf(type);
  Attribute value = isa<FloatType>(one)
                        ? Attribute(kernel.ops().getFloatAttr(one, double(constant)))
                        : Attribute(kernel.ops().getIntegerAttr(one, constant));
  result = constantValue(kernel, type, value);
}

Number::Number(LoopBuilder &kernel, Type type, double constant) : builder(&kernel) {
  Attribute value = kernel.ops().getFloatAttr(getElementTypeOrSelf(type), constant);
  result = constantValue(kernel, type, value);
}

int64_t Number::lanes() const {
  auto vector = dyn_cast<VectorType>(type());
  return vector ? vector.getNumElements() : 1;
}

/// A type of as many lanes.
static Type typeLike(Number a, Type element) {
  return isa<VectorType>(a.type()) ? a.kernel().lanesOf(element, a.lanes()) : element;
}

Number Number::spread(int64_t count) const {
  return {*builder, builder->make<vector::BroadcastOp>(builder->lanesOf(type(), count), result)};
}

Number Number::resized(int64_t bits) const {
  int64_t now = element().getIntOrFloatBitWidth();
  if (bits == now)
    return *this;
  Type other = typeLike(*this, builder->integer(bits));
  return {*builder, bits > now ? builder->make<arith::ExtUIOp>(other, result)
                               : builder->make<arith::TruncIOp>(other, result)};
}

Number Number::signExtended(int64_t bits) const {
  return {*builder, builder->make<arith::ExtSIOp>(typeLike(*this, builder->integer(bits)), result)};
}

Number Number::toFloat() const {
  return {*builder, builder->make<arith::SIToFPOp>(typeLike(*this, builder->f32()), result)};
}

Number Number::as(Type other) const {
  return {*builder, builder->make<LLVM::BitcastOp>(other, result)};
}

Number Number::shuffled(int64_t count, llvm::function_ref<int64_t(int64_t)> place) const {
  SmallVector<int32_t> places;
  for (int64_t lane = 0; lane < count; ++lane)
    places.push_back(int32_t(place(lane)));
  return {*builder, builder->make<LLVM::ShuffleVectorOp>(result, result, ArrayRef(places))};
}

Number Number::compressed(Number mask) const {
  if (isa<FloatType>(element())) // LLVM 22 does not select code for vectors of floats
    return as(builder->lanesOf(builder->integer(32), lanes())).compressed(mask).as(type());
  return intrinsic("llvm.experimental.vector.compress", type(), {*this, mask, like(0)});
}

Number Number::ones() const {
  Number bits = as(builder->integer(lanes()));
  return Number(*builder, builder->make<LLVM::CtPopOp>(bits.type(), bits.value())).resized(64);
}

/// A number beside a vector becomes a vector.
static void matchLanes(Number &a, Number &b) {
  bool isVector = isa<VectorType>(a.type()), isOther = isa<VectorType>(b.type());
  if (isVector && !isOther)
    b = b.spread(a.lanes());
  if (isOther && !isVector)
    a = a.spread(b.lanes());
}

template <typename Op> static Number binaryOf(Number a, Number b) {
  matchLanes(a, b);
  return {a.kernel(), a.kernel().make<Op>(a.value(), b.value())};
}

template <typename OfFloats, typename OfIntegers> static Number binaryOf(Number a, Number b) {
  return isa<FloatType>(a.element()) ? binaryOf<OfFloats>(a, b) : binaryOf<OfIntegers>(a, b);
}

Number operator+(Number a, Number b) { return binaryOf<arith::AddFOp, arith::AddIOp>(a, b); }
Number operator-(Number a, Number b) { return binaryOf<arith::SubFOp, arith::SubIOp>(a, b); }
Number operator*(Number a, Number b) { return binaryOf<arith::MulFOp, arith::MulIOp>(a, b); }
Number operator/(Number a, Number b) { return binaryOf<arith::DivFOp, arith::DivUIOp>(a, b); }
Number operator%(Number a, Number b) { return binaryOf<arith::RemUIOp>(a, b); }
Number operator&(Number a, Number b) { return binaryOf<arith::AndIOp>(a, b); }
Number operator|(Number a, Number b) { return binaryOf<arith::OrIOp>(a, b); }
Number operator^(Number a, Number b) { return binaryOf<arith::XOrIOp>(a, b); }
Number operator<<(Number a, Number b) { return binaryOf<arith::ShLIOp>(a, b); }
Number operator>>(Number a, Number b) { return binaryOf<arith::ShRUIOp>(a, b); }

Number Number::signedShift(int64_t bits) const {
  return binaryOf<arith::ShRSIOp>(*this, like(bits));
}

static Number compareNumbers(Number a, Number b, arith::CmpFPredicate ofFloats,
                             arith::CmpIPredicate ofIntegers) {
  matchLanes(a, b);
  LoopBuilder &k = a.kernel();
  return {k, isa<FloatType>(a.element()) ? k.make<arith::CmpFOp>(ofFloats, a.value(), b.value())
                                         : k.make<arith::CmpIOp>(ofIntegers, a.value(), b.value())};
}

Number operator<(Number a, Number b) {
  return compareNumbers(a, b, arith::CmpFPredicate::OLT, arith::CmpIPredicate::slt);
}
Number operator>(Number a, Number b) {
  return compareNumbers(a, b, arith::CmpFPredicate::OGT, arith::CmpIPredicate::sgt);
}
Number operator==(Number a, Number b) {
  return compareNumbers(a, b, arith::CmpFPredicate::OEQ, arith::CmpIPredicate::eq);
}
Number operator!=(Number a, Number b) {
  return compareNumbers(a, b, arith::CmpFPredicate::UNE, arith::CmpIPredicate::ne);
}

Number select(Number condition, Number a, Number b) {
  LoopBuilder &k = a.kernel();
  return {k, k.make<arith::SelectOp>(condition.value(), a.value(), b.value())};
}

Number least(Number a, Number b) { return binaryOf<arith::MinUIOp>(a, b); }

Number laneNumbers(LoopBuilder &kernel) {
  SmallVector<int32_t> numbers(kLanes);
  std::iota(numbers.begin(), numbers.end(), 0);
  auto type = kernel.lanesOf(kernel.integer(32));
  return {kernel,
          kernel.make<arith::ConstantOp>(DenseElementsAttr::get(type, ArrayRef<int32_t>(numbers)))};
}

Number lanesBefore(Number count) { return laneNumbers(count.kernel()) < count.resized(32); }

Number intrinsic(llvm::StringRef name, Type type, ArrayRef<Number> arguments) {
  LoopBuilder &k = arguments.front().kernel();
  SmallVector<Value> values;
  for (const Number &argument : arguments)
    values.push_back(argument.value());
  auto call = k.emit<LLVM::CallIntrinsicOp>(type, k.ops().getStringAttr(name), values);
  return {k, call.getResult(0)};
}

Array Array::operator+(Number places) const {
  LLVM::GEPArg index(places.value());
  return {*builder,
          builder->make<LLVM::GEPOp>(pointer.getType(), element, pointer, ArrayRef(index)),
          element};
}

Array Array::operator+(int64_t places) const {
  if (places == 0)
    return *this;
  if (!llvm::isInt<32>(places))
    return *this + Number(*builder, builder->integer(64), places);
  LLVM::GEPArg index{int32_t(places)};
  return {*builder,
          builder->make<LLVM::GEPOp>(pointer.getType(), element, pointer, ArrayRef(index)),
          element};
}

unsigned Array::alignmentOf(int64_t elements) const {
  constexpr int64_t kCacheLine = 64;
  return unsigned(std::min(kCacheLine, elements * bytes()));
}

Number Array::load(Type type) const {
  return {*builder, builder->make<LLVM::LoadOp>(type, pointer, bytes())};
}

Number Array::aligned(int64_t lanes, int64_t multiple) const {
  Type type = builder->lanesOf(element, lanes);
  return {*builder,
          builder->make<LLVM::LoadOp>(type, pointer, alignmentOf(multiple > 0 ? multiple : lanes))};
}

Number Array::gather(Number places) const {
  Type pointers = builder->lanesOf(pointer.getType(), places.lanes());
  auto type = builder->lanesOf(element, places.lanes());
  LLVM::GEPArg index(places.value());
  Value from = builder->make<LLVM::GEPOp>(pointers, element, pointer, ArrayRef(index));
  Number all(*builder, builder->lanesOf(builder->integer(1), places.lanes()), int64_t(1)),
      zeros(*builder, type, int64_t(0));
  return {*builder, builder->make<LLVM::masked_gather>(type, from, all.value(), zeros.value(),
                                                       uint32_t(bytes()))};
}

void Array::store(Number value) const {
  builder->emit<LLVM::StoreOp>(value.value(), pointer, bytes());
}

void Array::storeAligned(Number value, int64_t multiple) const {
  builder->emit<LLVM::StoreOp>(value.value(), pointer,
                               alignmentOf(multiple > 0 ? multiple : value.lanes()));
}

void Array::store(Number value, Number mask) const {
  builder->emit<LLVM::MaskedStoreOp>(value.value(), pointer, mask.value(), uint32_t(bytes()));
}

void Array::copy(Array from, Number count) const {
  builder->emit<LLVM::MemcpyOp>(pointer, from.pointer, (count * bytes()).value(),
                                /*isVolatile=*/false);
}

void Array::copy(Array from, int64_t count) const {
  copy(from, Number(*builder, builder->integer(64), count));
}

void Array::clear(int64_t count) const {
  Number size(*builder, builder->integer(64), count * bytes()),
      zero(*builder, builder->integer(8), int64_t(0));
  builder->emit<LLVM::MemsetOp>(pointer, zero.value(), size.value(), /*isVolatile=*/false);
}

void Array::prefetch() const {
  constexpr uint32_t kReads = 0, kKeeps = 3, kData = 1;
  builder->emit<LLVM::Prefetch>(pointer, kReads, kKeeps, kData);
}

Array select(Number condition, Array a, Array b) {
  LoopBuilder &k = condition.kernel();
  Value chosen = k.make<arith::SelectOp>(condition.value(), a.address(), b.address());
  return {k, chosen, a.elementType()};
}

} // namespace spindle::lanes
