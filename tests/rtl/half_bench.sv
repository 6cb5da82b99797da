// The units of f16 and bf16 as targets have them, side by side on the same bits: element 0 is f16, element 1 bf16.
module half_bench (
    input  logic        clk,
    input  logic        rst,
    input  logic        ce,
    input  logic        valid,
    input  logic [ 3:0] predicate,
    input  logic        minimum,
    input  logic        number,
    input  logic        subtract,
    input  logic [15:0] a,
    input  logic [15:0] b,
    input  logic [31:0] a32,
    input  logic [63:0] a64,
    input  logic [63:0] integer_a,
    output logic [15:0] sum[2],
    output logic [15:0] product[2],
    output logic [15:0] product_luts[2],
    output logic [15:0] quotient[2],
    output logic [15:0] quotient_iterated[2],
    output logic [15:0] root[2],
    output logic [15:0] root_iterated[2],
    output logic        compare[2],
    output logic [15:0] extreme[2],
    output logic [15:0] from32[2],
    output logic [15:0] from64[2],
    output logic [31:0] to32,  // of f16
    output logic [63:0] to64,
    // Element i: 1, 8, 16, 32 and 64 bits.
    output logic [15:0] from_signed[5],  // bf16
    output logic [15:0] from_unsigned[5]
);
  localparam int WIDTHS[5] = '{1, 8, 16, 32, 64};
  genvar f, i;
  generate
    for (f = 0; f < 2; f++) begin : gen_format
      localparam int E = f == 0 ? 5 : 8;
      localparam int F = f == 0 ? 10 : 7;
      localparam int D = f == 0 ? 5 : 4;  // steps of a quotient and of a root
      localparam int R = f == 0 ? 6 : 5;
      spindle_addf #(.EXPONENT(E), .FRACTION(F), .LATENCY(3)) add (.clk, .ce, .subtract, .a, .b, .y(sum[f]));
      spindle_mulf #(.EXPONENT(E), .FRACTION(F), .LATENCY(2)) mul (.clk, .ce, .a, .b, .y(product[f]));
      spindle_mulf #(.EXPONENT(E), .FRACTION(F), .LATENCY(2), .BLOCKS(0)) mul_luts (
          .clk, .ce, .a, .b, .y(product_luts[f]));
      spindle_divf #(.EXPONENT(E), .FRACTION(F), .LATENCY(D + 3), .INTERVAL(1)) divide (
          .clk, .rst, .ce, .valid(1'b1), .a, .b, .y(quotient[f]));
      spindle_divf #(.EXPONENT(E), .FRACTION(F), .LATENCY(D + 3), .INTERVAL(D)) divide_iterated (
          .clk, .rst, .ce, .valid, .a, .b, .y(quotient_iterated[f]));
      spindle_sqrt #(.EXPONENT(E), .FRACTION(F), .LATENCY(R + 2), .INTERVAL(1)) square_root (
          .clk, .rst, .ce, .valid(1'b1), .a, .y(root[f]));
      spindle_sqrt #(.EXPONENT(E), .FRACTION(F), .LATENCY(R + 2), .INTERVAL(R)) root_goes_round (
          .clk, .rst, .ce, .valid, .a, .y(root_iterated[f]));
      spindle_cmpf #(.EXPONENT(E), .FRACTION(F), .LATENCY(1)) cmp (.clk, .ce, .predicate, .a, .b, .y(compare[f]));
      spindle_minmaxf #(.EXPONENT(E), .FRACTION(F), .LATENCY(1)) minmax (
          .clk, .ce, .minimum, .number, .a, .b, .y(extreme[f]));
      spindle_truncf #(.FROM_EXPONENT(8), .FROM_FRACTION(23), .EXPONENT(E), .FRACTION(F), .LATENCY(2)) truncate32 (
          .clk, .ce, .a(a32), .y(from32[f]));
      spindle_truncf #(.FROM_EXPONENT(11), .FROM_FRACTION(52), .EXPONENT(E), .FRACTION(F), .LATENCY(2)) truncate64 (
          .clk, .ce, .a(a64), .y(from64[f]));
    end
    for (i = 0; i < 5; i++) begin : gen_integer
      localparam int W = WIDTHS[i];
      spindle_sitofp #(.EXPONENT(8), .FRACTION(7), .INTEGER(W), .LATENCY(2)) sitofp (
          .clk, .ce, .a(integer_a[W-1:0]), .y(from_signed[i]));
      spindle_uitofp #(.EXPONENT(8), .FRACTION(7), .INTEGER(W), .LATENCY(2)) uitofp (
          .clk, .ce, .a(integer_a[W-1:0]), .y(from_unsigned[i]));
    end
  endgenerate
  spindle_extf #(.FROM_EXPONENT(5), .FROM_FRACTION(10), .EXPONENT(8), .FRACTION(23), .LATENCY(1)) extend32 (
      .clk, .ce, .a, .y(to32));
  spindle_extf #(.FROM_EXPONENT(5), .FROM_FRACTION(10), .EXPONENT(11), .FRACTION(52), .LATENCY(1)) extend64 (
      .clk, .ce, .a, .y(to64));
endmodule
