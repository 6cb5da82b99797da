// y = a * b; IEEE 754, round to nearest even, with subnormal numbers, infinities, signed zeros;
// NaN results are canonical (quiet, sign 0).
// Latency LATENCY (1 or more; 5 cuts every stage, more only delay), initiation interval 1.
// ce = 0 holds every register; there is no reset.
// The significands are multiplied as they are; the zeros above the significand of a subnormal operand are
// counted meanwhile. One right shift then places the product for normal and subnormal results alike.
// BLOCKS = 0 multiplies in LUTs instead of DSP blocks.
// Uses spindle_cut, spindle_float_unpack, spindle_multiply, spindle_multiply_luts, spindle_shift_right_sticky,
// spindle_leading_zeros, spindle_float_round.
module spindle_mulf #(
    parameter int EXPONENT = 8,
    parameter int FRACTION = 23,
    parameter int LATENCY  = 3,
    parameter int BLOCKS   = 1
) (
    input  logic                       clk,
    input  logic                       ce,
    input  logic [EXPONENT+FRACTION:0] a,
    input  logic [EXPONENT+FRACTION:0] b,
    output logic [EXPONENT+FRACTION:0] y
);
  // Where registers stand: {placed, product, rows, inputs}; the result has one always.
  localparam logic [3:0] CUTS = LATENCY <= 1 ? 4'b0000 : LATENCY == 2 ? 4'b0100
      : LATENCY == 3 ? (FRACTION < 24 ? 4'b1100 : 4'b0110) : LATENCY == 4 ? 4'b1110 : 4'b1111;
  localparam int LAST = LATENCY > 5 ? LATENCY - 4 : 1;

  localparam int SIZE = EXPONENT + FRACTION + 1;
  localparam int COUNT = $clog2(FRACTION + 1);
  localparam int SHIFT = $clog2(2 * FRACTION + 5);  // enough to shift out the product
  localparam int WIDE = EXPONENT + 2;  // signed exponents before they are in range

  // Inputs.
  logic [SIZE-1:0] a0, b0;
  spindle_cut #(.WIDTH(2 * SIZE), .STAGES(CUTS[0] ? 1 : 0)) cut_inputs (.clk, .ce, .d({a, b}), .q({a0, b0}));

  logic sign_a, sign_b, zero_a, zero_b, infinite_a, infinite_b, nan_a, nan_b;
  logic [EXPONENT-1:0] exponent_a, exponent_b;
  logic [FRACTION:0] significand_a, significand_b;
  spindle_float_unpack #(.EXPONENT(EXPONENT), .FRACTION(FRACTION)) unpack_a (
      .number(a0), .sign(sign_a), .exponent(exponent_a), .significand(significand_a), .zero(zero_a),
      .infinite(infinite_a), .nan(nan_a));
  spindle_float_unpack #(.EXPONENT(EXPONENT), .FRACTION(FRACTION)) unpack_b (
      .number(b0), .sign(sign_b), .exponent(exponent_b), .significand(significand_b), .zero(zero_b),
      .infinite(infinite_b), .nan(nan_b));
  logic sign0, infinite0, nan0;
  assign sign0     = sign_a ^ sign_b;
  assign infinite0 = infinite_a | infinite_b;
  assign nan0      = nan_a | nan_b | (infinite_a & zero_b) | (zero_a & infinite_b);

  // Of two subnormal operands either will do: their product is far below the smallest number.
  logic [FRACTION:0] small0;
  logic [COUNT-1:0] zeros0;
  assign small0 = significand_a[FRACTION] ? significand_b : significand_a;
  spindle_leading_zeros #(.WIDTH(FRACTION + 1)) leading_zeros (.x(small0), .count(zeros0));
  logic [EXPONENT:0] exponents0;
  logic [WIDE-1:0] exponent0;  // one less than that of the product's upper but one bit, could it be packed as it is
  assign exponents0 = {1'b0, exponent_a} + {1'b0, exponent_b};  // less bias + 1, a power of two
  assign exponent0  = {~|exponents0[EXPONENT-:2], exponents0[EXPONENT] ~^ exponents0[EXPONENT-1], ~exponents0[EXPONENT-1],
      exponents0[EXPONENT-2:0]};

  // How far to shift right. By FRACTION a product of normal numbers comes to its place; less where zeros lead it,
  // as long as the exponent stays at least 1; more where it is less than 1. The one that it lacks is added where the
  // number is packed, as the hidden bit.
  logic sign1, infinite1, nan1;
  logic [COUNT-1:0] zeros1;
  logic [WIDE-1:0] exponent1;
  spindle_cut #(.WIDTH(3 + COUNT + WIDE), .STAGES(CUTS[1] ? 1 : 0)) cut_rows (
      .clk, .ce, .d({sign0, infinite0, nan0, zeros0, exponent0}), .q({sign1, infinite1, nan1, zeros1, exponent1}));
  logic subnormal1;
  logic [WIDE-1:0] placed1, right1;
  logic [SHIFT-1:0] amount1;
  logic [EXPONENT:0] field1;
  assign placed1    = exponent1 - WIDE'(zeros1);
  assign subnormal1 = placed1[WIDE-1];
  assign right1     = WIDE'(FRACTION) - exponent1;
  assign amount1    = !subnormal1 ? SHIFT'(FRACTION) - SHIFT'(zeros1) : |right1[WIDE-1:SHIFT] ? '1 : right1[SHIFT-1:0];
  assign field1     = subnormal1 ? '0 : placed1[EXPONENT:0];

  logic [2*FRACTION+1:0] product1;
  generate
    if (BLOCKS != 0) begin : gen_blocks
      spindle_multiply #(.A(FRACTION + 1), .B(FRACTION + 1), .ROWS(CUTS[1] ? 1 : 0)) multiply (
          .clk, .ce, .a(significand_a), .b(significand_b), .product(product1));
    end else begin : gen_luts
      spindle_multiply_luts #(.A(FRACTION + 1), .B(FRACTION + 1), .ROWS(CUTS[1] ? 1 : 0)) multiply (
          .clk, .ce, .a(significand_a), .b(significand_b), .product(product1));
    end
  endgenerate

  logic sign2, infinite2, nan2;
  logic [SHIFT-1:0] amount2;
  logic [EXPONENT:0] field2;
  logic [2*FRACTION+1:0] product2;
  spindle_cut #(.WIDTH(4 + SHIFT + EXPONENT + 2 * FRACTION + 2), .STAGES(CUTS[2] ? 1 : 0)) cut_product (
      .clk, .ce, .d({sign1, infinite1, nan1, amount1, field1, product1}),
      .q({sign2, infinite2, nan2, amount2, field2, product2}));

  // Place the product: two bits before the point, the fraction, a guard bit.
  logic [FRACTION+2:0] placed2;
  logic sticky2;
  spindle_shift_right_sticky #(.WIDTH(2 * FRACTION + 3), .OUT(FRACTION + 3), .AMOUNT(SHIFT),
                               .BITS(FRACTION < 24 ? 2 : 1)) place (
      .x({product2, 1'b0}), .amount(amount2), .y(placed2), .sticky(sticky2));

  logic sign3, infinite3, nan3, sticky3;
  logic [EXPONENT:0] field3;
  logic [FRACTION+2:0] placed3;
  spindle_cut #(.WIDTH(5 + EXPONENT + FRACTION + 3), .STAGES(CUTS[3] ? 1 : 0)) cut_placed (
      .clk, .ce, .d({sign2, infinite2, nan2, sticky2, field2, placed2}),
      .q({sign3, infinite3, nan3, sticky3, field3, placed3}));

  // Round.
  logic two;  // the product is 2 or more
  logic [SIZE-1:0] y3;
  assign two = placed3[FRACTION+2];
  spindle_float_round #(.EXPONENT(EXPONENT), .FRACTION(FRACTION)) round (
      .sign(sign3), .exponent(field3), .more({two, placed3[FRACTION+1] & ~two}),
      .significand(two ? placed3[FRACTION+2:2] : placed3[FRACTION+1:1]), .guard(two ? placed3[1] : placed3[0]),
      .sticky(sticky3 | (two & placed3[0])), .infinite(infinite3), .nan(nan3), .number(y3));
  spindle_cut #(.WIDTH(SIZE), .STAGES(LAST)) cut_result (.clk, .ce, .d(y3), .q(y));
endmodule
