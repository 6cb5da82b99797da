#include "lib/emulation/layers/kernels/convolution/ImageFrame.h"

namespace spindle::layers {

static constexpr llvm::StringLiteral kCopyImage = R"(
    %framedOrigin = llvm.getelementptr %frame[$origin] : (!llvm.ptr) -> !llvm.ptr, f32
    %framedChannels = arith.constant $channels : i64
    %imagePlane = arith.constant $imagePlane : i64
    %framedPlane = arith.constant $framedPlane : i64
    %imageRows = arith.constant $rows : i64
    %imageLine = arith.constant $columns : i64
    %framedLine = arith.constant $framedLine : i64
    %lineBytes = arith.constant $bytes : i64
    scf.for %c = %c0 to %framedChannels step %c1 : i64 {
      %planeAt = arith.muli %c, %imagePlane : i64
      %planeFrom = llvm.getelementptr %row[%planeAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      %framedAt = arith.muli %c, %framedPlane : i64
      %planeTo = llvm.getelementptr %framedOrigin[%framedAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
      scf.for %y = %c0 to %imageRows step %c1 : i64 {
        %fromAt = arith.muli %y, %imageLine : i64
        %from = llvm.getelementptr %planeFrom[%fromAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        %toAt = arith.muli %y, %framedLine : i64
        %to = llvm.getelementptr %planeTo[%toAt] : (!llvm.ptr, i64) -> !llvm.ptr, f32
        "llvm.intr.memcpy"(%to, %from, %lineBytes) <{isVolatile = false}> : (!llvm.ptr, !llvm.ptr, i64) -> ()
      }
    })";

size_t ImageFrame::add(PlanBuilder &b) const {
  return b.addFloats(Unit::Thread, isNeeded() ? size_t(channels * plane()) : 1);
}

std::string ImageFrame::copy() const {
  if (!isNeeded())
    return "";
  Names names;
  names.set("origin", top * line() + left)
      .set("channels", channels)
      .set("imagePlane", rows * columns)
      .set("framedPlane", plane())
      .set("rows", rows)
      .set("columns", columns)
      .set("framedLine", line())
      .set("bytes", columns * int64_t(sizeof(float)));
  return names.fill(kCopyImage);
}

} // namespace spindle::layers
