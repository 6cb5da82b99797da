// y = the low WIDTH bits of a * b. Factors as wide as the product may be signed or not: y is the same; narrower ones
// are signed numbers.
// Latency LATENCY (1 or more; 3 cuts every stage, more only delay), initiation interval 1.
// ce = 0 holds every register; there is no reset.
// Factors of up to 18 and 25 bits take one DSP block. Others take tiles of 17 by 24 bits, one block each, of which
// those above bit WIDTH are left out; what a narrow factor's sign takes away is subtracted behind them.
// Uses spindle_cut, spindle_multiply.
module spindle_muli #(
    parameter int WIDTH   = 32,
    parameter int LATENCY = 2,
    parameter int A       = WIDTH,
    parameter int B       = WIDTH
) (
    input  logic             clk,
    input  logic             ce,
    input  logic [    A-1:0] a,
    input  logic [    B-1:0] b,
    output logic [WIDTH-1:0] y
);
  localparam int INPUTS = LATENCY >= 3 ? 1 : 0;
  localparam int ROWS = LATENCY >= 2 ? 1 : 0;

  logic [A-1:0] a0;
  logic [B-1:0] b0;
  logic [WIDTH-1:0] product;
  spindle_cut #(.WIDTH(A + B), .STAGES(INPUTS)) cut_inputs (.clk, .ce, .d({a, b}), .q({a0, b0}));
  generate
    if ((A < WIDTH || B < WIDTH) && A <= 18 && B <= 25) begin : gen_block
      logic signed [A+B-1:0] whole;
      assign whole = $signed(a0) * $signed(b0);
      logic unused;
      assign unused = ^whole;
      spindle_cut #(.WIDTH(WIDTH), .STAGES(ROWS)) cut_product (
          .clk, .ce, .d(WIDTH'(whole)), .q(product));
    end else begin : gen_tiles
      logic [A+B-1:0] whole;
      spindle_multiply #(.A(A), .B(B), .ROWS(ROWS)) multiply (
          .clk, .ce, .a(a0), .b(b0), .product(whole));
      if (A == WIDTH && B == WIDTH) begin : gen_same
        assign product = whole[WIDTH-1:0];
        logic unused;
        assign unused = |whole[A+B-1:WIDTH];
      end else begin : gen_signs
        logic [A-1:0] a1;
        logic [B-1:0] b1;
        logic [A+B-1:0] signed_whole;
        spindle_cut #(.WIDTH(A + B), .STAGES(ROWS)) cut_factors (.clk, .ce, .d({a0, b0}), .q({a1, b1}));
        assign signed_whole = whole - {b1 & {B{a1[A-1]}}, {A{1'b0}}} - {a1 & {A{b1[B-1]}}, {B{1'b0}}};
        assign product = WIDTH'($signed(signed_whole));
        logic unused;
        assign unused = ^signed_whole;
      end
    end
  endgenerate
  spindle_cut #(.WIDTH(WIDTH), .STAGES(LATENCY - INPUTS - ROWS)) cut_result (
      .clk, .ce, .d(product), .q(y));
endmodule
