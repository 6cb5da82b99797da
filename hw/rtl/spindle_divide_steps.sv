// STEPS steps of restoring division, combinational: each brings the top bit of `dividend` down to the remainder,
// subtracts the divisor where it fits, and appends the quotient bit below the dividend. After as many steps as
// the dividend has bits it has become the quotient. The remainder stays below the divisor.
// By a divisor of 0 the quotient is all ones, the remainder the dividend's low bits.
module spindle_divide_steps #(
    parameter int WIDTH    = 8,
    parameter int DIVIDEND = 8,
    parameter int STEPS    = 1
) (
    input  logic [   WIDTH-1:0] divisor,
    input  logic [   WIDTH-1:0] remainder,
    input  logic [DIVIDEND-1:0] dividend,
    output logic [   WIDTH-1:0] next_remainder,
    output logic [DIVIDEND-1:0] next_dividend
);
  logic [WIDTH:0] partial, difference;
  always_comb begin
    next_remainder = remainder;
    next_dividend  = dividend;
    for (int i = 0; i < STEPS; i++) begin
      partial        = {next_remainder, next_dividend[DIVIDEND-1]};
      difference     = partial - {1'b0, divisor};
      next_remainder = difference[WIDTH] ? partial[WIDTH-1:0] : difference[WIDTH-1:0];
      next_dividend  = DIVIDEND'({next_dividend, ~difference[WIDTH]});
    end
  end
endmodule
