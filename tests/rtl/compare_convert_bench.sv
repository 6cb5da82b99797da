// Comparisons, minima and maxima, and conversions of both formats at several latencies, side by side on the same operands.
module compare_convert_bench (
    input  logic        clk,
    input  logic        ce,
    input  logic [ 3:0] predicate,
    input  logic        minimum,
    input  logic        number,
    input  logic [31:0] a32,
    input  logic [31:0] b32,
    input  logic [63:0] a64,
    input  logic [63:0] b64,
    input  logic [63:0] integer_a,
    // Element l - 1: latency l.
    output logic        compare32[4],
    output logic        compare64[4],
    output logic [31:0] extreme32[4],
    output logic [63:0] extreme64[4],
    output logic [63:0] extended[4],
    output logic [31:0] truncated[4],
    // Element i: width and latency are those of case i.
    output logic [31:0] from_signed32[10],
    output logic [31:0] from_unsigned32[10],
    output logic [63:0] from_signed64[10],
    output logic [63:0] from_unsigned64[10],
    output logic [63:0] to_signed32[10],
    output logic [63:0] to_unsigned32[10],
    output logic [63:0] to_signed64[10],
    output logic [63:0] to_unsigned64[10]
);
  localparam int WIDTHS[10] = '{1, 8, 31, 33, 32, 32, 32, 64, 64, 64};
  localparam int LATENCIES[10] = '{2, 4, 1, 3, 1, 2, 6, 1, 3, 5};
  genvar l, i;
  generate
    for (l = 1; l <= 4; l++) begin : gen_latency
      spindle_cmpf #(.EXPONENT(8), .FRACTION(23), .LATENCY(l)) cmp32 (
          .clk, .ce, .predicate, .a(a32), .b(b32), .y(compare32[l-1]));
      spindle_cmpf #(.EXPONENT(11), .FRACTION(52), .LATENCY(l)) cmp64 (
          .clk, .ce, .predicate, .a(a64), .b(b64), .y(compare64[l-1]));
      spindle_minmaxf #(.EXPONENT(8), .FRACTION(23), .LATENCY(l)) minmax32 (
          .clk, .ce, .minimum, .number, .a(a32), .b(b32), .y(extreme32[l-1]));
      spindle_minmaxf #(.EXPONENT(11), .FRACTION(52), .LATENCY(l)) minmax64 (
          .clk, .ce, .minimum, .number, .a(a64), .b(b64), .y(extreme64[l-1]));
      spindle_extf #(.LATENCY(l)) extend (.clk, .ce, .a(a32), .y(extended[l-1]));
      spindle_truncf #(.LATENCY(l)) truncate (.clk, .ce, .a(a64), .y(truncated[l-1]));
    end
    for (i = 0; i < 10; i++) begin : gen_case
      localparam int W = WIDTHS[i];
      localparam int L = LATENCIES[i];
      logic [W-1:0] s32, u32, s64, u64;
      spindle_sitofp #(.EXPONENT(8), .FRACTION(23), .INTEGER(W), .LATENCY(L)) sitofp32 (
          .clk, .ce, .a(integer_a[W-1:0]), .y(from_signed32[i]));
      spindle_uitofp #(.EXPONENT(8), .FRACTION(23), .INTEGER(W), .LATENCY(L)) uitofp32 (
          .clk, .ce, .a(integer_a[W-1:0]), .y(from_unsigned32[i]));
      spindle_sitofp #(.EXPONENT(11), .FRACTION(52), .INTEGER(W), .LATENCY(L)) sitofp64 (
          .clk, .ce, .a(integer_a[W-1:0]), .y(from_signed64[i]));
      spindle_uitofp #(.EXPONENT(11), .FRACTION(52), .INTEGER(W), .LATENCY(L)) uitofp64 (
          .clk, .ce, .a(integer_a[W-1:0]), .y(from_unsigned64[i]));
      spindle_fptosi #(.EXPONENT(8), .FRACTION(23), .INTEGER(W), .LATENCY(L)) fptosi32 (.clk, .ce, .a(a32), .y(s32));
      spindle_fptoui #(.EXPONENT(8), .FRACTION(23), .INTEGER(W), .LATENCY(L)) fptoui32 (.clk, .ce, .a(a32), .y(u32));
      spindle_fptosi #(.EXPONENT(11), .FRACTION(52), .INTEGER(W), .LATENCY(L)) fptosi64 (.clk, .ce, .a(a64), .y(s64));
      spindle_fptoui #(.EXPONENT(11), .FRACTION(52), .INTEGER(W), .LATENCY(L)) fptoui64 (.clk, .ce, .a(a64), .y(u64));
      assign to_signed32[i]   = 64'(s32);
      assign to_unsigned32[i] = 64'(u32);
      assign to_signed64[i]   = 64'(s64);
      assign to_unsigned64[i] = 64'(u64);
    end
  endgenerate
endmodule
