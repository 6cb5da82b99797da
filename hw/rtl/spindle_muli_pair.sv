// Two products that share a factor, of one DSP block: the low WIDTH bits of b * c below those of a * c in y.
// The block multiplies a * 2^SHIFT + b by c. With has_sign, which comes with the factors, b * c may be negative: half of
// 2^SHIFT is added, so that nothing is taken from a * c, and taken off again below. The factors are signed numbers of A, B
// and C bits. What must hold of them: b * c fits into SHIFT bits, without has_sign as a number without sign;
// a * 2^SHIFT + b fits into A + SHIFT bits. One block where these are at most 25 (DSP48E1; 27 of a DSP48E2) and c has at
// most 18.
// Latency LATENCY (1 or more; 2 has registers in front, more only delay), initiation interval 1.
// ce = 0 holds every register; there is no reset.
// Uses spindle_cut.
module spindle_muli_pair #(
    parameter int WIDTH   = 16,
    parameter int A       = 9,
    parameter int B       = 16,
    parameter int C       = 16,
    parameter int SHIFT   = 16,
    parameter int LATENCY = 1
) (
    input  logic               clk,
    input  logic               ce,
    input  logic               has_sign,
    input  logic [      A-1:0] a,
    input  logic [      B-1:0] b,
    input  logic [      C-1:0] c,
    output logic [2*WIDTH-1:0] y
);
  localparam int INPUTS = LATENCY >= 2 ? 1 : 0;
  localparam int FACTOR = A + SHIFT;
  localparam int WHOLE = FACTOR + C;

  logic sign0, sign1;
  logic [A-1:0] a0;
  logic [B-1:0] b0;
  logic [C-1:0] c0;
  spindle_cut #(.WIDTH(1 + A + B + C), .STAGES(INPUTS)) cut_inputs (
      .clk, .ce, .d({has_sign, a, b, c}), .q({sign0, a0, b0, c0}));

  logic signed [FACTOR-1:0] factors;
  logic [WHOLE-1:0] sum, whole;
  assign factors = $signed({a0, {SHIFT{1'b0}}}) + FACTOR'($signed(b0));
  assign sum = WHOLE'(factors * $signed(c0)) + (WHOLE'(sign0) << (SHIFT - 1));
  spindle_cut #(.WIDTH(1 + WHOLE), .STAGES(1)) cut_sum (.clk, .ce, .d({sign0, sum}), .q({sign1, whole}));

  // b * c + 2^(SHIFT-1), its highest bit inverted, is b * c again.
  logic [SHIFT-1:0] below;
  logic [2*WIDTH-1:0] products;
  assign below = {whole[SHIFT-1] ^ sign1, whole[SHIFT-2:0]};
  assign products = {WIDTH'($signed(whole[WHOLE-1:SHIFT])), WIDTH'($signed({sign1 & below[SHIFT-1], below}))};
  logic unused;
  assign unused = ^{whole, below};
  spindle_cut #(.WIDTH(2 * WIDTH), .STAGES(LATENCY - INPUTS - 1)) cut_result (
      .clk, .ce, .d(products), .q(y));
endmodule
