// One canonical form each.
// RUN: spindle-opt %s --canonicalize | FileCheck %s
!train = !snn.spike_train<?xf32>
!row = !snn.spike_bundle<3x!train>
!two = !snn.spike_bundle<2x3x!train>
!open = !snn.spike_bundle<?x!train>

// CHECK-LABEL: @select_of_collect
// CHECK-NEXT: return %arg1
func.func @select_of_collect(%a: !train, %b: !train) -> !train {
  %c = snn.spike_bundle_collect(%a : !train, %b : !train) : !open
  %s = snn.spike_bundle_select(%c[1] : !open) : !train
  return %s : !train
}
// CHECK-LABEL: @select_outside
// CHECK: snn.spike_bundle_select({{.*}}[2]
func.func @select_outside(%a: !train, %b: !train) -> !train {
  %c = snn.spike_bundle_collect(%a : !train, %b : !train) : !open
  %s = snn.spike_bundle_select(%c[2] : !open) : !train
  return %s : !train
}
// CHECK-LABEL: @collect_of_all_selects
// CHECK-NEXT: return %arg0
func.func @collect_of_all_selects(%b: !row) -> !row {
  %s0 = snn.spike_bundle_select(%b[0] : !row) : !train
  %s1 = snn.spike_bundle_select(%b[1] : !row) : !train
  %s2 = snn.spike_bundle_select(%b[2] : !row) : !train
  %c = snn.spike_bundle_collect(%s0 : !train, %s1 : !train, %s2 : !train) : !row
  return %c : !row
}
// CHECK-LABEL: @collect_in_another_order
// CHECK: snn.spike_bundle_collect
func.func @collect_in_another_order(%b: !row) -> !row {
  %s0 = snn.spike_bundle_select(%b[0] : !row) : !train
  %s1 = snn.spike_bundle_select(%b[1] : !row) : !train
  %s2 = snn.spike_bundle_select(%b[2] : !row) : !train
  %c = snn.spike_bundle_collect(%s0 : !train, %s2 : !train, %s1 : !train) : !row
  return %c : !row
}
// CHECK-LABEL: @select_of_insert
func.func @select_of_insert(%a: !train, %b: !row) -> (!train, !train, !train) {
  // CHECK-DAG: %[[BEFORE:.*]] = snn.spike_bundle_select(%arg1[0]
  // CHECK-DAG: %[[AFTER:.*]] = snn.spike_bundle_select(%arg1[1]
  // CHECK: return %[[BEFORE]], %arg0, %[[AFTER]]
  %i = snn.spike_bundle_insert(%a : !train into %b[1] : !row) : !snn.spike_bundle<4x!train>
  %s0 = snn.spike_bundle_select(%i[0] : !snn.spike_bundle<4x!train>) : !train
  %s1 = snn.spike_bundle_select(%i[1] : !snn.spike_bundle<4x!train>) : !train
  %s2 = snn.spike_bundle_select(%i[2] : !snn.spike_bundle<4x!train>) : !train
  return %s0, %s1, %s2 : !train, !train, !train
}
// CHECK-LABEL: @select_of_inserted_bundle
func.func @select_of_inserted_bundle(%a: !snn.spike_bundle<2x!train>, %b: !two) -> !train {
  // CHECK-NEXT: snn.spike_bundle_select(%arg0[1]
  %i = snn.spike_bundle_insert(%a : !snn.spike_bundle<2x!train> into %b[3] : !two) {axis = 1 : i64} : !snn.spike_bundle<2x4x!train>
  %s = snn.spike_bundle_select(%i[1, 3] : !snn.spike_bundle<2x4x!train>) : !train
  return %s : !train
}
// CHECK-LABEL: @select_of_remove
func.func @select_of_remove(%b: !two) -> !train {
  // CHECK-NEXT: snn.spike_bundle_select(%arg0[1, 2]
  %r = snn.spike_bundle_remove(%b[0] : !two) {axis = 1 : i64} : !snn.spike_bundle<2x2x!train>
  %s = snn.spike_bundle_select(%r[1, 1] : !snn.spike_bundle<2x2x!train>) : !train
  return %s : !train
}
// CHECK-LABEL: @remove_of_insert
// CHECK-NEXT: return %arg1
func.func @remove_of_insert(%a: !train, %b: !row) -> !row {
  %i = snn.spike_bundle_insert(%a : !train into %b[1] : !row) : !snn.spike_bundle<4x!train>
  %r = snn.spike_bundle_remove(%i[1] : !snn.spike_bundle<4x!train>) : !row
  return %r : !row
}
// CHECK-LABEL: @slices
func.func @slices(%b: !snn.spike_bundle<20x!train>) -> (!snn.spike_bundle<2x!train>, !train) {
  // CHECK-DAG: snn.spike_bundle_slice(%arg0[7] [2] [6]
  // CHECK-DAG: snn.spike_bundle_select(%arg0[7]
  %s = snn.spike_bundle_slice(%b[1] [9] [2] : !snn.spike_bundle<20x!train>) : !snn.spike_bundle<9x!train>
  %t = snn.spike_bundle_slice(%s[3] [2] [3] : !snn.spike_bundle<9x!train>) : !snn.spike_bundle<2x!train>
  %u = snn.spike_bundle_select(%s[3] : !snn.spike_bundle<9x!train>) : !train
  return %t, %u : !snn.spike_bundle<2x!train>, !train
}
// CHECK-LABEL: @identities
// CHECK-NEXT: return %arg0, %arg0
func.func @identities(%b: !two) -> (!two, !two) {
  %s = snn.spike_bundle_slice(%b[0, 0] [2, 3] [1, 1] : !two) : !two
  %p = snn.spike_bundle_permute(%b permutation [0, 1] : !two) : !two
  return %s, %p : !two, !two
}
// CHECK-LABEL: @permutes
func.func @permutes(%b: !snn.spike_bundle<2x3x4x!train>) -> (!snn.spike_bundle<4x2x3x!train>, !snn.spike_bundle<2x3x4x!train>, !train) {
  // CHECK-DAG: %[[P:.*]] = snn.spike_bundle_permute(%arg0 permutation [2, 0, 1]
  // CHECK-DAG: %[[S:.*]] = snn.spike_bundle_select(%arg0[1, 2, 3]
  // CHECK: return %[[P]], %arg0, %[[S]]
  %p = snn.spike_bundle_permute(%b permutation [1, 2, 0] : !snn.spike_bundle<2x3x4x!train>) : !snn.spike_bundle<3x4x2x!train>
  %q = snn.spike_bundle_permute(%p permutation [1, 2, 0] : !snn.spike_bundle<3x4x2x!train>) : !snn.spike_bundle<4x2x3x!train>
  %r = snn.spike_bundle_permute(%q permutation [1, 2, 0] : !snn.spike_bundle<4x2x3x!train>) : !snn.spike_bundle<2x3x4x!train>
  %s = snn.spike_bundle_select(%p[2, 3, 1] : !snn.spike_bundle<3x4x2x!train>) : !train
  return %q, %r, %s : !snn.spike_bundle<4x2x3x!train>, !snn.spike_bundle<2x3x4x!train>, !train
}
