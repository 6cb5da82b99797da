// Numbers of the bits that are set in 20 words, one per cycle: a word is read when the one before is empty. 7 is behind the last bit and always set.
func.func @serializer(%words: !hls.stream<i7>, %events: !hls.stream<i3>) {
  %c0 = arith.constant 0 : i8
  %c1 = arith.constant 1 : i8
  %end = arith.constant -128 : i8
  %odd = arith.constant -86 : i8
  %pairs = arith.constant -52 : i8
  %halves = arith.constant -16 : i8
  %zero = arith.constant 0 : i5
  %one = arith.constant 1 : i5
  %all = arith.constant 20 : i5
  %p, %n = scf.while (%pending = %c0, %left = %all) : (i8, i5) -> (i8, i5) {
    %goes = arith.cmpi ne, %left, %zero : i5
    scf.condition(%goes) %pending, %left : i8, i5
  } do {
  ^bb0(%pending: i8, %left: i5):
    %isEmpty = arith.cmpi eq, %pending, %c0 : i8
    %word = scf.if %isEmpty -> i8 {
      %next = hls.read %words : !hls.stream<i7>
      %wide = arith.extui %next : i7 to i8
      %marked = arith.ori %wide, %end : i8
      scf.yield %marked : i8
    } else {
      scf.yield %pending : i8
    }
    %less = arith.subi %word, %c1 : i8
    %rest = arith.andi %word, %less : i8
    %low = arith.xori %word, %rest : i8
    %in0 = arith.andi %low, %odd : i8
    %in1 = arith.andi %low, %pairs : i8
    %in2 = arith.andi %low, %halves : i8
    %b0 = arith.cmpi ne, %in0, %c0 : i8
    %b1 = arith.cmpi ne, %in1, %c0 : i8
    %b2 = arith.cmpi ne, %in2, %c0 : i8
    %e0 = arith.extui %b0 : i1 to i3
    %e1 = arith.extui %b1 : i1 to i3
    %e2 = arith.extui %b2 : i1 to i3
    %k1 = arith.constant 1 : i3
    %k2 = arith.constant 2 : i3
    %s1 = arith.shli %e1, %k1 : i3
    %s2 = arith.shli %e2, %k2 : i3
    %o = arith.ori %e0, %s1 : i3
    %number = arith.ori %o, %s2 : i3
    hls.write %number, %events : !hls.stream<i3>
    %isDone = arith.cmpi eq, %rest, %c0 : i8
    %minus = arith.subi %left, %one : i5
    %l = arith.select %isDone, %minus, %left : i5
    scf.yield %rest, %l : i8, i5
  }
  return
}
