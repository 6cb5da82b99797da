// Operations that only move elements: no arithmetic is left of them but where a position is data.
#include "dialects/vectors/Elements.h"

using namespace mlir;

namespace spindle::vectors {

namespace {

/// One vector of these elements, each by its index.
Results gather(Type type, llvm::function_ref<Value(const Index &)> element) {
  Elements elements;
  forEachIndex(shapeOf(type), [&](const Index &index) { elements.push_back(element(index)); });
  return {elements};
}

/// Trailing extents are matched; those of one are repeated.
Results broadcast(vector::BroadcastOp op, Operands<vector::BroadcastOp> operands, Builder &) {
  ValueRange source = operands.getSource();
  ArrayRef<int64_t> shape = shapeOf(op.getSourceType());
  return gather(op.getType(), [&](const Index &index) {
    Index from(index.end() - shape.size(), index.end());
    for (auto [at, extent] : llvm::zip(from, shape))
      at = extent == 1 ? 0 : at;
    return source[size_t(placeOf(from, shape))];
  });
}

Results castShape(vector::ShapeCastOp, Operands<vector::ShapeCastOp> operands, Builder &) {
  return {Elements(operands.getSource())};
}

Results transpose(vector::TransposeOp op, Operands<vector::TransposeOp> operands, Builder &) {
  ArrayRef<int64_t> shape = op.getSourceVectorType().getShape();
  return gather(op.getType(), [&](const Index &index) {
    Index from(index.size());
    for (auto [at, axis] : llvm::zip(index, op.getPermutation()))
      from[size_t(axis)] = at;
    return operands.getVector()[size_t(placeOf(from, shape))];
  });
}

/// Rows of both, one vector after the other; what is poison is any of them.
Results shuffle(vector::ShuffleOp op, Operands<vector::ShuffleOp> operands, Builder &) {
  Elements all(operands.getV1());
  llvm::append_range(all, operands.getV2());
  int64_t row = op.getV1VectorType().getRank() == 0
                    ? 1
                    : countOf(op.getV1VectorType()) / op.getV1VectorType().getShape()[0];
  Elements elements;
  for (int64_t from : op.getMask())
    for (int64_t at = 0; at < row; ++at)
      elements.push_back(all[size_t(std::max<int64_t>(from, 0) * row + at)]);
  return {elements};
}

Results interleave(vector::InterleaveOp, Operands<vector::InterleaveOp> operands, Builder &) {
  Elements elements;
  for (auto [left, right] : llvm::zip_equal(operands.getLhs(), operands.getRhs()))
    elements.append({left, right});
  return {elements};
}

Results deinterleave(vector::DeinterleaveOp, Operands<vector::DeinterleaveOp> operands, Builder &) {
  Results parts(2);
  for (auto [at, element] : llvm::enumerate(operands.getSource()))
    parts[at % 2].push_back(element);
  return parts;
}

Results toElements(vector::ToElementsOp, Operands<vector::ToElementsOp> operands, Builder &) {
  Results parts;
  for (Value element : operands.getSource())
    parts.push_back({element});
  return parts;
}

Results fromElements(vector::FromElementsOp, Operands<vector::FromElementsOp> operands, Builder &) {
  Elements elements;
  for (ValueRange each : operands.getElements())
    llvm::append_range(elements, each);
  return {elements};
}

Results extractSlice(vector::ExtractStridedSliceOp op,
                     Operands<vector::ExtractStridedSliceOp> operands, Builder &) {
  ArrayRef<int64_t> shape = op.getSourceVectorType().getShape();
  return gather(op.getType(), [&](const Index &index) {
    Index from(index);
    for (size_t axis = 0; axis < op.getOffsets().size(); ++axis)
      from[axis] = cast<IntegerAttr>(op.getOffsets()[axis]).getInt() +
                   index[axis] * cast<IntegerAttr>(op.getStrides()[axis]).getInt();
    return operands.getSource()[size_t(placeOf(from, shape))];
  });
}

Results insertSlice(vector::InsertStridedSliceOp op,
                    Operands<vector::InsertStridedSliceOp> operands, Builder &) {
  Elements elements(operands.getDest());
  ArrayRef<int64_t> part = op.getSourceVectorType().getShape();
  size_t ahead = size_t(op.getDestVectorType().getRank() - op.getSourceVectorType().getRank());
  forEachIndex(part, [&](const Index &index) {
    Index to(ahead, 0);
    llvm::append_range(to, index);
    for (size_t axis = 0; axis < to.size(); ++axis) {
      int64_t stride = axis < ahead ? 1 : cast<IntegerAttr>(op.getStrides()[axis - ahead]).getInt();
      to[axis] = to[axis] * stride + cast<IntegerAttr>(op.getOffsets()[axis]).getInt();
    }
    elements[size_t(placeOf(to, op.getDestVectorType().getShape()))] =
        operands.getValueToStore()[size_t(placeOf(index, part))];
  });
  return {elements};
}

/// Numbers as they are written, and data.
struct Position {
  SmallVector<OpFoldResult> axes;

