// Takes an IEEE 754 number apart; combinational.
//   value = (-1)^sign * significand * 2^(exponent - bias - FRACTION), bias = 2^(EXPONENT-1) - 1
// holds for normal and subnormal numbers alike: `exponent` of a subnormal number is 1 and its
// hidden bit significand[FRACTION] is 0. Of infinities and NaNs only the flags count.
module spindle_float_unpack #(
    parameter int EXPONENT = 8,
    parameter int FRACTION = 23
) (
    input  logic [EXPONENT+FRACTION:0] number,
    output logic                       sign,
    output logic [       EXPONENT-1:0] exponent,
    output logic [         FRACTION:0] significand,
    output logic                       zero,
    output logic                       infinite,
    output logic                       nan
);
  logic hidden, largest, empty;
  assign hidden      = |number[EXPONENT+FRACTION-1:FRACTION];
  assign largest     = &number[EXPONENT+FRACTION-1:FRACTION];
  assign empty       = ~|number[FRACTION-1:0];
  assign sign        = number[EXPONENT+FRACTION];
  assign exponent    = {number[EXPONENT+FRACTION-1:FRACTION+1], number[FRACTION] | ~hidden};
  assign significand = {hidden, number[FRACTION-1:0]};
  assign zero        = ~hidden & empty;
  assign infinite    = largest & empty;
  assign nan         = largest & ~empty;
endmodule
