// y = the unsigned integer a as an IEEE 754 number; latency and rounding as in spindle_integer_to_float.
// Uses spindle_integer_to_float.
module spindle_uitofp #(
    parameter int EXPONENT = 8,
    parameter int FRACTION = 23,
    parameter int INTEGER  = 32,
    parameter int LATENCY  = 2
) (
    input  logic                       clk,
    input  logic                       ce,
    input  logic [        INTEGER-1:0] a,
    output logic [EXPONENT+FRACTION:0] y
);
  spindle_integer_to_float #(.EXPONENT(EXPONENT), .FRACTION(FRACTION), .INTEGER(INTEGER), .SIGNED(0), .LATENCY(LATENCY))
      convert (.clk, .ce, .a, .y);
endmodule
