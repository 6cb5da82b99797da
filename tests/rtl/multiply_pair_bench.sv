// Pairs of products: 16 side by side that differ in the shared factor, for all triples of bytes; and some of other sizes
// and latencies, with operands of their own. The order is that of MultiplyPairTest.cpp.
module multiply_pair_bench (
    input  logic        clk,
    input  logic        ce,
    input  logic        has_sign,
    input  logic [ 8:0] a,
    input  logic [ 8:0] b,
    input  logic [ 8:0] c[16],
    output logic [31:0] y[16],
    input  logic        other_has_sign[4],
    input  logic [63:0] other_a[4],
    input  logic [63:0] other_b[4],
    input  logic [63:0] other_c[4],
    output logic [63:0] other_y[4]
);
  genvar i;
  generate
    for (i = 0; i < 16; i++) begin : gen_bytes
      spindle_muli_pair unit (.clk, .ce, .has_sign, .a, .b(16'($signed(b))), .c(16'($signed(c[i]))), .y(y[i]));
    end
    for (i = 0; i < 4; i++) begin : gen_others
      localparam int WIDTH = i < 2 ? 16 : i == 2 ? 8 : 32;
      localparam int A = i == 0 ? 9 : i == 1 ? 11 : i == 2 ? 8 : 12;
      localparam int B = i < 2 ? 16 : i == 2 ? 8 : 6;
      localparam int C = i < 2 ? 16 : i == 2 ? 8 : 18;
      localparam int SHIFT = i == 3 ? 12 : 16;
      logic [2*WIDTH-1:0] products;
      logic unused;
      assign unused = |{other_a[i], other_b[i], other_c[i]};
      spindle_muli_pair #(.WIDTH(WIDTH), .A(A), .B(B), .C(C), .SHIFT(SHIFT), .LATENCY(i == 3 ? 1 : i + 1)) unit (
          .clk, .ce, .has_sign(other_has_sign[i]), .a(other_a[i][A-1:0]), .b(other_b[i][B-1:0]),
          .c(other_c[i][C-1:0]), .y(products));
      assign other_y[i] = 64'(products);
    end
  endgenerate
endmodule
