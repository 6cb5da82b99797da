// Pooling of spikes that stand as bits, channels side by side: bits become bytes, which are added.
#include "lib/emulation/layers/kernels/convolution/PooledImage.h"

namespace spindle::layers {

static constexpr llvm::StringLiteral kPooledImageKernel = R"(
func.func @$name(%masks: !llvm.ptr {llvm.noalias}, %out: !llvm.ptr {llvm.noalias}, %rows: i64) {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %stride = arith.constant $stride : i64
  %outStride = arith.constant $outStride : i64
  %height = arith.constant $height : i64
  %nextLine = arith.constant $nextLine : i64
  %outLine = arith.constant $outLine : i64
  %full = arith.constant $full : i64
  %together = arith.constant $together : i64
  %step = arith.constant $step : i64
  %pixel = arith.constant $pixel : i64
  %none = arith.constant dense<0> : vector<128xi8>
  %inputs = arith.constant dense<$inputs> : vector<16xf32>
  scf.for %r = %c0 to %rows step %c1 : i64 {
    %rowAt = arith.muli %r, %stride : i64
    %row = llvm.getelementptr %masks[%rowAt] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    %outAt = arith.muli %r, %outStride : i64
    %outRow = llvm.getelementptr %out[%outAt] : (!llvm.ptr, i64) -> !llvm.ptr, i8
    scf.for %y = %c0 to %height step %c1 : i64 {
      %lineAt = arith.muli %y, %nextLine : i64
      %line = llvm.getelementptr %row[%lineAt] : (!llvm.ptr, i64) -> !llvm.ptr, $word
      %toAt = arith.muli %y, %outLine : i64
      %lineTo = llvm.getelementptr %outRow[%toAt] : (!llvm.ptr, i64) -> !llvm.ptr, $type
      scf.for %x = %c0 to %full step %together : i64 {$windows
      }
      $rest
    }
  }
  return
}
)";

/// As many windows as fill 128 bits, from %x on. What they put out behind a line is overwritten by
/// the next one.
static constexpr llvm::StringLiteral kImageWindows = R"(
        %windowAt = arith.muli %x, %step : i64
        %window = llvm.getelementptr %line[%windowAt] : (!llvm.ptr, i64) -> !llvm.ptr, $word
        $additions
        %pixelAt = arith.muli %x, %pixel : i64
        %to = llvm.getelementptr %lineTo[%pixelAt] : (!llvm.ptr, i64) -> !llvm.ptr, $type
        $stores)";

/// Words of a line of the windows.
static constexpr llvm::StringLiteral kImageLine = R"(
        %from$i = llvm.getelementptr %window[$at] : (!llvm.ptr) -> !llvm.ptr, $word
        %line$i = llvm.load %from$i {alignment = 1 : i64} : !llvm.ptr -> $lineType)";
/// What stands at one place of the windows.
static constexpr llvm::StringLiteral kImageAddition = R"(
        %word$k = llvm.shufflevector %line$i, %line$i [$places] : $lineType
        %bits$k = llvm.bitcast %word$k : $words to vector<128xi1>
        %less$k = arith.extsi %bits$k : vector<128xi1> to vector<128xi8>
        %sum$k = arith.subi $before, %less$k : vector<128xi8>)";

static constexpr llvm::StringLiteral kImageStoreFloats = R"(
        %part$k = llvm.shufflevector $sum, $sum [$places] : vector<128xi8>
        %whole$k = arith.uitofp %part$k : vector<16xi8> to vector<16xf32>
        $divide
        %to$k = llvm.getelementptr %to[$at] : (!llvm.ptr) -> !llvm.ptr, f32
        llvm.store $result, %to$k {alignment = 32 : i64} : vector<16xf32>, !llvm.ptr)";
static constexpr llvm::StringLiteral kImageStoreBytes = R"(
        %packed = llvm.shufflevector $sum, $sum [$places] : vector<128xi8>
        llvm.store %packed, %to {alignment = 1 : i64} : vector<128xi8>, !llvm.ptr)";

static constexpr int64_t kBits = 128;

