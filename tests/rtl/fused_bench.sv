// Fused multipliers and adders of all four formats, every latency from 1 to 9, side by side.
// Element l - 1 of a result is that of latency l.
module fused_bench (
    input  logic        clk,
    input  logic        ce,
    input  logic [15:0] a16,
    input  logic [15:0] b16,
    input  logic [15:0] c16,
    input  logic [31:0] a32,
    input  logic [31:0] b32,
    input  logic [31:0] c32,
    input  logic [63:0] a64,
    input  logic [63:0] b64,
    input  logic [63:0] c64,
    output logic [15:0] half[9],
    output logic [15:0] brain[9],
    output logic [31:0] single[9],
    output logic [63:0] wide[9]
);
  genvar l;
  generate
    for (l = 1; l <= 9; l++) begin : gen_latency
      spindle_fmaf #(.EXPONENT(5), .FRACTION(10), .LATENCY(l)) f16 (
          .clk, .ce, .a(a16), .b(b16), .c(c16), .y(half[l-1]));
      spindle_fmaf #(.EXPONENT(8), .FRACTION(7), .LATENCY(l)) bf16 (
          .clk, .ce, .a(a16), .b(b16), .c(c16), .y(brain[l-1]));
      spindle_fmaf #(.EXPONENT(8), .FRACTION(23), .LATENCY(l)) f32 (
          .clk, .ce, .a(a32), .b(b32), .c(c32), .y(single[l-1]));
      spindle_fmaf #(.EXPONENT(11), .FRACTION(52), .LATENCY(l)) f64 (
          .clk, .ce, .a(a64), .b(b64), .c(c64), .y(wide[l-1]));
    end
  endgenerate
endmodule
