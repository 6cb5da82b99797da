// y = a^b, within 0.51 units in the last place; special values as C99 Annex F has them, subnormal results;
// NaN results are canonical (quiet, sign 0). Bit for bit unitPow of hw/rtl/model/Pow.h.
// Latency LATENCY (22 or more), initiation interval INTERVAL: 1 for a pipeline, else (LATENCY - 20) / 2 or more.
// exp(b ln a), both functions by one factor 1 + 2^-i after the other, each in (LATENCY - 20) / 2 cycles.
// a and b are sampled where valid is 1. ce = 0 holds every register; rst ends the operation under way.
// Uses spindle_cut, spindle_float_normalise, spindle_log_floating, spindle_multiply, spindle_exp_fixed.
module spindle_powf #(
    parameter int EXPONENT = 8,
    parameter int FRACTION = 23,
    parameter int LATENCY  = 42,
    parameter int INTERVAL = 11
) (
    input  logic                       clk,
    input  logic                       rst,
    input  logic                       ce,
    input  logic                       valid,
    input  logic [EXPONENT+FRACTION:0] a,
    input  logic [EXPONENT+FRACTION:0] b,
    output logic [EXPONENT+FRACTION:0] y
);
  localparam int CYCLES = (LATENCY - 20) / 2;
  localparam int STAGES = INTERVAL < CYCLES ? CYCLES : 1;
  localparam int SIZE = EXPONENT + FRACTION + 1;
  localparam int WIDE = EXPONENT + 2;
  localparam int ARGUMENT = FRACTION + 15;  // fraction bits of what exp takes
  localparam int MAGNITUDE = EXPONENT + ARGUMENT;
  localparam int DIGITS = FRACTION + 22;
  localparam int SIDE = FRACTION + 1 + WIDE + 6;
  localparam logic [WIDE-1:0] BIAS = (1 << (EXPONENT - 1)) - 1;

  // Operands.
  logic sign_a, sign_b, zero_a, zero_b, infinite_a, infinite_b, nan_a, nan_b;
  logic [WIDE-1:0] exponent_a, exponent_b;
  logic [FRACTION:0] significand_a, significand_b;
  spindle_float_normalise #(.EXPONENT(EXPONENT), .FRACTION(FRACTION)) normalise_a (
      .number(a), .sign(sign_a), .exponent(exponent_a), .significand(significand_a), .zero(zero_a),
      .infinite(infinite_a), .nan(nan_a));
  spindle_float_normalise #(.EXPONENT(EXPONENT), .FRACTION(FRACTION)) normalise_b (
      .number(b), .sign(sign_b), .exponent(exponent_b), .significand(significand_b), .zero(zero_b),
      .infinite(infinite_b), .nan(nan_b));
  logic sign_a0, sign_b0, zero_a0, zero_b0, infinite_a0, infinite_b0, nan_a0, nan_b0;
  logic [WIDE-1:0] power_a0, power_b0;
  logic [FRACTION:0] significand_a0, significand_b0;
  spindle_cut #(.WIDTH(8 + 2 * WIDE + 2 * FRACTION + 2), .STAGES(1)) cut_operands (
      .clk, .ce, .d({sign_a, zero_a, infinite_a, nan_a, sign_b, zero_b, infinite_b, nan_b, exponent_a - BIAS,
      exponent_b - BIAS, significand_a, significand_b}), .q({sign_a0, zero_a0, infinite_a0, nan_a0, sign_b0, zero_b0,
      infinite_b0, nan_b0, power_a0, power_b0, significand_a0, significand_b0}));

  // Special values, C99 F.9.4.4. Infinity and NaN have so high a power that b counts as even there.
  logic unit0, large0, whole0, odd0, one0, nan0, infinite0, zero0;
  logic [FRACTION:0] units0;  // bit FRACTION of b is worth 1 here
  assign units0    = |power_b0[WIDE-1:6] ? '0 : significand_b0 << power_b0[5:0];
  assign whole0    = ~power_b0[WIDE-1] & ~zero_b0 & ~(|units0[FRACTION-1:0]);
  assign odd0      = whole0 & units0[FRACTION];
  assign unit0     = (power_a0 == '0) & ~(|significand_a0[FRACTION-1:0]);
  assign large0    = ~power_a0[WIDE-1] & ~unit0;
  assign one0      = zero_b0 | (unit0 & (~sign_a0 | (whole0 & ~nan_b0)));
  assign nan0      = ~one0 & (nan_a0 | nan_b0 | (sign_a0 & ~zero_a0 & ~infinite_a0 & ~whole0));
  assign infinite0 = ~one0 & (infinite_b0 ? large0 ^ sign_b0 : (zero_a0 & sign_b0) | (infinite_a0 & ~sign_b0));
  assign zero0     = ~one0 & (infinite_b0 ? large0 ~^ sign_b0 : (zero_a0 & ~sign_b0) | (infinite_a0 & sign_b0));

  logic [CYCLES+12:0] started;  // in the order of the stages
  always_ff @(posedge clk)
    if (rst) started <= '0;
    else if (ce) started <= {started[CYCLES+11:0], valid};

  // ln |a|.
  logic negative1, sign_b1, sign1, zero1, infinite1, nan1, one1;
  logic [DIGITS-1:0] digits1;
  logic [WIDE-1:0] top1, power_b1;
  logic [FRACTION:0] significand_b1;
  spindle_log_floating #(.EXPONENT(EXPONENT), .FRACTION(FRACTION), .CYCLES(CYCLES), .STAGES(STAGES), .SIDE(SIDE)) logarithm (
      .clk, .rst, .ce, .valid(started[0]), .significand(significand_a0), .power(power_a0),
      .side({significand_b0, power_b0, sign_b0, sign_a0 & odd0, zero0, infinite0, nan0, one0}),
      .negative(negative1), .digits(digits1), .top(top1),
      .side_out({significand_b1, power_b1, sign_b1, sign1, zero1, infinite1, nan1, one1}));

  // Times |b|; the product's top bit, which may be 0, weighs 2^(top - 1).
  logic negative2, sign2, zero2, infinite2, nan2, one2;
  logic [WIDE-1:0] top2;
  logic [FRACTION+DIGITS:0] product1, product2;
  spindle_multiply #(.A(FRACTION + 1), .B(DIGITS), .ROWS(1)) multiply (
      .clk, .ce, .a(significand_b1), .b(digits1), .product(product1));
  spindle_cut #(.WIDTH(FRACTION + DIGITS + 1), .STAGES(1)) cut_product (.clk, .ce, .d(product1), .q(product2));
  spindle_cut #(.WIDTH(6 + WIDE), .STAGES(2)) cut_beside (
      .clk, .ce, .d({negative1 ^ sign_b1, sign1, zero1, infinite1, nan1, one1, top1 + power_b1 + WIDE'(1)}),
      .q({negative2, sign2, zero2, infinite2, nan2, one2, top2}));

  // As a fixed-point number; what is too large for it overflows or vanishes.
  logic [WIDE-1:0] right2;
  logic [MAGNITUDE-1:0] magnitude2, magnitude3;
  logic over2, negative3, sign3, zero3, infinite3, nan3;
  assign right2     = WIDE'(EXPONENT) - top2;
  assign over2      = right2[WIDE-1] & ~one2;
  assign magnitude2 = one2 | (|right2[WIDE-1:7]) ? '0 : product2[FRACTION+DIGITS-:MAGNITUDE] >> right2[6:0];
  spindle_cut #(.WIDTH(5 + MAGNITUDE), .STAGES(1)) cut_magnitude (
      .clk, .ce,
      .d({negative2, sign2, zero2 | (over2 & negative2 & ~infinite2), infinite2 | (over2 & ~negative2 & ~zero2), nan2, magnitude2}),
      .q({negative3, sign3, zero3, infinite3, nan3, magnitude3}));

  logic sign4, zero4, infinite4, nan4;
  logic [MAGNITUDE:0] argument4;
  spindle_cut #(.WIDTH(5 + MAGNITUDE), .STAGES(1)) cut_argument (
      .clk, .ce, .d({sign3, zero3, infinite3, nan3, negative3 ? -{1'b0, magnitude3} : {1'b0, magnitude3}}),
      .q({sign4, zero4, infinite4, nan4, argument4}));

  logic [SIZE-1:0] power;
  spindle_exp_fixed #(.EXPONENT(EXPONENT), .FRACTION(FRACTION), .CYCLES(CYCLES), .STAGES(STAGES)) exponential (
      .clk, .rst, .ce, .valid(started[CYCLES+12]), .argument(argument4), .sign(sign4), .zero(zero4),
      .infinite(infinite4), .nan(nan4), .y(power));
  spindle_cut #(.WIDTH(SIZE), .STAGES((LATENCY - 20) % 2)) cut_result (.clk, .ce, .d(power), .q(y));

  logic unused;
  assign unused = |product2;
endmodule
