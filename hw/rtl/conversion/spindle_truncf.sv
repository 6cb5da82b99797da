// y = a in a narrower format of IEEE 754, round to nearest even, subnormal results included; NaN results are canonical.
// Latency LATENCY (1 or more; 3 cuts every stage, more only delay), initiation interval 1.
// ce = 0 holds every register; there is no reset.
// Uses spindle_cut, spindle_float_unpack, spindle_shift_right_sticky, spindle_float_round.
module spindle_truncf #(
    parameter int FROM_EXPONENT = 11,
    parameter int FROM_FRACTION = 52,
    parameter int EXPONENT      = 8,
    parameter int FRACTION      = 23,
    parameter int LATENCY       = 1
) (
    input  logic                                 clk,
    input  logic                                 ce,
    input  logic [FROM_EXPONENT+FROM_FRACTION:0] a,
    output logic [          EXPONENT+FRACTION:0] y
);
  // Where registers stand: {placed, inputs}; the result has one always.
  localparam logic [1:0] CUTS = LATENCY <= 1 ? 2'b00 : LATENCY == 2 ? 2'b10 : 2'b11;
  localparam int LAST = LATENCY > 3 ? LATENCY - 2 : 1;
  localparam int FROM = FROM_EXPONENT + FROM_FRACTION + 1;
  localparam int WIDE = FROM_EXPONENT + 1;  // signed exponents
  localparam int KEPT = FRACTION + 2;  // significand and guard bit
  localparam int SHIFT = $clog2(KEPT + 1);
  localparam logic [WIDE-1:0] REBIAS = (1 << (FROM_EXPONENT - 1)) - (1 << (EXPONENT - 1));
  localparam logic [WIDE-1:0] LARGEST = (1 << EXPONENT) - 1;

  logic [FROM-1:0] a0;
  spindle_cut #(.WIDTH(FROM), .STAGES(CUTS[0] ? 1 : 0)) cut_inputs (.clk, .ce, .d(a), .q(a0));

  logic sign0, zero0, infinite0, nan0;
  logic [FROM_EXPONENT-1:0] exponent0;
  logic [FROM_FRACTION:0] significand0;
  spindle_float_unpack #(.EXPONENT(FROM_EXPONENT), .FRACTION(FROM_FRACTION)) unpack (
      .number(a0), .sign(sign0), .exponent(exponent0), .significand(significand0), .zero(zero0), .infinite(infinite0),
      .nan(nan0));
  logic unused;
  assign unused = zero0;

  // Exponent in the narrower format; where that is less than 1 the significand moves right for it to become 1.
  logic [WIDE-1:0] exponent_s0, right0;
  logic subnormal0, low0, rest0;
  logic [SHIFT-1:0] amount0;
  logic [KEPT-1:0] placed0;
  logic [EXPONENT:0] field0;
  assign exponent_s0 = {1'b0, exponent0} - REBIAS;
  assign subnormal0  = exponent_s0[WIDE-1] | (exponent_s0 == '0);
  assign right0      = WIDE'(1) - exponent_s0;
  assign amount0     = !subnormal0 ? '0 : |right0[WIDE-1:SHIFT] ? '1 : right0[SHIFT-1:0];
  assign field0      = subnormal0 ? (EXPONENT + 1)'(1) : exponent_s0 > LARGEST ? LARGEST[EXPONENT:0] : exponent_s0[EXPONENT:0];
  spindle_shift_right_sticky #(.WIDTH(KEPT), .AMOUNT(SHIFT)) place (
      .x(significand0[FROM_FRACTION-:KEPT]), .amount(amount0), .y(placed0), .sticky(low0));
  assign rest0 = |significand0[FROM_FRACTION-KEPT:0];

  logic sign1, infinite1, nan1, sticky1;
  logic [EXPONENT:0] field1;
  logic [KEPT-1:0] placed1;
  logic [EXPONENT+FRACTION:0] y1;
  spindle_cut #(.WIDTH(5 + EXPONENT + KEPT), .STAGES(CUTS[1] ? 1 : 0)) cut_placed (
      .clk, .ce, .d({sign0, infinite0, nan0, low0 | rest0, field0, placed0}),
      .q({sign1, infinite1, nan1, sticky1, field1, placed1}));
  spindle_float_round #(.EXPONENT(EXPONENT), .FRACTION(FRACTION)) round (
      .sign(sign1), .exponent(field1), .more(2'd0), .significand(placed1[KEPT-1:1]), .guard(placed1[0]), .sticky(sticky1),
      .infinite(infinite1), .nan(nan1), .number(y1));
  spindle_cut #(.WIDTH(EXPONENT + FRACTION + 1), .STAGES(LAST)) cut_result (.clk, .ce, .d(y1), .q(y));
endmodule
