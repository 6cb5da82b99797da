// y = a + b, or a - b where subtract is 1; IEEE 754, round to nearest even, with subnormal numbers,
// infinities, signed zeros; NaN results are canonical (quiet, sign 0).
// Latency LATENCY (1 or more; 7 cuts every stage, more only delay), initiation interval 1.
// ce = 0 holds every register; there is no reset.
// Single path: order by magnitude, align, add, count, normalise, round.
// Uses spindle_cut, spindle_float_unpack, spindle_shift_right_sticky, spindle_leading_zeros, spindle_float_round.
module spindle_addf #(
    parameter int EXPONENT = 8,
    parameter int FRACTION = 23,
    parameter int LATENCY  = 4
) (
    input  logic                       clk,
    input  logic                       ce,
    input  logic                       subtract,
    input  logic [EXPONENT+FRACTION:0] a,
    input  logic [EXPONENT+FRACTION:0] b,
    output logic [EXPONENT+FRACTION:0] y
);
  // Where registers stand: {normalised, counted, added, aligned, ordered, inputs}; the result has one always.
  localparam logic [5:0] CUTS = LATENCY <= 1 ? 6'b000000 : LATENCY == 2 ? 6'b001000 : LATENCY == 3 ? 6'b010100
      : LATENCY == 4 ? 6'b011010 : LATENCY == 5 ? 6'b111010 : LATENCY == 6 ? 6'b111110 : 6'b111111;
  localparam int LAST = LATENCY > 7 ? LATENCY - 6 : 1;

  localparam int SIZE = EXPONENT + FRACTION + 1;
  localparam int SUM = FRACTION + 5;  // carry, significand, guard, round and sticky bits
  localparam int COUNT = $clog2(SUM);
  localparam int SHIFT = $clog2(FRACTION + 4);  // 2^SHIFT clears the smaller significand and its two extra bits

  // Inputs.
  logic [SIZE-1:0] a0, b0;
  logic subtract0;
  spindle_cut #(.WIDTH(2 * SIZE + 1), .STAGES(CUTS[0] ? 1 : 0)) cut_inputs (
      .clk, .ce, .d({subtract, a, b}), .q({subtract0, a0, b0}));

  // Order by magnitude: x the larger, z the smaller one.
  logic sign_a, sign_b, zero_a, zero_b, infinite_a, infinite_b, nan_a, nan_b;
  logic [EXPONENT-1:0] exponent_a, exponent_b;
  logic [FRACTION:0] significand_a, significand_b;
  spindle_float_unpack #(.EXPONENT(EXPONENT), .FRACTION(FRACTION)) unpack_a (
      .number(a0), .sign(sign_a), .exponent(exponent_a), .significand(significand_a), .zero(zero_a),
      .infinite(infinite_a), .nan(nan_a));
  spindle_float_unpack #(.EXPONENT(EXPONENT), .FRACTION(FRACTION)) unpack_b (
      .number({b0[SIZE-1] ^ subtract0, b0[SIZE-2:0]}), .sign(sign_b), .exponent(exponent_b),
      .significand(significand_b), .zero(zero_b), .infinite(infinite_b), .nan(nan_b));
  logic unused, carried;
  assign unused = zero_a & zero_b & carried;

  logic swap, difference, cancel;
  assign swap       = a0[SIZE-2:0] < b0[SIZE-2:0];
  assign difference = sign_a ^ sign_b;
  assign cancel     = difference & (a0[SIZE-2:0] == b0[SIZE-2:0]);
  logic sign0, infinite0, nan0;
  assign sign0     = cancel ? 1'b0 : swap ? sign_b : sign_a;
  assign infinite0 = infinite_a | infinite_b;
  assign nan0      = nan_a | nan_b | (infinite_a & infinite_b & difference);
  logic [EXPONENT-1:0] distance0, exponent0;
  logic [FRACTION:0] x0, z0;
  assign distance0 = swap ? exponent_b - exponent_a : exponent_a - exponent_b;
  assign exponent0 = swap ? exponent_b : exponent_a;
  assign x0        = swap ? significand_b : significand_a;
  assign z0        = swap ? significand_a : significand_b;

  logic sign1, infinite1, nan1, difference1;
  logic [EXPONENT-1:0] distance1, exponent1;
  logic [FRACTION:0] x1, z1;
  spindle_cut #(.WIDTH(4 + 2 * EXPONENT + 2 * FRACTION + 2), .STAGES(CUTS[1] ? 1 : 0)) cut_ordered (
      .clk, .ce, .d({sign0, infinite0, nan0, difference, distance0, exponent0, x0, z0}),
      .q({sign1, infinite1, nan1, difference1, distance1, exponent1, x1, z1}));

  // Align the smaller one.
  logic [FRACTION+2:0] near;
  logic near_sticky, far;
  spindle_shift_right_sticky #(.WIDTH(FRACTION + 3), .AMOUNT(SHIFT)) align (
      .x({z1, 2'b00}), .amount(distance1[SHIFT-1:0]), .y(near), .sticky(near_sticky));
  assign far = |distance1[EXPONENT-1:SHIFT];
  logic [FRACTION+3:0] aligned1;
  assign aligned1 = far ? '0 : {near, near_sticky};  // that far off it cannot move the rounded sum

  logic sign2, infinite2, nan2, difference2;
  logic [EXPONENT-1:0] exponent2;
  logic [FRACTION:0] x2;
  logic [FRACTION+3:0] aligned2;
  spindle_cut #(.WIDTH(4 + EXPONENT + 2 * FRACTION + 5), .STAGES(CUTS[2] ? 1 : 0)) cut_aligned (
      .clk, .ce, .d({sign1, infinite1, nan1, difference1, exponent1, x1, aligned1}),
      .q({sign2, infinite2, nan2, difference2, exponent2, x2, aligned2}));

  // Add or subtract.
  // The lowest place carries into the sum: minus is the complement plus one.
  logic [SUM-1:0] sum2;
  assign {sum2, carried} = {1'b0, x2, 3'b000, 1'b1} +
      {difference2, aligned2 ^ {FRACTION + 4{difference2}}, difference2};

  logic sign3, infinite3, nan3;
  logic [EXPONENT-1:0] exponent3;
  logic [SUM-1:0] sum3;
  spindle_cut #(.WIDTH(3 + EXPONENT + SUM), .STAGES(CUTS[3] ? 1 : 0)) cut_added (
      .clk, .ce, .d({sign2, infinite2, nan2, exponent2, sum2}),
      .q({sign3, infinite3, nan3, exponent3, sum3}));

  // Count the zeros to shift out: no more than the exponent allows, which ends at 1.
  logic [COUNT-1:0] zeros3, count3;
  spindle_leading_zeros #(.WIDTH(SUM)) leading_zeros (.x(sum3), .count(zeros3));
  assign count3 = exponent3 < EXPONENT'(zeros3) ? exponent3[COUNT-1:0] : zeros3;

  logic sign4, infinite4, nan4;
  logic [EXPONENT-1:0] exponent4;
  logic [SUM-1:0] sum4;
  logic [COUNT-1:0] count4;
  spindle_cut #(.WIDTH(3 + EXPONENT + SUM + COUNT), .STAGES(CUTS[4] ? 1 : 0)) cut_counted (
      .clk, .ce, .d({sign3, infinite3, nan3, exponent3, sum3, count3}),
      .q({sign4, infinite4, nan4, exponent4, sum4, count4}));

  // Normalise. The carry bit is worth exponent + 1; the one is added where the number is packed.
  logic [SUM-1:0] normal4;
  logic [EXPONENT:0] exponent_n4;
  assign normal4     = sum4 << count4;
  assign exponent_n4 = {1'b0, exponent4} - (EXPONENT + 1)'(count4);

  logic sign5, infinite5, nan5;
  logic [EXPONENT:0] exponent5;
  logic [SUM-1:0] normal5;
  spindle_cut #(.WIDTH(4 + EXPONENT + SUM), .STAGES(CUTS[5] ? 1 : 0)) cut_normalised (
      .clk, .ce, .d({sign4, infinite4, nan4, exponent_n4, normal4}),
      .q({sign5, infinite5, nan5, exponent5, normal5}));

  // Round.
  logic [SIZE-1:0] y5;
  spindle_float_round #(.EXPONENT(EXPONENT), .FRACTION(FRACTION)) round (
      .sign(sign5), .exponent(exponent5), .more({1'b0, normal5[SUM-1]}), .significand(normal5[SUM-1:4]),
      .guard(normal5[3]), .sticky(|normal5[2:0]), .infinite(infinite5), .nan(nan5), .number(y5));
  spindle_cut #(.WIDTH(SIZE), .STAGES(LAST)) cut_result (.clk, .ce, .d(y5), .q(y));
endmodule
