// y = the integer a as an IEEE 754 number, round to nearest even; a is in two's complement where SIGNED is 1.
// INTEGER from 1 to 64 bits, no more than 2^(EXPONENT-1) - 1.
// Latency LATENCY (1 or more; 5 cuts every stage, more only delay), initiation interval 1.
// ce = 0 holds every register; there is no reset.
// Uses spindle_cut, spindle_leading_zeros, spindle_float_round.
module spindle_integer_to_float #(
    parameter int EXPONENT = 8,
    parameter int FRACTION = 23,
    parameter int INTEGER  = 32,
    parameter bit SIGNED   = 1,
    parameter int LATENCY  = 2
) (
    input  logic                       clk,
    input  logic                       ce,
    input  logic [        INTEGER-1:0] a,
    output logic [EXPONENT+FRACTION:0] y
);
  // Where registers stand: {normalised, counted, magnitude, inputs}; the result has one always.
  localparam logic [3:0] CUTS = LATENCY <= 1 ? 4'b0000 : LATENCY == 2 ? 4'b0100 : LATENCY == 3 ? 4'b1010
      : LATENCY == 4 ? 4'b1110 : 4'b1111;
  localparam int LAST = LATENCY > 5 ? LATENCY - 4 : 1;
  localparam int WIDE = INTEGER > FRACTION + 3 ? INTEGER : FRACTION + 3;  // significand, guard, at least one more
  localparam int COUNT = $clog2(WIDE);

  logic [INTEGER-1:0] a0;
  spindle_cut #(.WIDTH(INTEGER), .STAGES(CUTS[0] ? 1 : 0)) cut_inputs (.clk, .ce, .d(a), .q(a0));

  logic sign0, sign1;
  logic [INTEGER-1:0] magnitude0, magnitude1;
  assign sign0      = SIGNED & a0[INTEGER-1];
  assign magnitude0 = sign0 ? -a0 : a0;
  spindle_cut #(.WIDTH(INTEGER + 1), .STAGES(CUTS[1] ? 1 : 0)) cut_magnitude (
      .clk, .ce, .d({sign0, magnitude0}), .q({sign1, magnitude1}));

  logic [WIDE-1:0] wide1, wide2;
  logic [COUNT-1:0] count1, count2;
  logic sign2;
  assign wide1 = {{WIDE - INTEGER{1'b0}}, magnitude1} << (WIDE - INTEGER);
  spindle_leading_zeros #(.WIDTH(WIDE)) leading_zeros (.x(wide1), .count(count1));
  spindle_cut #(.WIDTH(WIDE + COUNT + 1), .STAGES(CUTS[2] ? 1 : 0)) cut_counted (
      .clk, .ce, .d({sign1, wide1, count1}), .q({sign2, wide2, count2}));

  logic [WIDE-1:0] normal2, normal3;
  logic [EXPONENT:0] exponent2, exponent3;
  logic sign3;
  localparam logic [EXPONENT:0] LARGEST = (EXPONENT + 1)'((1 << (EXPONENT - 1)) + INTEGER - 2);  // the top bit's
  assign normal2   = wide2 << count2;
  assign exponent2 = LARGEST - (EXPONENT + 1)'(count2);
  spindle_cut #(.WIDTH(WIDE + EXPONENT + 2), .STAGES(CUTS[3] ? 1 : 0)) cut_normalised (
      .clk, .ce, .d({sign2, normal2, exponent2}), .q({sign3, normal3, exponent3}));

  logic [EXPONENT+FRACTION:0] y3;
  spindle_float_round #(.EXPONENT(EXPONENT), .FRACTION(FRACTION)) round (
      .sign(sign3), .exponent(exponent3), .more(2'd0), .significand(normal3[WIDE-1-:FRACTION+1]),
      .guard(normal3[WIDE-FRACTION-2]), .sticky(|normal3[WIDE-FRACTION-3:0]), .infinite(1'b0), .nan(1'b0),
      .number(y3));
  spindle_cut #(.WIDTH(EXPONENT + FRACTION + 1), .STAGES(LAST)) cut_result (.clk, .ce, .d(y3), .q(y));
endmodule
