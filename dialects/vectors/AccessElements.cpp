// Blocks of arrays: an access for each element, under a condition where it may not be made.
#include "dialects/vectors/Elements.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

namespace spindle::vectors {

namespace {

Elements firstOf(ArrayRef<ValueRange> operands) {
  Elements values;
  for (ValueRange each : operands)
    values.push_back(each.front());
  return values;
}

Value add(Builder &b, Value base, int64_t offset) {
  return offset == 0 ? base : arith::AddIOp::create(b, base, indexConstant(b, offset)).getResult();
}

/// `base` moved by an index of a vector whose axes are the last ones of the array.
Elements moved(Builder &b, ArrayRef<Value> base, const Index &index) {
  Elements indices(base);
  size_t ahead = base.size() - index.size();
  for (auto [axis, at] : llvm::enumerate(index))
    indices[ahead + axis] = add(b, indices[ahead + axis], at);
  return indices;
}

Value read(Builder &b, Value array, ArrayRef<Value> indices) {
  return isa<TensorType>(array.getType()) ? tensor::ExtractOp::create(b, array, indices).getResult()
                                          : memref::LoadOp::create(b, array, indices).getResult();
}

/// What is read where `condition` holds, else `otherwise`. No condition always holds.
Value readIf(Builder &b, Value condition, Value array, ArrayRef<Value> indices, Value otherwise) {
  if (!condition)
    return read(b, array, indices);
  auto choice = scf::IfOp::create(
      b, condition,
      [&](OpBuilder &inner, Location location) {
        Builder in(location, inner);
        scf::YieldOp::create(in, read(in, array, indices));
      },
      [&](OpBuilder &inner, Location location) {
        scf::YieldOp::create(inner, location, otherwise);
      });
  return choice.getResult(0);
}

/// Writes where `condition` holds; a tensor is then another value.
void writeIf(Builder &b, Value condition, Value element, Value &array, ArrayRef<Value> indices) {
  bool isTensor = isa<TensorType>(array.getType());
  auto write = [&](Builder &in) -> Value {
    if (isTensor)
      return tensor::InsertOp::create(in, element, array, indices);
    memref::StoreOp::create(in, element, array, indices);
    return {};
  };
  if (!condition) {
    Value written = write(b);
    array = isTensor ? written : array;
    return;
  }
  if (!isTensor) {
    scf::IfOp::create(b, condition, [&](OpBuilder &inner, Location location) {
      Builder in(location, inner);
      write(in);
      scf::YieldOp::create(in);
    });
    return;
  }
  auto choice = scf::IfOp::create(
      b, condition,
      [&](OpBuilder &inner, Location location) {
        Builder in(location, inner);
        scf::YieldOp::create(in, write(in));
      },
      [&](OpBuilder &inner, Location location) { scf::YieldOp::create(inner, location, array); });
  array = choice.getResult(0);
}

Value both(Builder &b, Value left, Value right) {
  if (!left || !right)
    return left ? left : right;
  return arith::AndIOp::create(b, left, right);
}

/// Which element of the array an element of a transferred vector is.
class Transfer {
public:
  Transfer(Builder &builder, VectorTransferOpInterface transfer, Value accessed, Elements start,
           ValueRange set)
      : b(builder), op(transfer), array(accessed), base(std::move(start)), mask(set),
        map(transfer.getPermutationMap()) {
    for (auto [axis, result] : llvm::enumerate(map.getResults()))
      if (auto dimension = dyn_cast<AffineDimExpr>(result))
        axes.push_back({dimension.getPosition(), axis});
    llvm::sort(axes); // a mask has the axes of the array
  }

  Elements indices(const Index &index) {
    Elements found(base);
    for (auto [dimension, axis] : axes)
      found[dimension] = add(b, found[dimension], index[axis]);
    return found;
  }