  /// Whether it is `index`; null where that is known, and then `isKnown` says it.
  Value isAt(Builder &b, ArrayRef<int64_t> index, bool &isKnown) const {
    Value found;
    isKnown = true;
    for (auto [axis, at] : llvm::zip(axes, index)) {
      if (auto number = dyn_cast<Attribute>(axis)) {
        isKnown &= cast<IntegerAttr>(number).getInt() == at;
        continue;
      }
      Value same = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, cast<Value>(axis),
                                         indexConstant(b, at));
      found = found ? arith::AndIOp::create(b, found, same).getResult() : same;
    }
    return isKnown ? found : Value();
  }
};

/// Of data each operand is one number.
template <typename Op> Position positionOf(Op op, Operands<Op> operands, Builder &b) {
  Position position;
  size_t next = 0;
  for (int64_t number : op.getStaticPosition())
    if (ShapedType::isDynamic(number))
      position.axes.push_back(operands.getDynamicPosition()[next++].front());
    else
      position.axes.push_back(b.getIndexAttr(number));
  return position;
}

/// A part by its position. Where that is data and outside, the first part that it could have been.
Results extract(vector::ExtractOp op, Operands<vector::ExtractOp> operands, Builder &b) {
  Position position = positionOf(op, operands, b);
  ArrayRef<int64_t> shape = shapeOf(op.getSourceVectorType());
  ArrayRef<int64_t> ahead = shape.take_front(position.axes.size());
  size_t count = size_t(countOf(op.getType()));
  Elements elements;
  forEachIndex(ahead, [&](const Index &index) {
    bool isKnown;
    Value isHere = position.isAt(b, index, isKnown);
    if (!isKnown)
      return;
    ValueRange part = operands.getSource().slice(size_t(placeOf(index, ahead)) * count, count);
    if (elements.empty()) {
      elements.assign(part.begin(), part.end());
      return;
    }
    for (auto [chosen, element] : llvm::zip(elements, part))
      chosen = arith::SelectOp::create(b, isHere, element, chosen);
  });
  return {elements};
}

Results insert(vector::InsertOp op, Operands<vector::InsertOp> operands, Builder &b) {
  Position position = positionOf(op, operands, b);
  ArrayRef<int64_t> ahead = shapeOf(op.getDestVectorType()).take_front(position.axes.size());
  Elements elements(operands.getDest());
  size_t count = operands.getValueToStore().size();
  forEachIndex(ahead, [&](const Index &index) {
    bool isKnown;
    Value isHere = position.isAt(b, index, isKnown);
    if (!isKnown)
      return;
    for (auto [at, stored] : llvm::enumerate(operands.getValueToStore())) {
      Value &element = elements[size_t(placeOf(index, ahead)) * count + at];
      element = isHere ? arith::SelectOp::create(b, isHere, stored, element).getResult() : stored;
    }
  });
  return {elements};
}

Results step(vector::StepOp op, Operands<vector::StepOp>, Builder &b) {
  return gather(op.getType(), [&](const Index &index) { return indexConstant(b, index[0]); });
}

Results constantMask(vector::ConstantMaskOp op, Operands<vector::ConstantMaskOp>, Builder &b) {
  return gather(op.getType(), [&](const Index &index) -> Value {
    bool isSet = index.empty() ? op.getMaskDimSizes()[0] != 0 : true;
    for (auto [at, extent] : llvm::zip(index, op.getMaskDimSizes()))
      isSet &= at < extent;
    return arith::ConstantOp::create(b, b.getBoolAttr(isSet));
  });
}

Results createMask(vector::CreateMaskOp op, Operands<vector::CreateMaskOp> operands, Builder &b) {
  return gather(op.getType(), [&](const Index &index) -> Value {
    Value isSet = arith::ConstantOp::create(b, b.getBoolAttr(true));
    for (size_t axis = 0; axis < operands.getOperands().size(); ++axis) {
      int64_t at = index.empty() ? 0 : index[axis];
      Value isBelow = arith::CmpIOp::create(
          b, arith::CmpIPredicate::sgt, operands.getOperands()[axis].front(), indexConstant(b, at));
      isSet = arith::AndIOp::create(b, isSet, isBelow);
    }
    return isSet;
  });
}

/// The bits of a number as an integer, and back.
Value bitsOf(Builder &b, Value value) {
  Type type = b.getIntegerType(value.getType().getIntOrFloatBitWidth());
  return value.getType() == type ? value : arith::BitcastOp::create(b, type, value).getResult();
}
Value fromBits(Builder &b, Type type, Value bits) {
  return bits.getType() == type ? bits : arith::BitcastOp::create(b, type, bits).getResult();
}

/// The first of several elements in one holds the lowest bits.
Results castBits(vector::BitCastOp op, Operands<vector::BitCastOp> operands, Builder &b) {
  Type type = op.getType().getElementType();
  unsigned from = op.getSourceVectorType().getElementTypeBitWidth(),
           to = type.getIntOrFloatBitWidth();
  Type word = b.getIntegerType(std::max(from, to)), part = b.getIntegerType(std::min(from, to));
  size_t parts = std::max(from, to) / std::min(from, to);
  auto shift = [&](size_t at) -> Value {
    return arith::ConstantOp::create(b, b.getIntegerAttr(word, int64_t(at * std::min(from, to))));
  };
  Elements elements;
  if (from >= to) {
    for (Value element : operands.getSource())
      for (size_t at = 0; at < parts; ++at) {
        Value bits = bitsOf(b, element);
        if (parts > 1)
          bits = arith::TruncIOp::create(b, part, arith::ShRUIOp::create(b, bits, shift(at)));
        elements.push_back(fromBits(b, type, bits));
      }
    return {elements};
  }
  for (size_t first = 0; first < operands.getSource().size(); first += parts) {
    Value all;
    for (size_t at = 0; at < parts; ++at) {
      Value bits = arith::ExtUIOp::create(b, word, bitsOf(b, operands.getSource()[first + at]));
      bits = arith::ShLIOp::create(b, bits, shift(at));
      all = all ? arith::OrIOp::create(b, all, bits).getResult() : bits;
    }
    elements.push_back(fromBits(b, type, all));
  }
  return {elements};
}

} // namespace

void addMovePatterns(const TypeConverter &converter, RewritePatternSet &patterns) {
  patterns
      .add<Unroll<vector::BroadcastOp, broadcast>, Unroll<vector::ShapeCastOp, castShape>,
           Unroll<vector::TransposeOp, transpose>, Unroll<vector::ShuffleOp, shuffle>,
           Unroll<vector::InterleaveOp, interleave>, Unroll<vector::DeinterleaveOp, deinterleave>,
           Unroll<vector::ToElementsOp, toElements>, Unroll<vector::FromElementsOp, fromElements>,
           Unroll<vector::ExtractStridedSliceOp, extractSlice>,
           Unroll<vector::InsertStridedSliceOp, insertSlice>, Unroll<vector::ExtractOp, extract>,
           Unroll<vector::InsertOp, insert>, Unroll<vector::StepOp, step>,
           Unroll<vector::ConstantMaskOp, constantMask>, Unroll<vector::CreateMaskOp, createMask>,
           Unroll<vector::BitCastOp, castBits>>(converter, patterns.getContext());
}

} // namespace spindle::vectors
