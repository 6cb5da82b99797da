// y = ln a, within 0.501 units in the last place; -infinity of zeros, NaN below them; NaN results are
// canonical (quiet, sign 0). Bit for bit unitLog of hw/rtl/model/Log.h.
// Latency LATENCY (11 or more), initiation interval INTERVAL: 1 for a pipeline, else LATENCY - 10 or more.
// One factor 1 + 2^-i or 1 - 2^-i at a time, ceil((ceil((FRACTION + 22) / 2) - 2) / (LATENCY - 10)) factors per cycle.
// a is sampled where valid is 1. ce = 0 holds every register; rst ends the operation under way.
// Uses spindle_cut, spindle_float_normalise, spindle_log_floating, spindle_float_round.
module spindle_log #(
    parameter int EXPONENT = 8,
    parameter int FRACTION = 23,
    parameter int LATENCY  = 21,
    parameter int INTERVAL = 11
) (
    input  logic                       clk,
    input  logic                       rst,
    input  logic                       ce,
    input  logic                       valid,
    input  logic [EXPONENT+FRACTION:0] a,
    output logic [EXPONENT+FRACTION:0] y
);
  localparam int CYCLES = LATENCY - 10;
  localparam int STAGES = INTERVAL < CYCLES ? CYCLES : 1;
  localparam int SIZE = EXPONENT + FRACTION + 1;
  localparam int WIDE = EXPONENT + 2;
  localparam int DIGITS = FRACTION + 22;
  localparam logic [WIDE-1:0] BIAS = (1 << (EXPONENT - 1)) - 1;

  logic sign, zero, infinite, nan;
  logic [WIDE-1:0] exponent;
  logic [FRACTION:0] significand;
  spindle_float_normalise #(.EXPONENT(EXPONENT), .FRACTION(FRACTION)) normalise (
      .number(a), .sign, .exponent, .significand, .zero, .infinite, .nan);
  logic zero0, infinite0, nan0, started;
  logic [WIDE-1:0] power0;
  logic [FRACTION:0] significand0;
  spindle_cut #(.WIDTH(3 + WIDE + FRACTION + 1), .STAGES(1)) cut_operand (
      .clk, .ce, .d({zero, infinite, nan | (sign & ~zero), exponent - BIAS, significand}),
      .q({zero0, infinite0, nan0, power0, significand0}));
  always_ff @(posedge clk)
    if (rst) started <= 1'b0;
    else if (ce) started <= valid;

  logic negative1, zero1, infinite1, nan1;
  logic [DIGITS-1:0] digits1;
  logic [WIDE-1:0] top1;
  spindle_log_floating #(.EXPONENT(EXPONENT), .FRACTION(FRACTION), .CYCLES(CYCLES), .STAGES(STAGES), .SIDE(3)) logarithm (
      .clk, .rst, .ce, .valid(started), .significand(significand0), .power(power0), .side({zero0, infinite0, nan0}),
      .negative(negative1), .digits(digits1), .top(top1), .side_out({zero1, infinite1, nan1}));

  // The highest digit is the hidden bit; of 1 there is none, and the number is +0.
  logic [WIDE-1:0] field1;
  logic [SIZE-1:0] rounded1;
  assign field1 = top1 + BIAS - WIDE'(1);
  spindle_float_round #(.EXPONENT(EXPONENT), .FRACTION(FRACTION)) round (
      .sign(zero1 | (negative1 & ~infinite1)), .exponent(field1[EXPONENT:0]), .more(2'b00),
      .significand(digits1[DIGITS-1-:FRACTION+1]), .guard(digits1[DIGITS-FRACTION-2]),
      .sticky(|digits1[DIGITS-FRACTION-3:0]), .infinite(infinite1 | zero1), .nan(nan1), .number(rounded1));
  spindle_cut #(.WIDTH(SIZE), .STAGES(1)) cut_result (.clk, .ce, .d(rounded1), .q(y));

  logic unused;
  assign unused = field1[WIDE-1];
endmodule
