// Takes an IEEE 754 number apart with a leading one even where it is subnormal; combinational.
//   value = (-1)^sign * significand * 2^(exponent - bias - FRACTION), significand[FRACTION] = 1
// `exponent` is signed and as low as 1 - FRACTION. Of zeros, infinities and NaNs only the flags count.
// Uses spindle_float_unpack, spindle_leading_zeros.
module spindle_float_normalise #(
    parameter int EXPONENT = 8,
    parameter int FRACTION = 23
) (
    input  logic [EXPONENT+FRACTION:0] number,
    output logic                       sign,
    output logic [     EXPONENT+1:0]   exponent,
    output logic [         FRACTION:0] significand,
    output logic                       zero,
    output logic                       infinite,
    output logic                       nan
);
  localparam int COUNT = $clog2(FRACTION + 1);
  logic [EXPONENT-1:0] field;
  logic [FRACTION:0] given;
  logic [COUNT-1:0] zeros;
  spindle_float_unpack #(.EXPONENT(EXPONENT), .FRACTION(FRACTION)) unpack (
      .number, .sign, .exponent(field), .significand(given), .zero, .infinite, .nan);
  spindle_leading_zeros #(.WIDTH(FRACTION + 1)) leading_zeros (.x(given), .count(zeros));
  assign significand = given << zeros;
  assign exponent    = {2'b00, field} - (EXPONENT + 2)'(zeros);
endmodule
