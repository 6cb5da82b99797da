// y = a * b + c, rounded once; IEEE 754, round to nearest even, with subnormal numbers, infinities, signed zeros;
// NaN results are canonical (quiet, sign 0).
// Latency LATENCY (1 or more; 7 cuts every stage, more only delay), initiation interval 1.
// ce = 0 holds every register; there is no reset.
// The exact product stands still in a window in which the addend is shifted to its place: sum and both differences
// are at hand at once, and the one that is not negative is counted, normalised, rounded.
// Uses spindle_cut, spindle_float_unpack, spindle_multiply, spindle_shift_right_sticky, spindle_leading_zeros,
// spindle_float_round.
module spindle_fmaf #(
    parameter int EXPONENT = 8,
    parameter int FRACTION = 23,
    parameter int LATENCY  = 5
) (
    input  logic                       clk,
    input  logic                       ce,
    input  logic [EXPONENT+FRACTION:0] a,
    input  logic [EXPONENT+FRACTION:0] b,
    input  logic [EXPONENT+FRACTION:0] c,
    output logic [EXPONENT+FRACTION:0] y
);
  // Where registers stand: {normalised, counted, added, product, rows, inputs}; the result has one always.
  localparam logic [5:0] CUTS = LATENCY <= 1 ? 6'b000000 : LATENCY == 2 ? 6'b001000 : LATENCY == 3 ? 6'b010100
      : LATENCY == 4 ? 6'b011100 : LATENCY == 5 ? 6'b111100 : LATENCY == 6 ? 6'b111110 : 6'b111111;
  localparam int LAST = LATENCY > 7 ? LATENCY - 6 : 1;

  localparam int SIZE = EXPONENT + FRACTION + 1;
  localparam int PRECISION = FRACTION + 1;
  // From above: the addend in its highest place; two bits that keep the product out of its guard bit there; the
  // product; two bits more, as a product with a subnormal factor may have as few as PRECISION digits and lose one to
  // cancellation; what the addend has shifted out.
  localparam int WINDOW = 3 * PRECISION + 5;
  localparam int COUNT = $clog2(WINDOW);
  localparam int SHIFT = $clog2(WINDOW);
  localparam int WIDE = EXPONENT + 3;  // signed exponents before they are in range
  localparam int BIAS = (1 << (EXPONENT - 1)) - 1;

  // Inputs.
  logic [SIZE-1:0] a0, b0, c0;
  spindle_cut #(.WIDTH(3 * SIZE), .STAGES(CUTS[0] ? 1 : 0)) cut_inputs (.clk, .ce, .d({a, b, c}), .q({a0, b0, c0}));

  logic sign_a, sign_b, sign_c, zero_a, zero_b, zero_c, infinite_a, infinite_b, infinite_c, nan_a, nan_b, nan_c;
  logic [EXPONENT-1:0] exponent_a, exponent_b, exponent_c;
  logic [FRACTION:0] significand_a, significand_b, significand_c;
  spindle_float_unpack #(.EXPONENT(EXPONENT), .FRACTION(FRACTION)) unpack_a (
      .number(a0), .sign(sign_a), .exponent(exponent_a), .significand(significand_a), .zero(zero_a),
      .infinite(infinite_a), .nan(nan_a));
  spindle_float_unpack #(.EXPONENT(EXPONENT), .FRACTION(FRACTION)) unpack_b (
      .number(b0), .sign(sign_b), .exponent(exponent_b), .significand(significand_b), .zero(zero_b),
      .infinite(infinite_b), .nan(nan_b));
  spindle_float_unpack #(.EXPONENT(EXPONENT), .FRACTION(FRACTION)) unpack_c (
      .number(c0), .sign(sign_c), .exponent(exponent_c), .significand(significand_c), .zero(zero_c),
      .infinite(infinite_c), .nan(nan_c));
  logic unused;
  assign unused = zero_c;

  logic sign0, difference0, infinite0, nan0, infinite_product;
  assign infinite_product = infinite_a | infinite_b;
  assign difference0      = sign_a ^ sign_b ^ sign_c;
  assign sign0            = infinite_c ? sign_c : sign_a ^ sign_b;
  assign infinite0        = infinite_product | infinite_c;
  assign nan0 = nan_a | nan_b | nan_c | (infinite_a & zero_b) | (zero_a & infinite_b) |
      (infinite_product & infinite_c & difference0);

  // How far the addend goes down from its highest place, where the window's upper bit has its exponent. A product of
  // zero has none: the addend stays.
  logic still0;
  logic [WIDE-1:0] product_top0, distance0;
  assign product_top0 = WIDE'(exponent_a) + WIDE'(exponent_b) - WIDE'(BIAS - FRACTION - 4);
  assign distance0    = product_top0 - WIDE'(exponent_c);
  assign still0       = distance0[WIDE-1] | zero_a | zero_b;

  logic sign1, difference1, infinite1, nan1, still1;
  logic [EXPONENT-1:0] exponent_c1;
  logic [FRACTION:0] c1;
  logic [WIDE-1:0] product_top1, distance1;
  spindle_cut #(.WIDTH(5 + EXPONENT + PRECISION + 2 * WIDE), .STAGES(CUTS[1] ? 1 : 0)) cut_rows (
      .clk, .ce, .d({sign0, difference0, infinite0, nan0, still0, exponent_c, significand_c, product_top0, distance0}),
      .q({sign1, difference1, infinite1, nan1, still1, exponent_c1, c1, product_top1, distance1}));

  // Align. The exponent is one less than that of the window's upper bit: the one is added where the number is packed.
  logic [SHIFT-1:0] amount1;
  logic [WIDE-1:0] top1;
  logic [EXPONENT:0] exponent1;
  assign amount1   = still1 ? '0 : |distance1[WIDE-1:SHIFT] ? '1 : distance1[SHIFT-1:0];
  assign top1      = still1 ? WIDE'(exponent_c1) : product_top1;
  assign exponent1 = (EXPONENT + 1)'(top1 - WIDE'(1));
  logic [WINDOW-2:0] aligned1;
  logic sticky1;
  spindle_shift_right_sticky #(.WIDTH(WINDOW - 1), .AMOUNT(SHIFT), .BITS(2)) align (
      .x({c1, {WINDOW - 1 - PRECISION{1'b0}}}), .amount(amount1), .y(aligned1), .sticky(sticky1));
  logic [2*PRECISION-1:0] product1;
  spindle_multiply #(.A(PRECISION), .B(PRECISION), .ROWS(CUTS[1] ? 1 : 0)) multiply (
      .clk, .ce, .a(significand_a), .b(significand_b), .product(product1));

  logic sign2, difference2, infinite2, nan2;
  logic [EXPONENT:0] exponent2;
  logic [WINDOW-1:0] addend2;
  logic [2*PRECISION-1:0] product2;
  spindle_cut #(.WIDTH(5 + EXPONENT + WINDOW + 2 * PRECISION), .STAGES(CUTS[2] ? 1 : 0)) cut_product (
      .clk, .ce, .d({sign1, difference1, infinite1, nan1, exponent1, aligned1, sticky1, product1}),
      .q({sign2, difference2, infinite2, nan2, exponent2, addend2, product2}));

  // Add. Where the addend is the larger one nothing of it was shifted out, so that its difference is exact, too.
  logic [WINDOW-1:0] wide2, less2, sum2;
  logic [WINDOW:0] more2;
  logic negative2, sign_2;
  logic carried2;
  assign wide2 = WINDOW'({product2, 3'b000});
  assign {more2, carried2} = {1'b0, wide2, 1'b1} +
      {difference2, addend2 ^ {WINDOW{difference2}}, difference2};
  assign less2     = addend2 - wide2;
  assign negative2 = more2[WINDOW];
  assign sum2      = negative2 ? less2 : more2[WINDOW-1:0];
  assign sign_2    = infinite2 ? sign2 : sign2 ^ negative2;
  logic unused_carry;
  assign unused_carry = carried2;

  logic sign3, difference3, infinite3, nan3;
  logic [EXPONENT:0] exponent3;
  logic [WINDOW-1:0] sum3;
  spindle_cut #(.WIDTH(5 + EXPONENT + WINDOW), .STAGES(CUTS[3] ? 1 : 0)) cut_added (
      .clk, .ce, .d({sign_2, difference2, infinite2, nan2, exponent2, sum2}),
      .q({sign3, difference3, infinite3, nan3, exponent3, sum3}));

  // Count the zeros to shift out: no more than the exponent allows, which ends at 1. What cancels is +0.
  logic [COUNT-1:0] zeros3, count3;
  logic sign_3;
  spindle_leading_zeros #(.WIDTH(WINDOW)) leading_zeros (.x(sum3), .count(zeros3));
  assign count3 = exponent3 < (EXPONENT + 1)'(zeros3) ? COUNT'(exponent3) : zeros3;
  assign sign_3 = sign3 & (~difference3 | infinite3 | (|sum3));

  logic sign4, infinite4, nan4;
  logic [EXPONENT:0] exponent4;
  logic [WINDOW-1:0] sum4;
  logic [COUNT-1:0] count4;
  spindle_cut #(.WIDTH(4 + EXPONENT + WINDOW + COUNT), .STAGES(CUTS[4] ? 1 : 0)) cut_counted (
      .clk, .ce, .d({sign_3, infinite3, nan3, exponent3, sum3, count3}),
      .q({sign4, infinite4, nan4, exponent4, sum4, count4}));

  // Normalise.
  logic [WINDOW-1:0] normal4;
  logic [EXPONENT:0] field4;
  assign normal4 = sum4 << count4;
  assign field4  = exponent4 - (EXPONENT + 1)'(count4);

  logic sign5, infinite5, nan5, guard5, sticky5;
  logic [EXPONENT:0] field5;
  logic [FRACTION:0] normal5;
  spindle_cut #(.WIDTH(6 + EXPONENT + PRECISION), .STAGES(CUTS[5] ? 1 : 0)) cut_normalised (
      .clk, .ce,
      .d({sign4, infinite4, nan4, field4, normal4[WINDOW-1-:PRECISION], normal4[WINDOW-1-PRECISION],
          |normal4[WINDOW-2-PRECISION:0]}),
      .q({sign5, infinite5, nan5, field5, normal5, guard5, sticky5}));

  // Round.
  logic [SIZE-1:0] y5;
  spindle_float_round #(.EXPONENT(EXPONENT), .FRACTION(FRACTION)) round (
      .sign(sign5), .exponent(field5), .more({1'b0, normal5[FRACTION]}), .significand(normal5), .guard(guard5),
      .sticky(sticky5), .infinite(infinite5), .nan(nan5), .number(y5));
  spindle_cut #(.WIDTH(SIZE), .STAGES(LAST)) cut_result (.clk, .ce, .d(y5), .q(y));
endmodule
