// y = the low OUT bits of x >> amount; sticky = whether a one was shifted out below bit 0; combinational.
// Any AMOUNT will do: shifting by more than WIDTH leaves 0, and sticky tells whether x was not 0.
// BITS bits of the amount at a time, the upper ones first: with 2 a choice among four is one LUT of six inputs, with 1
// the mapper pairs the choices as it likes.
module spindle_shift_right_sticky #(
    parameter int WIDTH  = 26,
    parameter int OUT    = WIDTH,
    parameter int AMOUNT = 5,
    parameter int BITS   = 1
) (
    input  logic [ WIDTH-1:0] x,
    input  logic [AMOUNT-1:0] amount,
    output logic [   OUT-1:0] y,
    output logic              sticky
);
  localparam int LEVELS = (AMOUNT + BITS - 1) / BITS;
  localparam logic [WIDTH-1:0] ONES = '1;
  logic [BITS*LEVELS-1:0] whole;
  logic [WIDTH-1:0] shifted, given;
  assign whole = (BITS * LEVELS)'(amount);
  always_comb begin
    shifted = x;
    sticky  = 1'b0;
    for (int level = LEVELS - 1; level >= 0; level--) begin
      given = shifted;
      for (int part = 1; part < (1 << BITS); part++) begin
        sticky = sticky | ((32'(whole[BITS*level+:BITS]) >= part) &
            (|(given & ~(ONES << (part << (BITS * level))) & (ONES << ((part - 1) << (BITS * level))))));
        if (32'(whole[BITS*level+:BITS]) == part) shifted = given >> (part << (BITS * level));
      end
    end
  end
  assign y = shifted[OUT-1:0];
  generate
    if (OUT < WIDTH) begin : gen_rest
      logic unused;
      assign unused = |shifted[WIDTH-1:OUT];
    end
  endgenerate
endmodule
