// y = the maximum of a and b, or the minimum where `minimum` is 1; IEEE 754 numbers. NaN results are canonical.
//   number = 0  arith's maximumf and minimumf: NaN if either is NaN; -0 is less than +0
//   number = 1  arith's maxnumf and minnumf: the other one if one is NaN; of two zeros the first
//               (arith leaves that open; x86-64 code gives the first)
// Latency LATENCY (1 or more; from 2 on the inputs have registers, more than 2 only delay), initiation interval 1.
// ce = 0 holds every register; there is no reset.
// Uses spindle_cut, spindle_float_unpack.
module spindle_minmaxf #(
    parameter int EXPONENT = 8,
    parameter int FRACTION = 23,
    parameter int LATENCY  = 1
) (
    input  logic                       clk,
    input  logic                       ce,
    input  logic                       minimum,
    input  logic                       number,
    input  logic [EXPONENT+FRACTION:0] a,
    input  logic [EXPONENT+FRACTION:0] b,
    output logic [EXPONENT+FRACTION:0] y
);
  localparam int SIZE = EXPONENT + FRACTION + 1;
  logic minimum0, number0;
  logic [SIZE-1:0] a0, b0;
  spindle_cut #(.WIDTH(2 * SIZE + 2), .STAGES(LATENCY > 1 ? 1 : 0)) cut_inputs (
      .clk, .ce, .d({minimum, number, a, b}), .q({minimum0, number0, a0, b0}));

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

  logic smaller, less, take_b;
  assign smaller = a0[SIZE-2:0] < b0[SIZE-2:0];
  assign less    = sign_a == sign_b ? (a0[SIZE-2:0] != b0[SIZE-2:0]) & (smaller ^ sign_a) : sign_a;
  assign take_b  = number0 & (nan_a | nan_b) ? nan_a : number0 & zero_a & zero_b ? 1'b0
      : less ^ minimum0;
  logic [SIZE-1:0] y0;
  assign y0 = (number0 ? nan_a & nan_b : nan_a | nan_b)
      ? {1'b0, {EXPONENT{1'b1}}, 1'b1, {FRACTION - 1{1'b0}}} : take_b ? b0 : a0;
  spindle_cut #(.WIDTH(SIZE), .STAGES(LATENCY > 2 ? LATENCY - 1 : 1)) cut_result (.clk, .ce, .d(y0), .q(y));
endmodule
