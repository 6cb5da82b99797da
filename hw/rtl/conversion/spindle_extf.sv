// y = a in a wider format of IEEE 754, exactly; NaN results are canonical. The wider format must hold every
// subnormal number of the narrower one as a normal number (f64 does so for f32).
// Latency LATENCY (1 or more; 3 cuts every stage, more only delay), initiation interval 1.
// ce = 0 holds every register; there is no reset.
// Uses spindle_cut, spindle_float_unpack, spindle_leading_zeros.
module spindle_extf #(
    parameter int FROM_EXPONENT = 8,
    parameter int FROM_FRACTION = 23,
    parameter int EXPONENT      = 11,
    parameter int FRACTION      = 52,
    parameter int LATENCY       = 1
) (
    input  logic                                 clk,
    input  logic                                 ce,
    input  logic [FROM_EXPONENT+FROM_FRACTION:0] a,
    output logic [          EXPONENT+FRACTION:0] y
);
  // Where registers stand: {counted, inputs}; the result has one always.
  localparam logic [1:0] CUTS = LATENCY <= 1 ? 2'b00 : LATENCY == 2 ? 2'b10 : 2'b11;
  localparam int LAST = LATENCY > 3 ? LATENCY - 2 : 1;
  localparam int FROM = FROM_EXPONENT + FROM_FRACTION + 1;
  localparam int COUNT = $clog2(FROM_FRACTION + 1);
  localparam logic [EXPONENT-1:0] REBIAS = (1 << (EXPONENT - 1)) - (1 << (FROM_EXPONENT - 1));

  logic [FROM-1:0] a0;
  spindle_cut #(.WIDTH(FROM), .STAGES(CUTS[0] ? 1 : 0)) cut_inputs (.clk, .ce, .d(a), .q(a0));

  logic sign0, zero0, infinite0, nan0;
  logic [FROM_EXPONENT-1:0] exponent0;
  logic [FROM_FRACTION:0] significand0;
  logic [COUNT-1:0] count0;
  spindle_float_unpack #(.EXPONENT(FROM_EXPONENT), .FRACTION(FROM_FRACTION)) unpack (
      .number(a0), .sign(sign0), .exponent(exponent0), .significand(significand0), .zero(zero0), .infinite(infinite0),
      .nan(nan0));
  spindle_leading_zeros #(.WIDTH(FROM_FRACTION + 1)) leading_zeros (.x(significand0), .count(count0));

  logic sign1, zero1, infinite1, nan1;
  logic [FROM_EXPONENT-1:0] exponent1;
  logic [FROM_FRACTION:0] significand1, normal1;
  logic [COUNT-1:0] count1;
  spindle_cut #(.WIDTH(FROM + 4 + COUNT), .STAGES(CUTS[1] ? 1 : 0)) cut_counted (
      .clk, .ce, .d({sign0, zero0, infinite0, nan0, exponent0, significand0, count0}),
      .q({sign1, zero1, infinite1, nan1, exponent1, significand1, count1}));

  logic [EXPONENT-1:0] field1;
  logic [EXPONENT+FRACTION:0] y1;
  assign normal1 = significand1 << count1;
  assign field1  = {{EXPONENT - FROM_EXPONENT{1'b0}}, exponent1} + REBIAS - EXPONENT'(count1);
  logic unused;
  assign unused = normal1[FROM_FRACTION];  // 1 but for zero
  always_comb
    if (nan1) y1 = {1'b0, {EXPONENT{1'b1}}, 1'b1, {FRACTION - 1{1'b0}}};
    else if (infinite1) y1 = {sign1, {EXPONENT{1'b1}}, {FRACTION{1'b0}}};
    else if (zero1) y1 = {sign1, {EXPONENT + FRACTION{1'b0}}};
    else y1 = {sign1, field1, normal1[FROM_FRACTION-1:0], {FRACTION - FROM_FRACTION{1'b0}}};
  spindle_cut #(.WIDTH(EXPONENT + FRACTION + 1), .STAGES(LAST)) cut_result (.clk, .ce, .d(y1), .q(y));
endmodule
