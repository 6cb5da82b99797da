// ln(significand * 2^(power - FRACTION)), significand[FRACTION] = 1, as (-1)^negative * digits * 2^(top - DIGITS) with
// a leading one in digits, DIGITS = FRACTION + 22; of 1 the digits are 0. Relative error below 2^-(FRACTION + 17).
// Bit for bit logarithm of hw/rtl/model/Pow.cpp; docs/rationale/units.md derives the error bound.
// Latency CYCLES + 8; initiation interval 1 where STAGES = CYCLES, else (STAGES = 1) CYCLES. side comes through beside it.
// ce = 0 holds every register; rst ends the operation under way.
// A significand from 0.75 to 1.5 is multiplied by factors 1 + 2^-i and 1 - 2^-i until 1 + r with r below 2^-ALL is left;
// their logarithms are summed up, and r - r^2/2. u = 2^i r keeps its size meanwhile.
// Uses spindle_cut, spindle_multiply, spindle_recurrence, spindle_step_logarithms, spindle_leading_zeros.
module spindle_log_floating #(
    parameter int EXPONENT = 8,
    parameter int FRACTION = 23,
    parameter int CYCLES   = 11,
    parameter int STAGES   = 1,
    parameter int SIDE     = 1
) (
    input  logic                 clk,
    input  logic                 rst,
    input  logic                 ce,
    input  logic                 valid,
    input  logic [   FRACTION:0] significand,
    input  logic [ EXPONENT+1:0] power,
    input  logic [     SIDE-1:0] side,
    output logic                 negative,
    output logic [FRACTION+21:0] digits,
    output logic [ EXPONENT+1:0] top,
    output logic [     SIDE-1:0] side_out
);
  localparam int DIGITS = FRACTION + 22;
  localparam int ALL = (DIGITS + 1) / 2;  // weight of what is left in the end
  localparam int STEPS = (ALL - 2 + CYCLES - 1) / CYCLES;  // of one cycle, i = 2 to ALL - 1 in all
  localparam int U = DIGITS + 2;  // signed, from -2 to 2
  localparam int BELOW = FRACTION + 1 - ALL;  // bits of what is left that are below those of the sum
  localparam int SUM = DIGITS + ALL;  // fraction bits
  localparam int TOTAL = EXPONENT + SUM;  // signed
  localparam int WIDE = EXPONENT + 2;
  localparam int TWO = FRACTION + 16 + EXPONENT;  // fraction bits of ln 2
  localparam int HIGH = U - ALL - 1;
  localparam int REST = U + BELOW;
  localparam int COUNT = $clog2(TOTAL - 1);
  localparam int STATE = SIDE + 1 + TOTAL + U;
  localparam logic [111:0] LN2 = 112'hb17217f7d1cf79abc9e3b39803f2;

  // u for i = 2, of the significand or its half; power * ln 2.
  logic large0;
  logic [WIDE-1:0] power0, power1;
  logic [U-1:0] u0, u1;
  assign large0 = significand[FRACTION-1];
  assign power0 = power + WIDE'(large0);
  assign u0     = large0 ? {2'b11, significand[FRACTION-2:0], {DIGITS - FRACTION + 1{1'b0}}}
      : {1'b0, significand[FRACTION-2:0], {DIGITS - FRACTION + 2{1'b0}}};
  logic [SIDE-1:0] side1, side2;
  logic [TWO+WIDE-1:0] product1, multiple1;
  spindle_multiply #(.A(WIDE), .B(TWO), .ROWS(1)) multiply_two (
      .clk, .ce, .a(power0), .b(LN2[111-:TWO]), .product(product1));
  spindle_cut #(.WIDTH(SIDE + WIDE + U), .STAGES(1)) cut_inputs (
      .clk, .ce, .d({side, power0, u0}), .q({side1, power1, u1}));
  assign multiple1 = product1 - (power1[WIDE-1] ? {LN2[111-:TWO], {WIDE{1'b0}}} : (TWO + WIDE)'(0));

  logic touched2;
  logic [TWO+WIDE-1:0] multiple2;
  logic [U-1:0] u2;
  spindle_cut #(.WIDTH(SIDE + 1 + TWO + WIDE + U), .STAGES(1)) cut_multiple (
      .clk, .ce, .d({side1, |power1, multiple1, u1}), .q({side2, touched2, multiple2, u2}));

  // The factors.
  logic [1:0] started;
  always_ff @(posedge clk)
    if (rst) started <= '0;
    else if (ce) started <= {started[0], valid};
  logic [STAGES*STATE-1:0] current, next;
  logic [STATE-1:0] last;
  logic [STAGES*8-1:0] index;
  spindle_recurrence #(.WIDTH(STATE), .CYCLES(CYCLES), .STAGES(STAGES)) recurrence (
      .clk, .rst, .ce, .valid(started[1]),
      .first({side2, touched2, multiple2[TOTAL-SUM+TWO-1:0], {SUM - TWO{1'b0}}, u2}), .current, .index, .next, .last);
  genvar s;
  generate
    for (s = 0; s < STAGES; s++) begin : gen_stage
      logic [STEPS*SUM-1:0] aboves, belows;
      logic [STEPS*8-1:0] numbers;
      spindle_step_logarithms #(.STEPS(STEPS), .FIRST(2), .BITS(SUM), .CYCLES(CYCLES), .STAGES(STAGES)) step_logarithms (
          .clk, .ce, .index(index[8*s+:8]), .i(numbers), .above(aboves), .below(belows));
      logic [SIDE-1:0] kept;
      logic touched, going, up, down;
      logic [TOTAL-1:0] sum;
      logic [SUM-1:0] term;
      logic [U-1:0] u, shifted;
      logic [7:0] i;
      // Masks, not conditions: one adder per step, so that none can be shared between steps, which would be a loop.
      always_comb begin
        {kept, touched, sum, u} = current[s*STATE+:STATE];
        for (int k = 0; k < STEPS; k++) begin
          i       = numbers[8*k+:8];
          going   = i < 8'(ALL);
          down    = going & ~u[U-1] & (u[U-2] | u[U-3]);  // 1/2 and more
          up      = going & u[U-1] & ~(u[U-2] & u[U-3]);  // below -1/2
          shifted = $signed(u) >>> i;
          term    = (aboves[k*SUM+:SUM] & {SUM{up}}) | (belows[k*SUM+:SUM] & {SUM{down}});
          u       = u + ((shifted & {U{up | down}}) ^ {U{down}}) + {{U - 1{1'b0}}, down};
          u[U-1:U-2] = u[U-1:U-2] + {down, up | down};  // and 1 or -1
          sum     = sum + ({{EXPONENT{1'b0}}, term} ^ {TOTAL{up}}) + {{TOTAL - 1{1'b0}}, up};
          if (going) u = u << 1;
          touched = touched | up | down;
        end
        next[s*STATE+:STATE] = {kept, touched, sum, u};
      end
    end
  endgenerate

  // r - r^2/2, in units of 2^-ALL.
  logic [SIDE-1:0] side3, side4, side5, side6, side7, side8;
  logic touched3, touched4, touched5, touched6, touched7, touched8;
  logic [TOTAL-1:0] sum3, sum4, sum5, total5, total6;
  logic [U-1:0] u3, u4;
  logic [HIGH:0] high3;
  logic [HIGH-1:0] size3;
  logic [2*HIGH-1:0] square4;
  logic [REST-1:0] rest4, rest5;
  assign {side3, touched3, sum3, u3} = last;
  assign high3 = u3[U-1:ALL];
  assign size3 = high3[HIGH] ? -high3[HIGH-1:0] : high3[HIGH-1:0];
  spindle_multiply #(.A(HIGH), .B(HIGH), .ROWS(1)) square (
      .clk, .ce, .a(size3), .b(size3), .product(square4));
  spindle_cut #(.WIDTH(SIDE + 1 + TOTAL + U), .STAGES(1)) cut_square (
      .clk, .ce, .d({side3, touched3, sum3, u3}), .q({side4, touched4, sum4, u4}));
  assign rest4 = {u4, {BELOW{1'b0}}} - REST'(square4[2*HIGH-1:DIGITS-FRACTION]);
  spindle_cut #(.WIDTH(SIDE + 1 + TOTAL + REST), .STAGES(1)) cut_rest (
      .clk, .ce, .d({side4, touched4, sum4, rest4}), .q({side5, touched5, sum5, rest5}));

  // Next to 1 the logarithm is all in the rest, and keeps the digits below those of the sum.
  assign total5 = touched5 ? sum5 + TOTAL'($signed(rest5[REST-1:BELOW])) : TOTAL'($signed(rest5));
  spindle_cut #(.WIDTH(SIDE + 1 + TOTAL), .STAGES(1)) cut_total (
      .clk, .ce, .d({side5, touched5, total5}), .q({side6, touched6, total6}));

  // Sign and leading one.
  logic negative7, negative8;
  logic [TOTAL-2:0] size6, size7, size8, leading8;
  logic [COUNT-1:0] zeros7, zeros8;
  logic [WIDE-1:0] top8;
  assign size6 = total6[TOTAL-1] ? -total6[TOTAL-2:0] : total6[TOTAL-2:0];
  spindle_cut #(.WIDTH(SIDE + 1 + TOTAL), .STAGES(1)) cut_size (
      .clk, .ce, .d({side6, touched6, total6[TOTAL-1], size6}), .q({side7, touched7, negative7, size7}));
  spindle_leading_zeros #(.WIDTH(TOTAL - 1)) leading_zeros (.x(size7), .count(zeros7));
  spindle_cut #(.WIDTH(SIDE + 1 + TOTAL + COUNT), .STAGES(1)) cut_zeros (
      .clk, .ce, .d({side7, touched7, negative7, zeros7, size7}), .q({side8, touched8, negative8, zeros8, size8}));
  assign leading8 = size8 << zeros8;
  assign top8     = WIDE'(EXPONENT - 1) - WIDE'(zeros8) - (touched8 ? '0 : WIDE'(BELOW));
  spindle_cut #(.WIDTH(SIDE + 1 + DIGITS + WIDE), .STAGES(1)) cut_result (
      .clk, .ce, .d({side8, negative8, leading8[TOTAL-2-:DIGITS], top8}), .q({side_out, negative, digits, top}));

  logic unused;
  assign unused = |{significand[FRACTION], multiple2, square4, leading8[TOTAL-DIGITS-2:0]};
endmodule
