// y = the low WIDTH bits of a * b, the same for signed and unsigned integers.
// Latency LATENCY (1 or more; 3 cuts every stage, more only delay), initiation interval 1.
// ce = 0 holds every register; there is no reset.
// In tiles of 17 by 24 bits, one DSP block each; tiles above bit WIDTH are left out.
// Uses spindle_cut, spindle_multiply.
module spindle_muli #(
    parameter int WIDTH   = 32,
    parameter int LATENCY = 2
) (
    input  logic             clk,
    input  logic             ce,
    input  logic [WIDTH-1:0] a,
    input  logic [WIDTH-1:0] b,
    output logic [WIDTH-1:0] y
);
  localparam int INPUTS = LATENCY >= 3 ? 1 : 0;
  localparam int ROWS = LATENCY >= 2 ? 1 : 0;

  logic [WIDTH-1:0] a0, b0;
  spindle_cut #(.WIDTH(2 * WIDTH), .STAGES(INPUTS)) cut_inputs (.clk, .ce, .d({a, b}), .q({a0, b0}));
  logic [2*WIDTH-1:0] product;
  spindle_multiply #(.A(WIDTH), .B(WIDTH), .ROWS(ROWS)) multiply (
      .clk, .ce, .a(a0), .b(b0), .product);
  spindle_cut #(.WIDTH(WIDTH), .STAGES(LATENCY - INPUTS - ROWS)) cut_result (
      .clk, .ce, .d(product[WIDTH-1:0]), .q(y));
  logic unused;
  assign unused = |product[2*WIDTH-1:WIDTH];
endmodule
