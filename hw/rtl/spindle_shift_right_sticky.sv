// y = the low OUT bits of x >> amount; sticky = whether a one was shifted out below bit 0; combinational.
// Any AMOUNT will do: shifting by more than WIDTH leaves 0, and sticky tells whether x was not 0.
module spindle_shift_right_sticky #(
    parameter int WIDTH  = 26,
    parameter int OUT    = WIDTH,
    parameter int AMOUNT = 5
) (
    input  logic [ WIDTH-1:0] x,
    input  logic [AMOUNT-1:0] amount,
    output logic [   OUT-1:0] y,
    output logic              sticky
);
  logic [WIDTH-1:0] shifted;
  always_comb begin
    shifted = x;
    sticky  = 1'b0;
    for (int level = AMOUNT - 1; level >= 0; level--)
      if (amount[level]) begin
        sticky  = sticky | (|(shifted & ~({WIDTH{1'b1}} << (1 << level))));
        shifted = shifted >> (1 << level);
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
