// The examples of the operations' descriptions parse and verify as they stand.
// RUN: awk '/```mlir/{on=1; next} /```/{on=0} on' %rtl_td > %t.mlir
// RUN: grep -c "rtl.output" %t.mlir | FileCheck %s
// CHECK: 12
// RUN: spindle-opt %t.mlir > /dev/null
