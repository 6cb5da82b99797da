// product = a * b, unsigned, in LUTs and carry chains alone, where DSP blocks are what is lacking: pairs of rows, then a
// tree of sums, of which the lower bits of the lower half pass by.
// ROWS (0 or more) registers stand behind the pairs; the product has none.
// Latency ROWS, initiation interval 1; ce = 0 holds every register.
// Uses spindle_cut.
module spindle_multiply_luts #(
    parameter int A    = 24,
    parameter int B    = 24,
    parameter int ROWS = 0
) (
    input  logic           clk,
    input  logic           ce,
    input  logic [  A-1:0] a,
    input  logic [  B-1:0] b,
    output logic [A+B-1:0] product
);
  localparam int PAIRS = (B + 1) / 2;
  localparam int LEAVES = 1 << $clog2(PAIRS);
  localparam int WIDE = A + 2 * LEAVES;  // of all leaves, beyond the product
  logic [PAIRS*(A+2)-1:0] pairs, kept;
  logic [2*PAIRS-1:0] even_b;
  assign even_b = (2 * PAIRS)'(b);
  always_comb
    for (int i = 0; i < PAIRS; i++)
      pairs[i*(A+2)+:A+2] = {2'b00, a & {A{even_b[2*i]}}} + {1'b0, a & {A{even_b[2*i+1]}}, 1'b0};
  spindle_cut #(.WIDTH(PAIRS * (A + 2)), .STAGES(ROWS)) cut_pairs (.clk, .ce, .d(pairs), .q(kept));

  // A node of level l is worth 4 to the power of 2^l more than its left neighbour.
  logic [LEAVES*WIDE-1:0] sums;
  logic [WIDE-1:0] low, high;
  always_comb begin
    sums = '0;
    low  = '0;
    high = '0;
    for (int i = 0; i < PAIRS; i++) sums[i*WIDE+:A+2] = kept[i*(A+2)+:A+2];
    for (int count = LEAVES / 2; count > 0; count /= 2)
      for (int node = 0; node < count; node++) begin
        low  = sums[2*node*WIDE+:WIDE];
        high = sums[(2*node+1)*WIDE+:WIDE] + (low >> (LEAVES / count));
        sums[node*WIDE+:WIDE] = (high << (LEAVES / count)) | (low & ~({WIDE{1'b1}} << (LEAVES / count)));
      end
  end
  assign product = sums[A+B-1:0];
  logic unused;
  assign unused = |sums[LEAVES*WIDE-1:A+B];
endmodule
