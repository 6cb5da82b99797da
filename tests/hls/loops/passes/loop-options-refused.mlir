// RUN: not spindle-opt %s --hls-fuse-loops=limits=mulf_f64=0 2>&1 | FileCheck %s --check-prefix=LIMIT
// RUN: not spindle-opt %s --hls-interchange-loops=target=no-such-file.yaml 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not spindle-opt %s --hls-default-loops=without=fissoin 2>&1 | FileCheck %s --check-prefix=STEP

// LIMIT: found the limit 'mulf_f64=0', expected a kind of unit and a positive number such as mulf_f64=2
// TARGET: no-such-file.yaml
// STEP: found no loop step 'fissoin', expected one of balance, carry, copy, cse, expand, fission, forward, fuse, interchange, narrow, pad, partition, perfect, reuse, rows, skew, start, unroll, windows
func.func @f() { return }
