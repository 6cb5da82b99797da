#include "lib/emulation/layerwise/SynapseColumns.h"

#include "lib/emulation/Network.h"

#include "mlir/IR/Matchers.h"

#include <numeric>

namespace spindle::layerwise {

namespace {

/// Rows of the targets, ascending: `each(use)` calls `use(target, sources)`.
using Use = llvm::function_ref<void(int64_t, llvm::ArrayRef<int32_t>)>;
using Rows = llvm::function_ref<void(Use)>;

/// Walks the rows once to count what each source needs, and once to write it in place.
class Packer {
public:
  Packer(int64_t sourceCount, int64_t targetCount, Rows allRows)
      : sources(size_t(sourceCount)), targets(targetCount), rows(allRows) {}

  SynapseColumns pack(std::vector<float> rowWeights) {
    bool isUniform = llvm::all_equal(rowWeights);
    std::vector<int64_t> numbers(sources + 1, 0), gaps(isUniform ? sources + 1 : 0, 0);
    count(numbers, gaps);
    int64_t synapses = std::accumulate(numbers.begin(), numbers.end(), int64_t(0)),
            bytes = std::accumulate(gaps.begin(), gaps.end(), int64_t(0));
    bool isNarrow = targets <= int64_t(UINT16_MAX) + 1;
    columns.form = isUniform && bytes <= synapses + synapses / 4 ? TargetForm::Gaps8
                   : isNarrow                                    ? TargetForm::Numbers16
                                                                 : TargetForm::Numbers32;
    columns.offsets = std::move(columns.form == TargetForm::Gaps8 ? gaps : numbers);
    std::partial_sum(columns.offsets.begin(), columns.offsets.end(), columns.offsets.begin());
    auto entries = size_t(columns.offsets.back());
    columns.weights.resize(isUniform ? std::min<size_t>(1, rowWeights.size()) : entries);
    std::copy_n(rowWeights.begin(), isUniform ? columns.weights.size() : 0,
                columns.weights.begin());
    if (columns.form == TargetForm::Gaps8)
      writeGaps();
    else if (columns.form == TargetForm::Numbers16)
      writeNumbers<uint16_t>(isUniform ? std::vector<float>() : rowWeights);
    else
      writeNumbers<uint32_t>(isUniform ? std::vector<float>() : rowWeights);
    return std::move(columns);
  }

private:
  /// Entries of source s, by both forms, at place s + 1. Gaps are counted where asked for.
  void count(std::vector<int64_t> &numbers, std::vector<int64_t> &gaps) {
    std::vector<uint32_t> last(sources, 0);
    rows([&](int64_t target, llvm::ArrayRef<int32_t> row) {
      for (int32_t source : row) {
        ++numbers[size_t(source) + 1];
        if (gaps.empty())
          continue;
        gaps[size_t(source) + 1] += 1 + (target - last[size_t(source)]) / kSkip;
        last[size_t(source)] = uint32_t(target);
      }
    });
  }

  void writeGaps() {
    columns.targets = AlignedBytes(size_t(columns.offsets.back()) + 64);
    auto *entries = reinterpret_cast<uint8_t *>(columns.targets.data());
    std::vector<int64_t> next(columns.offsets);
    std::vector<uint32_t> last(sources, 0);
    rows([&](int64_t target, llvm::ArrayRef<int32_t> row) {
      for (int32_t source : row) {
        int64_t gap = target - last[size_t(source)], &place = next[size_t(source)];
        last[size_t(source)] = uint32_t(target);
        for (; gap >= kSkip; gap -= kSkip)
          entries[place++] = uint8_t(kSkip);
        entries[place++] = uint8_t(gap);
      }
    });
  }

  template <typename Target> void writeNumbers(const std::vector<float> &rowWeights) {
    columns.targets = AlignedBytes(size_t(columns.offsets.back()) * sizeof(Target) + 64);
    auto *entries = reinterpret_cast<Target *>(columns.targets.data());
    std::vector<int64_t> next(columns.offsets);
    size_t k = 0;
    rows([&](int64_t target, llvm::ArrayRef<int32_t> row) {
      for (int32_t source : row) {
        auto place = size_t(next[size_t(source)]++);
        entries[place] = Target(target);
        if (!rowWeights.empty())
          columns.weights[place] = rowWeights[k++];
      }
    });
  }

  size_t sources;
  int64_t targets;
  Rows rows;
  SynapseColumns columns;
};

/// The weights, or the one that all synapses share.
std::vector<float> weightsOf(snn::SparseOp op) {
  mlir::DenseElementsAttr values;
  if (matchPattern(op.getWeight(), mlir::m_Constant(&values)) && values.isSplat())
    return {values.getSplatValue<float>()};
  return constantOf(op.getWeight());
}

} // namespace

SynapseColumns columnsOf(snn::SparseOp op) {
  auto rows = [&](Use use) {
    llvm::ArrayRef<int64_t> offsets = op.getOffsets();
    for (size_t row = 0; row + 1 < offsets.size(); ++row)
      use(int64_t(row),
          op.getIndices().slice(size_t(offsets[row]), size_t(offsets[row + 1] - offsets[row])));
  };
  return Packer(snn::sizeOf(op.getInput()), snn::sizeOf(op.getOutput()), rows).pack(weightsOf(op));
}

SynapseColumns columnsOf(snn::RandomOp op) {
  auto rows = [&](Use use) { op.forEachRow(use); };
  return Packer(snn::sizeOf(op.getInput()), snn::sizeOf(op.getOutput()), rows)
      .pack(constantOf(op.getWeight()));
}

} // namespace spindle::layerwise
