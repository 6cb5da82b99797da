// Rounds to nearest even and packs an IEEE 754 number; combinational.
//   exact value = (-1)^sign * {significand, guard, (sticky)} * 2^(exponent - bias - FRACTION - 1)
// `exponent` is the biased exponent (one bit more than the field, not negative) that belongs to the
// hidden bit significand[FRACTION]; a number whose hidden bit is 0 must come with exponent 1 (it is
// subnormal or zero). `guard` is the bit below the significand, `sticky` says whether anything is
// left below that. Too large a number becomes infinity. `infinite` and `nan` override the value, nan first;
// every NaN made here is the quiet one with sign 0 and an otherwise empty fraction.
module spindle_float_round #(
    parameter int EXPONENT = 8,
    parameter int FRACTION = 23
) (
    input  logic                       sign,
    input  logic [         EXPONENT:0] exponent,
    input  logic [         FRACTION:0] significand,
    input  logic                       guard,
    input  logic                       sticky,
    input  logic                       infinite,
    input  logic                       nan,
    output logic [EXPONENT+FRACTION:0] number
);
  // A carry out of the fraction makes the next exponent, and infinity of the greatest number.
  logic [EXPONENT-1:0] field;
  logic [EXPONENT+FRACTION-1:0] rounded;
  logic overflow;
  assign field = significand[FRACTION] ? exponent[EXPONENT-1:0] : '0;
  assign rounded = {field, significand[FRACTION-1:0]} +
      {{EXPONENT + FRACTION - 1{1'b0}}, guard & (sticky | significand[0])};
  assign overflow = significand[FRACTION] & (exponent[EXPONENT] | (&exponent[EXPONENT-1:0]));

  always_comb
    if (nan) number = {1'b0, {EXPONENT{1'b1}}, 1'b1, {FRACTION - 1{1'b0}}};
    else if (infinite | overflow) number = {sign, {EXPONENT{1'b1}}, {FRACTION{1'b0}}};
    else number = {sign, rounded};
endmodule
