#include "lib/emulation/layers/kernels/synapses/SynapseColumns.h"

#include "lib/emulation/network/Network.h"

#include "mlir/IR/Matchers.h"

#include <numeric>

namespace spindle::layers {

namespace {

/// Rows of the targets, ascending: `each(use)` calls `use(target, sources)`.
using Use = llvm::function_ref<void(int64_t, llvm::ArrayRef<int32_t>)>;
using Rows = llvm::function_ref<void(Use)>;

/// Counts what each source needs, then writes it in place: one walk over the rows for each.
class Packer {
public:
  Packer(SynapseColumns &result, int64_t sourceCount, Rows allRows)
      : columns(result), sources(size_t(sourceCount)), rows(allRows) {}

  void measure(int64_t targets, llvm::ArrayRef<float> weights) {
    bool isUniform = llvm::all_equal(weights);
    std::vector<uint32_t> found(sources, 0), skips(sources, 0);
    count(found, skips);
    std::vector<int64_t> numbers{0}, gaps{0}; // entries of source s at place s + 1
    for (size_t source = 0; source < sources; ++source) {
      numbers.push_back(found[source]);
      gaps.push_back((int64_t(found[source]) + skips[source] + kAtOnce - 1) / kAtOnce * kAtOnce);
    }
    int64_t synapses = std::accumulate(numbers.begin(), numbers.end(), int64_t(0)),
            bytes = std::accumulate(gaps.begin(), gaps.end(), int64_t(0));
    columns.form = isUniform && bytes <= synapses + synapses / 4 ? TargetForm::Gaps8
                   : targets <= int64_t(UINT16_MAX) + 1          ? TargetForm::Numbers16
                                                                 : TargetForm::Numbers32;
    columns.offsets = std::move(columns.form == TargetForm::Gaps8 ? gaps : numbers);
    std::partial_sum(columns.offsets.begin(), columns.offsets.end(), columns.offsets.begin());
    columns.weights.assign(isUniform ? std::min<size_t>(1, weights.size())
                                     : size_t(columns.offsets.back()),
                           isUniform && !weights.empty() ? weights.front() : 0);
  }

  void write(llvm::ArrayRef<float> weights) {
    columns.targets = AlignedBytes(bytesOfTargets(columns));
    if (columns.weights.size() <= 1)
      weights = {};
    if (columns.form == TargetForm::Gaps8)
      writeGaps();
    else if (columns.form == TargetForm::Numbers16)
      writeNumbers<uint16_t>(weights);
    else
      writeNumbers<uint32_t>(weights);
  }

private:
  /// Synapses of each source, and the bytes that go on before and between them.
  void count(std::vector<uint32_t> &found, std::vector<uint32_t> &skips) {
    std::vector<uint32_t> last(sources, 0);
    rows([&](int64_t target, llvm::ArrayRef<int32_t> row) {
      columns.most = std::max(columns.most, int64_t(row.size()));
      for (int32_t number : row) {
        auto source = size_t(number);
        uint32_t gap = uint32_t(target) - last[source];
        last[source] = uint32_t(target);
        ++found[source];
        if (gap >= kSkip) // seldom
          skips[source] += gap / uint32_t(kSkip);
      }
    });
  }

  void writeGaps() {
    auto *entries = reinterpret_cast<uint8_t *>(columns.targets.data());
    std::fill_n(entries, columns.offsets.back(), uint8_t(kSkip));
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

  template <typename Target> void writeNumbers(llvm::ArrayRef<float> weights) {
    auto *entries = reinterpret_cast<Target *>(columns.targets.data());
    std::vector<int64_t> next(columns.offsets);
    size_t k = 0;
    rows([&](int64_t target, llvm::ArrayRef<int32_t> row) {
      for (int32_t source : row) {
        auto place = size_t(next[size_t(source)]++);
        entries[place] = Target(target);
        if (!weights.empty())
          columns.weights[place] = weights[k++];
      }
    });
  }

  SynapseColumns &columns;
  size_t sources;
  Rows rows;
};

/// The weights, or the one that all synapses share.
std::vector<float> weightsOf(snn::SparseOp op) {
  mlir::DenseElementsAttr values;
  if (matchPattern(op.getWeight(), mlir::m_Constant(&values)) && values.isSplat())
    return {values.getSplatValue<float>()};
  return constantOf(op.getWeight());
}

} // namespace

size_t bytesOfTargets(const SynapseColumns &columns) {
  return size_t(columns.offsets.back()) * size_t(bytesOfTarget(columns.form)) + 64;
}

static void forRows(snn::SparseOp op, Use use) {
  llvm::ArrayRef<int64_t> offsets = op.getOffsets();
  for (size_t row = 0; row + 1 < offsets.size(); ++row)
    use(int64_t(row),
        op.getIndices().slice(size_t(offsets[row]), size_t(offsets[row + 1] - offsets[row])));
}
static void forRows(snn::RandomOp op, Use use) { op.forEachRow(use); }

template <typename Op> static SynapseColumns measure(Op op, llvm::ArrayRef<float> weights) {
  SynapseColumns columns;
  Packer(columns, snn::sizeOf(op.getInput()), [&](Use use) {
    forRows(op, use);
  }).measure(snn::sizeOf(op.getOutput()), weights);
  return columns;
}

template <typename Op>
static void write(Op op, llvm::ArrayRef<float> weights, SynapseColumns &columns) {
  Packer(columns, snn::sizeOf(op.getInput()), [&](Use use) { forRows(op, use); }).write(weights);
}

SynapseColumns measureColumns(snn::SparseOp op) { return measure(op, weightsOf(op)); }
SynapseColumns measureColumns(snn::RandomOp op) { return measure(op, constantOf(op.getWeight())); }
void writeColumns(snn::SparseOp op, SynapseColumns &columns) { write(op, weightsOf(op), columns); }
void writeColumns(snn::RandomOp op, SynapseColumns &columns) {
  write(op, constantOf(op.getWeight()), columns);
}

} // namespace spindle::layers