  /// Whether it is inside and the mask is set; none where that is always so.
  Value condition(const Index &index) {
    Value found;
    for (auto [dimension, axis] : axes) {
      if (op.isDimInBounds(unsigned(axis)))
        continue;
      Value at = add(b, base[dimension], index[axis]);
      found = both(b, found,
                   arith::CmpIOp::create(b, arith::CmpIPredicate::slt, at, extentOf(dimension)));
    }
    if (mask.empty())
      return found;
    Index place, shape;
    for (auto [dimension, axis] : axes) {
      place.push_back(index[axis]);
      shape.push_back(op.getVectorType().getShape()[axis]);
    }
    return both(b, found, mask[size_t(placeOf(place, shape))]);
  }

private:
  Value extentOf(unsigned dimension) {
    auto type = cast<ShapedType>(array.getType());
    if (!type.isDynamicDim(dimension))
      return indexConstant(b, type.getDimSize(dimension));
    return isa<TensorType>(type) ? tensor::DimOp::create(b, array, dimension).getResult()
                                 : memref::DimOp::create(b, array, dimension).getResult();
  }

  Builder &b;
  VectorTransferOpInterface op;
  Value array;
  Elements base;
  ValueRange mask;
  AffineMap map;
  SmallVector<std::pair<unsigned, size_t>> axes; // of the array, of the vector
};

Results transferRead(vector::TransferReadOp op, Operands<vector::TransferReadOp> operands,
                     Builder &b) {
  Value array = operands.getBase().front(), padding = operands.getPadding().front();
  Transfer transfer(b, op, array, firstOf(operands.getIndices()), operands.getMask());
  Elements elements;
  forEachIndex(op.getVectorType().getShape(), [&](const Index &index) {
    Value condition = transfer.condition(index);
    elements.push_back(readIf(b, condition, array, transfer.indices(index), padding));
  });
  return {elements};
}

/// A result, which a tensor has, is the one that the last element was written to.
Results written(Operation *op, Value array) {
  return op->getNumResults() == 0 ? Results() : Results{{array}};
}

Results transferWrite(vector::TransferWriteOp op, Operands<vector::TransferWriteOp> operands,
                      Builder &b) {
  Value array = operands.getBase().front();
  Transfer transfer(b, op, array, firstOf(operands.getIndices()), operands.getMask());
  size_t next = 0;
  forEachIndex(op.getVectorType().getShape(), [&](const Index &index) {
    Value condition = transfer.condition(index);
    writeIf(b, condition, operands.getValueToStore()[next++], array, transfer.indices(index));
  });
  return written(op, array);
}

Results load(vector::LoadOp op, Operands<vector::LoadOp> operands, Builder &b) {
  Elements base = firstOf(operands.getIndices()), elements;
  forEachIndex(op.getVectorType().getShape(), [&](const Index &index) {
    elements.push_back(read(b, operands.getBase().front(), moved(b, base, index)));
  });
  return {elements};
}

Results store(vector::StoreOp op, Operands<vector::StoreOp> operands, Builder &b) {
  Elements base = firstOf(operands.getIndices());
  size_t next = 0;
  forEachIndex(op.getVectorType().getShape(), [&](const Index &index) {
    memref::StoreOp::create(b, operands.getValueToStore()[next++], operands.getBase().front(),
                            moved(b, base, index));
  });
  return {};
}

Results maskedLoad(vector::MaskedLoadOp op, Operands<vector::MaskedLoadOp> operands, Builder &b) {
  Elements base = firstOf(operands.getIndices()), elements;
  forEachIndex(op.getVectorType().getShape(), [&](const Index &index) {
    size_t at = elements.size();
    elements.push_back(readIf(b, operands.getMask()[at], operands.getBase().front(),
                              moved(b, base, index), operands.getPassThru()[at]));
  });
  return {elements};
}

Results maskedStore(vector::MaskedStoreOp op, Operands<vector::MaskedStoreOp> operands,
                    Builder &b) {
  Elements base = firstOf(operands.getIndices());
  Value array = operands.getBase().front();
  size_t at = 0;
  forEachIndex(op.getVectorType().getShape(), [&](const Index &index) {
    writeIf(b, operands.getMask()[at], operands.getValueToStore()[at], array,
            moved(b, base, index));
    ++at;
  });
  return {};
}

/// `base` moved along the last axis by an element of a vector of indices.
Elements scattered(Builder &b, Elements base, Value by) {
  if (!by.getType().isIndex())
    by = arith::IndexCastOp::create(b, b.getIndexType(), by);
  base.back() = arith::AddIOp::create(b, base.back(), by);
  return base;
}

Results gather(vector::GatherOp, Operands<vector::GatherOp> operands, Builder &b) {
  Elements base = firstOf(operands.getOffsets()), elements;
  for (auto [index, mask, otherwise] :
       llvm::zip_equal(operands.getIndices(), operands.getMask(), operands.getPassThru()))
    elements.push_back(
        readIf(b, mask, operands.getBase().front(), scattered(b, base, index), otherwise));
  return {elements};
}

/// In the order of the elements: of two at one place the later one stays.
Results scatter(vector::ScatterOp op, Operands<vector::ScatterOp> operands, Builder &b) {
  Elements base = firstOf(operands.getOffsets());
  Value array = operands.getBase().front();
  for (auto [index, mask, element] :
       llvm::zip_equal(operands.getIndices(), operands.getMask(), operands.getValueToStore()))
    writeIf(b, mask, element, array, scattered(b, base, index));
  return written(op, array);
}

/// How many elements of a mask are set before each of its elements.
Elements countsBefore(Builder &b, ValueRange mask) {
  Elements counts;
  Value count = indexConstant(b, 0);
  for (Value isSet : mask) {
    counts.push_back(count);
    Value one = arith::IndexCastUIOp::create(b, b.getIndexType(), isSet);
    count = arith::AddIOp::create(b, count, one);
  }
  return counts;
}

Results expandLoad(vector::ExpandLoadOp, Operands<vector::ExpandLoadOp> operands, Builder &b) {
  Elements base = firstOf(operands.getIndices()), elements;
  Elements counts = countsBefore(b, operands.getMask());
  for (auto [count, mask, otherwise] :
       llvm::zip_equal(counts, operands.getMask(), operands.getPassThru()))
    elements.push_back(
        readIf(b, mask, operands.getBase().front(), scattered(b, base, count), otherwise));
  return {elements};
}

Results compressStore(vector::CompressStoreOp, Operands<vector::CompressStoreOp> operands,
                      Builder &b) {
  Elements base = firstOf(operands.getIndices());
  Value array = operands.getBase().front();
  Elements counts = countsBefore(b, operands.getMask());
  for (auto [count, mask, element] :
       llvm::zip_equal(counts, operands.getMask(), operands.getValueToStore()))
    writeIf(b, mask, element, array, scattered(b, base, count));
  return {};
}

/// The map of an affine access whose last axes are moved by an index of the vector.
AffineMap moved(AffineMap map, const Index &index) {
  SmallVector<AffineExpr> results(map.getResults());
  size_t ahead = results.size() - index.size();
  for (auto [axis, at] : llvm::enumerate(index))
    results[ahead + axis] = results[ahead + axis] + at;
  return AffineMap::get(map.getNumDims(), map.getNumSymbols(), results, map.getContext());
}

Results affineLoad(affine::AffineVectorLoadOp op, Operands<affine::AffineVectorLoadOp> operands,
                   Builder &b) {
  Elements indices = firstOf(operands.getIndices()), elements;
  forEachIndex(op.getVectorType().getShape(), [&](const Index &index) {
    elements.push_back(affine::AffineLoadOp::create(b, operands.getMemref().front(),
                                                    moved(op.getAffineMap(), index), indices));
  });
  return {elements};
}

Results affineStore(affine::AffineVectorStoreOp op, Operands<affine::AffineVectorStoreOp> operands,
                    Builder &b) {
  Elements indices = firstOf(operands.getIndices());
  size_t next = 0;
  forEachIndex(op.getVectorType().getShape(), [&](const Index &index) {
    affine::AffineStoreOp::create(b, operands.getValue()[next++], operands.getMemref().front(),
                                  moved(op.getAffineMap(), index), indices);
  });
  return {};
}

} // namespace

void addAccessPatterns(const TypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<Unroll<vector::TransferReadOp, transferRead>,
               Unroll<vector::TransferWriteOp, transferWrite>, Unroll<vector::LoadOp, load>,
               Unroll<vector::StoreOp, store>, Unroll<vector::MaskedLoadOp, maskedLoad>,
               Unroll<vector::MaskedStoreOp, maskedStore>, Unroll<vector::GatherOp, gather>,
               Unroll<vector::ScatterOp, scatter>, Unroll<vector::ExpandLoadOp, expandLoad>,
               Unroll<vector::CompressStoreOp, compressStore>,
               Unroll<affine::AffineVectorLoadOp, affineLoad>,
               Unroll<affine::AffineVectorStoreOp, affineStore>>(converter, patterns.getContext());
}

} // namespace spindle::vectors
