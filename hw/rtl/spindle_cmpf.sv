// y = whether a and b stand in one of the relations that `predicate` allows; comparison of IEEE 754 numbers.
// A bit of `predicate` for each of the four relations, of which exactly one holds (as the predicates of LLVM's
// fcmp are numbered): {unordered, less, greater, equal}. Zeros of either sign are equal, NaN is unordered with anything.
//   arith   false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true
//   number      0   1   2   3   4   5   6   7   9  10  11  12  13  14   8   15
// Latency LATENCY (1 or more; from 2 on the inputs have registers, more than 2 only delay), initiation interval 1.
// ce = 0 holds every register; there is no reset.
// Uses spindle_cut, spindle_float_unpack.
module spindle_cmpf #(
    parameter int EXPONENT = 8,
    parameter int FRACTION = 23,
    parameter int LATENCY  = 1
) (
    input  logic                       clk,
    input  logic                       ce,
    input  logic [                3:0] predicate,
    input  logic [EXPONENT+FRACTION:0] a,
    input  logic [EXPONENT+FRACTION:0] b,
    output logic                       y
);
  localparam int SIZE = EXPONENT + FRACTION + 1;
  logic [3:0] predicate0;
  logic [SIZE-1:0] a0, b0;
  spindle_cut #(.WIDTH(2 * SIZE + 4), .STAGES(LATENCY > 1 ? 1 : 0)) cut_inputs (
      .clk, .ce, .d({predicate, a, b}), .q({predicate0, a0, b0}));

  logic sign_a, sign_b, zero_a, zero_b, infinite_a, infinite_b, nan_a, nan_b;
  logic [EXPONENT-1:0] exponent_a, exponent_b;
  logic [FRACTION:0] significand_a, significand_b;
  spindle_float_unpack #(.EXPONENT(EXPONENT), .FRACTION(FRACTION)) unpack_a (
      .number(a0), .sign(sign_a), .exponent(exponent_a), .significand(significand_a), .zero(zero_a),
      .infinite(infinite_a), .nan(nan_a));
  spindle_float_unpack #(.EXPONENT(EXPONENT), .FRACTION(FRACTION)) unpack_b (
      .number(b0), .sign(sign_b), .exponent(exponent_b), .significand(significand_b), .zero(zero_b),
      .infinite(infinite_b), .nan(nan_b));
  logic unused;
  assign unused = &{exponent_a, exponent_b, significand_a, significand_b, infinite_a, infinite_b};

  logic smaller, same, unordered, equal, less, y0;
  assign smaller   = a0[SIZE-2:0] < b0[SIZE-2:0];
  assign same      = a0[SIZE-2:0] == b0[SIZE-2:0];
  assign unordered = nan_a | nan_b;
  assign equal     = (same & (sign_a == sign_b)) | (zero_a & zero_b);
  assign less      = sign_a ? ~sign_b | ~(smaller | same) : ~sign_b & smaller;
  assign y0        = unordered ? predicate0[3] : equal ? predicate0[0] : less ? predicate0[2] : predicate0[1];
  spindle_cut #(.WIDTH(1), .STAGES(LATENCY > 2 ? LATENCY - 1 : 1)) cut_result (.clk, .ce, .d(y0), .q(y));
endmodule
