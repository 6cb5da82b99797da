// Adders and multipliers of both formats, every latency from 1 to 9, side by side on the same operands.
// Element l - 1 of a result is that of latency l. f32 products of DSP blocks and of LUTs.
module add_multiply_bench (
    input  logic        clk,
    input  logic        ce,
    input  logic        subtract,
    input  logic [31:0] a32,
    input  logic [31:0] b32,
    input  logic [63:0] a64,
    input  logic [63:0] b64,
    output logic [31:0] sum32[9],
    output logic [31:0] product32[9],
    output logic [31:0] in_luts32[9],
    output logic [63:0] sum64[9],
    output logic [63:0] product64[9]
);
  genvar l;
  generate
    for (l = 1; l <= 9; l++) begin : gen_latency
      spindle_addf #(.EXPONENT(8), .FRACTION(23), .LATENCY(l)) add32 (
          .clk, .ce, .subtract, .a(a32), .b(b32), .y(sum32[l-1]));
      spindle_mulf #(.EXPONENT(8), .FRACTION(23), .LATENCY(l)) multiply32 (
          .clk, .ce, .a(a32), .b(b32), .y(product32[l-1]));
      spindle_mulf #(.EXPONENT(8), .FRACTION(23), .LATENCY(l), .BLOCKS(0)) multiply_in_luts32 (
          .clk, .ce, .a(a32), .b(b32), .y(in_luts32[l-1]));
      spindle_addf #(.EXPONENT(11), .FRACTION(52), .LATENCY(l)) add64 (
          .clk, .ce, .subtract, .a(a64), .b(b64), .y(sum64[l-1]));
      spindle_mulf #(.EXPONENT(11), .FRACTION(52), .LATENCY(l)) multiply64 (
          .clk, .ce, .a(a64), .b(b64), .y(product64[l-1]));
    end
  endgenerate
endmodule