/// Names of a kernel without the stores; $sum holds the sums.
static void setWindows(Names &names, PlanBuilder &b, const SpikePooling &pooling, size_t out) {
  const Image &image = pooling.bits.layout.image;
  Windows windows = windowsOf(pooling.op);
  int64_t block = image.block(), together = kBits / block, step = windows.strides[1],
          span = (together - 1) * step + windows.kernel[1], columns = windows.out[2];
  names.set("word", "i" + std::to_string(block))
      .set("words", "vector<" + std::to_string(together) + "xi" + std::to_string(block) + ">")
      .set("lineType", "vector<" + std::to_string(span) + "xi" + std::to_string(block) + ">")
      .set("stride", int64_t(b.bytesOf(pooling.bits.buffer)))
      .set("outStride", int64_t(b.bytesOf(out)))
      .set("height", windows.out[1])
      .set("nextLine", windows.strides[0] * image.line)
      .set("full", columns - columns % together)
      .set("together", together)
      .set("step", step)
      .set("inputs", std::to_string(windows.inputs()) + ".0");
  std::string additions, sum = "%none";
  for (int64_t i = 0; i < windows.kernel[0]; ++i) {
    additions += names.set("i", i).set("at", i * image.line).fill(kImageLine);
    for (int64_t j = 0; j < windows.kernel[1]; ++j) {
      names.set("k", i * windows.kernel[1] + j).set("before", sum);
      names.set("places", placesOf(together, [&](int64_t lane) { return lane * step + j; }));
      additions += names.fill(kImageAddition);
      sum = names.fill("%sum$k");
    }
  }
  names.set("additions", additions).set("sum", sum);
}

/// `stores` writes as many windows.
static void setLoops(Names &names, int64_t columns, int64_t together,
                     llvm::function_ref<std::string(int64_t windows)> stores) {
  names.setLine("windows", together, columns % together, [&](int64_t windows) {
    return names.set("stores", stores(windows)).fill(kImageWindows);
  });
}

bool staysImage(const SpikePooling &pooling) {
  Windows windows = windowsOf(pooling.op);
  return pooling.bits.layout.image.blocks() == 1 && windows.inputs() <= UINT8_MAX;
}

static Image imageOf(const SpikePooling &pooling) {
  llvm::ArrayRef<int64_t> shape = windowsOf(pooling.op).out;
  return {shape[0], shape[1], shape[2]};
}

Signal addPooledImage(PlanBuilder &b, const SpikePooling &pooling) {
  Image image = imageOf(pooling);
  Layout layout = layoutOf(image);
  size_t elements = layout.place.size(), buffer = b.addFloats(Unit::Row, layout.size);
  Names names;
  setWindows(names, b, pooling, buffer);
  int64_t block = image.block();
  names.set("type", "f32").set("pixel", block).set("outLine", image.line * block);
  setLoops(names, image.columns, kBits / block, [&](int64_t windows) {
    std::string text;
    for (int64_t k = 0; k * int64_t(kVector) < windows * block; ++k) {
      int64_t first = k * int64_t(kVector);
      names.set("k", "s" + std::to_string(k)).set("at", first);
      names.set("places", placesOf(kVector, [&](int64_t lane) { return first + lane; }));
      names.set("result",
                setDivision(names, pooling.op, names.fill("%average$k"), names.fill("%whole$k")));
      text += names.fill(kImageStoreFloats);
    }
    return text;
  });
  b.addStage(Work::Rows, kPooledImageKernel, names, {pooling.bits.buffer, buffer});
  return {buffer, elements, std::move(layout), false};
}

size_t addPooledBytes(PlanBuilder &b, const SpikePooling &pooling) {
  Image image = imageOf(pooling);
  int64_t block = image.block();
  size_t out = b.addBuffer(Unit::Row, size_t(image.channels * image.rows * image.columns + kBits));
  Names names;
  setWindows(names, b, pooling, out);
  names.set("type", "i8")
      .set("pixel", image.channels)
      .set("outLine", image.columns * image.channels);
  setLoops(names, image.columns, kBits / block, [&](int64_t) {
    names.set("places", placesOf(kBits, [&](int64_t lane) {
                int64_t window = lane / image.channels;
                return window < kBits / block ? window * block + lane % image.channels : 0;
              }));
    return names.fill(kImageStoreBytes);
  });
  b.addStage(Work::Rows, kPooledImageKernel, names, {pooling.bits.buffer, out});
  return out;
}

} // namespace spindle::layers
