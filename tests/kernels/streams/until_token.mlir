// The sums of the tokens before each zero, until a sum is even; returns how many sums there were.
func.func @until_token(%in: !hls.stream<i8>, %sums: !hls.stream<i16>) -> i32 {
  %true = arith.constant true
  %zero8 = arith.constant 0 : i8
  %zero16 = arith.constant 0 : i16
  %one16 = arith.constant 1 : i16
  %zero = arith.constant 0 : i32
  %one = arith.constant 1 : i32
  %count, %left, %more = scf.while (%n = %zero, %sum = %zero16, %goes = %true) : (i32, i16, i1) -> (i32, i16, i1) {
    scf.condition(%goes) %n, %sum, %goes : i32, i16, i1
  } do {
  ^bb0(%n: i32, %sum: i16, %goes: i1):
    %token = hls.read %in : !hls.stream<i8>
    %isEnd = arith.cmpi eq, %token, %zero8 : i8
    scf.if %isEnd {
      hls.write %sum, %sums : !hls.stream<i16>
    }
    %wide = arith.extsi %token : i8 to i16
    %added = arith.addi %sum, %wide : i16
    %next = arith.select %isEnd, %zero16, %added : i16
    %counted = arith.addi %n, %one : i32
    %m = arith.select %isEnd, %counted, %n : i32
    %low = arith.andi %sum, %one16 : i16
    %isOdd = arith.cmpi ne, %low, %zero16 : i16
    %notEnd = arith.xori %isEnd, %true : i1
    %again = arith.ori %notEnd, %isOdd : i1
    scf.yield %m, %next, %again : i32, i16, i1
  }
  return %count : i32
}
