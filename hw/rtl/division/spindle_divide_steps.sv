// STEPS steps of non-restoring division, combinational: each brings the top bit of `dividend` down to the remainder,
// subtracts the divisor, or adds it where the remainder is negative, and appends the quotient bit, 1 where the new
// remainder is not negative, below the dividend. After as many steps as the dividend has bits it has become the
// quotient; a remainder that is negative then lacks one divisor. It is from -divisor to divisor - 1, in
// two's complement. By a divisor of 0 the quotient is all ones, the remainder the dividend's low bits.
// A step is one row of carries: restoring ones need a row of choices behind it.
module spindle_divide_steps #(
    parameter int WIDTH    = 8,
    parameter int DIVIDEND = 8,
    parameter int STEPS    = 1
) (
    input  logic [   WIDTH-1:0] divisor,
    input  logic [     WIDTH:0] remainder,
    input  logic [DIVIDEND-1:0] dividend,
    output logic [     WIDTH:0] next_remainder,
    output logic [DIVIDEND-1:0] next_dividend
);
  logic minus, carried;
  always_comb begin
    next_remainder = remainder;
    next_dividend  = dividend;
    carried        = 1'b0;
    for (int i = 0; i < STEPS; i++) begin
      // The lowest place carries into the sum: minus is the complement plus one.
      minus = ~next_remainder[WIDTH];
      {next_remainder, carried} = {next_remainder[WIDTH-1:0], next_dividend[DIVIDEND-1], 1'b1} +
          {{1'b0, divisor} ^ {WIDTH + 1{minus}}, minus};
      next_dividend = DIVIDEND'({next_dividend, ~next_remainder[WIDTH]});
    end
  end
  logic unused;
  assign unused = carried;
endmodule
