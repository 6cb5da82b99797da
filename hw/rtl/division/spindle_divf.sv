// y = a / b; IEEE 754, round to nearest even, with subnormal numbers, infinities, signed zeros;
// NaN results are canonical (quiet, sign 0).
// Latency LATENCY (4 or more), initiation interval INTERVAL: 1 for a pipeline, LATENCY - 3 or more for one
// stage that goes round, or a divisor of LATENCY - 3 for several such stages in a row.
// Non-restoring division of the significands, ceil((FRACTION + 3) / (LATENCY - 3)) bits of the quotient per cycle.
// a and b are sampled where valid is 1. ce = 0 holds every register; rst ends the operation under way.
// Uses spindle_float_normalise, spindle_recurrence, spindle_divide_steps, spindle_shift_right_sticky,
// spindle_float_round.
module spindle_divf #(
    parameter int EXPONENT = 8,
    parameter int FRACTION = 23,
    parameter int LATENCY  = 12,
    parameter int INTERVAL = 9
) (
    input  logic                       clk,
    input  logic                       rst,
    input  logic                       ce,
    input  logic                       valid,
    input  logic [EXPONENT+FRACTION:0] a,
    input  logic [EXPONENT+FRACTION:0] b,
    output logic [EXPONENT+FRACTION:0] y
);
  localparam int CYCLES = LATENCY - 3;
  localparam int STEPS = (FRACTION + 3 + CYCLES - 1) / CYCLES;
  localparam int STAGES = INTERVAL >= CYCLES ? 1 : CYCLES % INTERVAL == 0 ? CYCLES / INTERVAL : CYCLES;
  localparam int QUOTIENT = STEPS * CYCLES;  // one bit before the point
  localparam int WIDE = EXPONENT + 2;  // signed exponents before they are in range
  localparam int SIDE = 4 + WIDE;  // what the division does not change
  localparam int STATE = SIDE + 2 * FRACTION + 3 + QUOTIENT;
  localparam logic [WIDE-1:0] BIAS = (1 << (EXPONENT - 1)) - 1;

  // Significands with leading ones: their quotient lies between 1/2 and 2.
  logic sign_a, sign_b, zero_a, zero_b, infinite_a, infinite_b, nan_a, nan_b;
  logic [WIDE-1:0] exponent_a, exponent_b;
  logic [FRACTION:0] significand_a, significand_b;
  spindle_float_normalise #(.EXPONENT(EXPONENT), .FRACTION(FRACTION)) normalise_a (
      .number(a), .sign(sign_a), .exponent(exponent_a), .significand(significand_a), .zero(zero_a),
      .infinite(infinite_a), .nan(nan_a));
  spindle_float_normalise #(.EXPONENT(EXPONENT), .FRACTION(FRACTION)) normalise_b (
      .number(b), .sign(sign_b), .exponent(exponent_b), .significand(significand_b), .zero(zero_b),
      .infinite(infinite_b), .nan(nan_b));

  logic started;
  logic [SIDE-1:0] side;
  logic [FRACTION:0] significand, divisor;
  always_ff @(posedge clk)
    if (rst) started <= 1'b0;
    else if (ce) started <= valid;
  always_ff @(posedge clk)
    if (ce & valid) begin
      side <= {sign_a ^ sign_b, zero_a | infinite_b, infinite_a | zero_b,
          nan_a | nan_b | (zero_a & zero_b) | (infinite_a & infinite_b), exponent_a - exponent_b + BIAS};
      significand <= significand_a;
      divisor     <= significand_b;
    end

  // The lowest bit of the dividend comes down with the first step, zeros after it.
  logic [STAGES*STATE-1:0] current, next;
  logic [STATE-1:0] last;
  logic [STAGES*8-1:0] index;
  spindle_recurrence #(.WIDTH(STATE), .CYCLES(CYCLES), .STAGES(STAGES)) recurrence (
      .clk, .rst, .ce, .valid(started),
      .first({side, divisor, 2'b00, significand[FRACTION:1], significand[0], {QUOTIENT - 1{1'b0}}}), .current, .index,
      .next, .last);
  genvar s;
  generate
    for (s = 0; s < STAGES; s++) begin : gen_stage
      logic [SIDE-1:0] kept;
      logic [FRACTION:0] below;
      logic [FRACTION+1:0] remainder, next_remainder;
      logic [QUOTIENT-1:0] quotient, next_quotient;
      assign {kept, below, remainder, quotient} = current[s*STATE+:STATE];
      spindle_divide_steps #(.WIDTH(FRACTION + 1), .DIVIDEND(QUOTIENT), .STEPS(STEPS)) steps (
          .divisor(below), .remainder, .dividend(quotient), .next_remainder, .next_dividend(next_quotient));
      assign next[s*STATE+:STATE] = {kept, below, next_remainder, next_quotient};
    end
  endgenerate

  // Place the quotient: the leading one to the top, or further down where the exponent would be less than 1.
  localparam int SHIFT = $clog2(FRACTION + 4);
  logic sign0, zero0, infinite0, nan0;
  logic [WIDE-1:0] exponent0, placed0, right0, right_of_larger0, right_of_smaller0;
  logic [FRACTION:0] divisor0;
  logic [FRACTION+1:0] remainder0;
  logic [QUOTIENT-1:0] quotient0;
  assign {sign0, zero0, infinite0, nan0, exponent0, divisor0, remainder0, quotient0} = last;
  logic [FRACTION+2:0] top0, leading0, shifted0;
  logic rest0, lost0, subnormal0;
  // Nothing is left where the remainder is 0, or lacks one divisor to be: a + b = 0 if a ^ b = (a | b) << 1.
  assign top0       = quotient0[QUOTIENT-1-:FRACTION+3];
  assign rest0      = ((|remainder0) & ((remainder0 ^ {1'b0, divisor0}) != ((remainder0 | {1'b0, divisor0}) << 1))) |
      (|(quotient0 << (FRACTION + 3)));
  assign leading0   = top0[FRACTION+2] ? top0 : top0 << 1;
  assign placed0    = top0[FRACTION+2] ? exponent0 : exponent0 - WIDE'(1);
  // Both ways at once, so that only one row of carries precedes the shift: 1 - placed0, positive if it is subnormal.
  assign right_of_larger0  = WIDE'(1) - exponent0;
  assign right_of_smaller0 = WIDE'(2) - exponent0;
  assign right0            = top0[FRACTION+2] ? right_of_larger0 : right_of_smaller0;
  assign subnormal0        = top0[FRACTION+2] ? ~right_of_larger0[WIDE-1] & (|right_of_larger0)
      : ~right_of_smaller0[WIDE-1] & (|right_of_smaller0);
  logic [SHIFT-1:0] amount0;
  assign amount0 = !subnormal0 ? '0 : |right0[WIDE-1:SHIFT] ? '1 : right0[SHIFT-1:0];
  spindle_shift_right_sticky #(.WIDTH(FRACTION + 3), .AMOUNT(SHIFT)) place (
      .x(leading0), .amount(amount0), .y(shifted0), .sticky(lost0));

  logic sign1, infinite1, nan1, sticky1;
  logic [EXPONENT:0] exponent1;
  logic [FRACTION+2:0] shifted1;
  always_ff @(posedge clk)
    if (ce) begin
      {sign1, infinite1, nan1} <= {sign0, infinite0, nan0};
      exponent1 <= subnormal0 | zero0 ? (EXPONENT + 1)'(1) : placed0[EXPONENT:0];
      shifted1  <= zero0 ? '0 : shifted0;
      sticky1   <= ~zero0 & (rest0 | lost0);
    end

  logic [EXPONENT+FRACTION:0] rounded;
  spindle_float_round #(.EXPONENT(EXPONENT), .FRACTION(FRACTION)) round (
      .sign(sign1), .exponent(exponent1), .more(2'd0), .significand(shifted1[FRACTION+2:2]), .guard(shifted1[1]),
      .sticky(sticky1 | shifted1[0]), .infinite(infinite1), .nan(nan1), .number(rounded));
  always_ff @(posedge clk) if (ce) y <= rounded;

  logic unused;
  assign unused = |{placed0[WIDE-1], divisor0, index};
endmodule
