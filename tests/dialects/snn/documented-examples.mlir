// The examples of the operations' descriptions parse and verify as they stand.
// RUN: awk '/```mlir/{on=1; print "module {"; next} /```/{if (on) print "}"; on=0} on' %ops_td > %t.mlir
// RUN: grep -c func.func %t.mlir | FileCheck %s
// CHECK: 46
// RUN: spindle-opt %t.mlir > /dev/null
