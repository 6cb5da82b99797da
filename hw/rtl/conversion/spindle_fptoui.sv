// y = the IEEE 754 number a as an unsigned integer; latency and numbers out of range as in spindle_float_to_integer.
// Uses spindle_float_to_integer.
module spindle_fptoui #(
    parameter int EXPONENT = 8,
    parameter int FRACTION = 23,
    parameter int INTEGER  = 32,
    parameter int LATENCY  = 2
) (
    input  logic                       clk,
    input  logic                       ce,
    input  logic [EXPONENT+FRACTION:0] a,
    output logic [        INTEGER-1:0] y
);
  spindle_float_to_integer #(.EXPONENT(EXPONENT), .FRACTION(FRACTION), .INTEGER(INTEGER), .SIGNED(0), .LATENCY(LATENCY))
      convert (.clk, .ce, .a, .y);
endmodule
