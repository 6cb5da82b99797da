// y = the IEEE 754 number a as a signed integer; latency and numbers out of range as in spindle_float_to_integer.
// Uses spindle_float_to_integer.
module spindle_fptosi #(
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
  spindle_float_to_integer #(.EXPONENT(EXPONENT), .FRACTION(FRACTION), .INTEGER(INTEGER), .SIGNED(1), .LATENCY(LATENCY))
      convert (.clk, .ce, .a, .y);
endmodule
