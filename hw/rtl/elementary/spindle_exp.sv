// y = e^a, within 0.505 units in the last place; subnormal results, infinities; NaN
// results are canonical (quiet, sign 0). Bit for bit unitExp of hw/rtl/model/Exp.h.
// Latency LATENCY (9 or more), initiation interval INTERVAL: 1 for a pipeline, else LATENCY - 8 or more.
// One factor 1 + 2^-i at a time, ceil(ceil((FRACTION + 15) / 2) / (LATENCY - 8)) factors per cycle.
// a is sampled where valid is 1. ce = 0 holds every register; rst ends the operation under way.
// Uses spindle_float_unpack, spindle_exp_fixed.
module spindle_exp #(
    parameter int EXPONENT = 8,
    parameter int FRACTION = 23,
    parameter int LATENCY  = 18,
    parameter int INTERVAL = 10
) (
    input  logic                       clk,
    input  logic                       rst,
    input  logic                       ce,
    input  logic                       valid,
    input  logic [EXPONENT+FRACTION:0] a,
    output logic [EXPONENT+FRACTION:0] y
);
  localparam int CYCLES = LATENCY - 8;
  localparam int ARGUMENT = FRACTION + 15;  // fraction bits
  localparam int WIDE = EXPONENT + 2;
  localparam logic [WIDE-1:0] HIGHEST = WIDE'((1 << (EXPONENT - 1)) + EXPONENT - 2);  // exponent that needs no shift

  logic sign, zero, infinite, nan;
  logic [EXPONENT-1:0] exponent;
  logic [FRACTION:0] significand;
  spindle_float_unpack #(.EXPONENT(EXPONENT), .FRACTION(FRACTION)) unpack (
      .number(a), .sign, .exponent, .significand, .zero, .infinite, .nan);

  // As a fixed-point number; what is too large for it overflows or vanishes.
  logic [WIDE-1:0] right;
  logic [EXPONENT+ARGUMENT-1:0] magnitude;
  assign right     = HIGHEST - {2'b00, exponent};
  assign magnitude = |right[WIDE-1:7] ? '0 : {significand, {EXPONENT + 14{1'b0}}} >> right[6:0];

  logic started;
  logic [EXPONENT+ARGUMENT:0] argument;
  logic [2:0] side;
  always_ff @(posedge clk)
    if (rst) started <= 1'b0;
    else if (ce) started <= valid;
  always_ff @(posedge clk)
    if (ce) begin
      argument <= sign ? -{1'b0, magnitude} : {1'b0, magnitude};
      side     <= {right[WIDE-1] & sign, right[WIDE-1] & ~sign, nan};
    end
  spindle_exp_fixed #(.EXPONENT(EXPONENT), .FRACTION(FRACTION), .CYCLES(CYCLES), .STAGES(INTERVAL < CYCLES ? CYCLES : 1)) fixed (
      .clk, .rst, .ce, .valid(started), .argument, .sign(1'b0), .zero(side[2]), .infinite(side[1]), .nan(side[0]), .y);

  logic unused;
  assign unused = zero | infinite;
endmodule
