// Rounds to nearest even and packs an IEEE 754 number; combinational.
//   exact value = (-1)^sign * {significand, guard, (sticky)} * 2^(exponent + more - bias - FRACTION - 1)
// `exponent` + `more` is the biased exponent (`exponent` has one bit more than the field and is not negative) that
// belongs to the hidden bit significand[FRACTION]. A number whose hidden bit is 0, subnormal or zero, gets the field
// 0; it must come with more = 0. `guard` is the bit below the significand, `sticky` says whether anything is
// left below that. Too large a number becomes infinity. `infinite` and `nan` override the value, nan first;
// every NaN made here is the quiet one with sign 0 and an otherwise empty fraction.
module spindle_float_round #(
    parameter int EXPONENT = 8,
    parameter int FRACTION = 23
) (
    input  logic                       sign,
    input  logic [         EXPONENT:0] exponent,
    input  logic [                1:0] more,
    input  logic [         FRACTION:0] significand,
    input  logic                       guard,
    input  logic                       sticky,
    input  logic                       infinite,
    input  logic                       nan,
    output logic [EXPONENT+FRACTION:0] number
);
  // A carry out of the fraction makes the next exponent, and infinity of the greatest number. Infinities and NaNs are
  // chosen ahead of the carries, in the LUTs that feed them, and not by a multiplexer behind.
  logic overflow, special, up;
  logic [EXPONENT-1:0] field;
  logic [FRACTION-1:0] kept;
  assign overflow = significand[FRACTION] & (exponent[EXPONENT] |
      ((&exponent[EXPONENT-1:2]) & (more[1] ? |exponent[1:0] : more[0] ? exponent[1] : &exponent[1:0])));
  assign special = nan | infinite | overflow;
  assign up      = ~special & guard & (sticky | significand[0]);
  assign field   = special ? '1 : significand[FRACTION] ? exponent[EXPONENT-1:0] : '0;
  assign kept    = special ? {nan, {FRACTION - 1{1'b0}}} : significand[FRACTION-1:0];
  assign number  = {sign & ~nan, {field, kept} +
      {{EXPONENT - 2{1'b0}}, more & {2{~special}}, {FRACTION - 1{1'b0}}, up}};
endmodule
