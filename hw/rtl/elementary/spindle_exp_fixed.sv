// y = (-1)^sign * exp(argument) for a signed fixed-point argument with ARGUMENT = FRACTION + 15 fraction bits,
// or zero, infinity, NaN where a flag says so, nan first. The part that exp and pow share; bit for bit
// expOfFixed of hw/rtl/model/FixedExp.h, docs/rationale/units.md derives the error bound.
// Latency CYCLES + 7; initiation interval 1 where STAGES = CYCLES, else (STAGES = 1) CYCLES.
// argument and flags belong to the cycle in which valid is 1. ce = 0 holds every register; rst ends the operation
// under way.
// exp(argument) = 2^power * exp(rest), and exp(rest) is the product of the factors (1 + 2^-i) whose logarithms can be
// taken from rest one after the other, times 1 + what is left.
// Uses spindle_cut, spindle_multiply, spindle_recurrence, spindle_step_logarithms, spindle_shift_right_sticky,
// spindle_float_round.
module spindle_exp_fixed #(
    parameter int EXPONENT = 8,
    parameter int FRACTION = 23,
    parameter int CYCLES   = 10,
    parameter int STAGES   = 1
) (
    input  logic                        clk,
    input  logic                        rst,
    input  logic                        ce,
    input  logic                        valid,
    input  logic [EXPONENT+FRACTION+15:0] argument,
    input  logic                        sign,
    input  logic                        zero,
    input  logic                        infinite,
    input  logic                        nan,
    output logic [   EXPONENT+FRACTION:0] y
);
  localparam int ARGUMENT = FRACTION + 15;
  localparam int ALL = (ARGUMENT + 1) / 2;  // steps
  localparam int STEPS = (ALL + CYCLES - 1) / CYCLES;  // of one cycle
  localparam int EXTRA = EXPONENT + 1;  // further fraction bits of ln 2
  localparam int TWO = ARGUMENT + EXTRA;
  localparam int POWER = EXPONENT + 2;
  localparam int FACTOR = ARGUMENT + 2;
  localparam int LEFT = ARGUMENT - ALL + 1;  // bits of what is left in the end
  localparam int STATE = 4 + POWER + ARGUMENT + FACTOR;
  localparam logic [POWER-1:0] BIAS = (1 << (EXPONENT - 1)) - 1;
  localparam logic [111:0] LN2 = 112'hb17217f7d1cf79abc9e3b39803f2;

  // The power of two, one too small at worst: by five fraction bits and log2(e) = 47274 / 2^15.
  logic [EXPONENT+5:0] coarse0;
  logic [EXPONENT+22:0] quotient0;
  assign coarse0   = argument[EXPONENT+ARGUMENT:ARGUMENT-5];
  assign quotient0 = {{17{coarse0[EXPONENT+5]}}, coarse0} * (EXPONENT + 23)'(47274) - (EXPONENT + 23)'(32768);
  logic [POWER-1:0] power1;
  logic [ARGUMENT-1:0] argument1;
  logic [3:0] side1, side2, side3;
  spindle_cut #(.WIDTH(POWER + ARGUMENT), .STAGES(1)) cut_power (
      .clk, .ce, .d({quotient0[20+:POWER], argument[ARGUMENT-1:0]}), .q({power1, argument1}));
  spindle_cut #(.WIDTH(4), .STAGES(1)) cut_side1 (.clk, .ce, .d({sign, zero, infinite, nan}), .q(side1));

  // rest = argument - power * ln 2, below 0.77: no digits before the point are kept. A negative power is taken
  // for one that is 2^POWER larger, which the minuend makes up for.
  logic [POWER-1:0] power2, power3;
  logic [TWO-1:0] minuend2;
  logic [TWO+POWER-1:0] product2;
  spindle_multiply #(.A(POWER), .B(TWO), .ROWS(1)) multiply_two (
      .clk, .ce, .a(power1), .b(LN2[111-:TWO]), .product(product2));
  spindle_cut #(.WIDTH(4 + POWER + TWO), .STAGES(1)) cut_minuend (
      .clk, .ce, .d({side1, power1, {argument1, {EXTRA{1'b0}}} +
      (power1[POWER-1] ? {LN2[111-POWER-:TWO-POWER], {POWER{1'b0}}} : TWO'(0))}), .q({side2, power2, minuend2}));
  logic [TWO-1:0] difference2;
  logic [ARGUMENT-1:0] rest3;
  assign difference2 = minuend2 - product2[TWO-1:0];
  spindle_cut #(.WIDTH(4 + POWER + ARGUMENT), .STAGES(1)) cut_rest (
      .clk, .ce, .d({side2, power2, difference2[TWO-1:EXTRA]}), .q({side3, power3, rest3}));

  // The factors.
  logic [2:0] started;
  always_ff @(posedge clk)
    if (rst) started <= '0;
    else if (ce) started <= {started[1:0], valid};
  logic [STAGES*STATE-1:0] current, next;
  logic [STATE-1:0] last;
  logic [STAGES*8-1:0] index;
  spindle_recurrence #(.WIDTH(STATE), .CYCLES(CYCLES), .STAGES(STAGES)) recurrence (
      .clk, .rst, .ce, .valid(started[2]), .first({side3, power3, rest3, 2'b01, {ARGUMENT{1'b0}}}), .current, .index,
      .next, .last);
  genvar s;
  generate
    for (s = 0; s < STAGES; s++) begin : gen_stage
      logic [STEPS*ARGUMENT-1:0] logarithms, below;
      logic [STEPS*8-1:0] numbers;
      spindle_step_logarithms #(.STEPS(STEPS), .FIRST(1), .BITS(ARGUMENT), .CYCLES(CYCLES), .STAGES(STAGES)) step_logarithms (
          .clk, .ce, .index(index[8*s+:8]), .i(numbers), .above(logarithms), .below);
      logic unused;
      assign unused = |below;
      logic [3+POWER:0] kept;
      logic [ARGUMENT-1:0] rest;
      logic [ARGUMENT:0] difference;
      logic [FACTOR-1:0] factor;
      logic [7:0] i;
      logic fits;
      always_comb begin
        {kept, rest, factor} = current[s*STATE+:STATE];
        for (int k = 0; k < STEPS; k++) begin
          i          = numbers[8*k+:8];
          difference = {1'b0, rest} - {1'b0, logarithms[k*ARGUMENT+:ARGUMENT]};
          fits       = ~difference[ARGUMENT] & (i <= 8'(ALL));
          if (fits) begin
            rest   = difference[ARGUMENT-1:0];
            factor = factor + (factor >> i);
          end
        end
        next[s*STATE+:STATE] = {kept, rest, factor};
      end
    end
  endgenerate

  // Times 1 + rest.
  logic [3:0] side4, side5, side6;
  logic [POWER-1:0] power4, power5, power6;
  logic [ARGUMENT-1:0] rest4;
  logic [FACTOR-1:0] factor4, factor5, value5, value6;
  logic [FACTOR-ALL+LEFT-1:0] product5;
  assign {side4, power4, rest4, factor4} = last;
  spindle_multiply #(.A(LEFT), .B(FACTOR - ALL), .ROWS(1)) multiply_rest (
      .clk, .ce, .a(rest4[LEFT-1:0]), .b(factor4[FACTOR-1:ALL]), .product(product5));
  spindle_cut #(.WIDTH(4 + POWER + FACTOR), .STAGES(1)) cut_factor (
      .clk, .ce, .d({side4, power4, factor4}), .q({side5, power5, factor5}));
  assign value5 = factor5 + FACTOR'(product5[FACTOR-ALL+LEFT-1:ARGUMENT-ALL]);
  spindle_cut #(.WIDTH(4 + POWER + FACTOR), .STAGES(1)) cut_value (
      .clk, .ce, .d({side5, power5, value5}), .q({side6, power6, value6}));

  // Place the value, from 1 to 4: its leading one to the top, further down where the exponent would be less than 1.
  localparam int SHIFT = $clog2(FRACTION + 4);
  logic [FACTOR-1:0] leading6;
  logic [POWER-1:0] placed6, right6;
  logic [SHIFT-1:0] amount6;
  logic [FRACTION+2:0] shifted6;
  logic subnormal6, lost6;
  assign leading6   = value6[FACTOR-1] ? value6 : value6 << 1;
  assign placed6    = power6 + BIAS + POWER'(value6[FACTOR-1]);
  assign subnormal6 = placed6[POWER-1] | (placed6 == '0);
  assign right6     = POWER'(1) - placed6;
  assign amount6    = !subnormal6 ? '0 : |right6[POWER-1:SHIFT] ? '1 : right6[SHIFT-1:0];
  spindle_shift_right_sticky #(.WIDTH(FRACTION + 3), .AMOUNT(SHIFT)) place (
      .x(leading6[FACTOR-1-:FRACTION+3]), .amount(amount6), .y(shifted6), .sticky(lost6));

  logic sign7, infinite7, nan7, sticky7;
  logic [EXPONENT:0] exponent7;
  logic [FRACTION+2:0] shifted7;
  always_ff @(posedge clk)
    if (ce) begin
      {sign7, infinite7, nan7} <= {side6[3], side6[1:0]};
      exponent7 <= subnormal6 | side6[2] ? (EXPONENT + 1)'(1) : placed6[EXPONENT:0];
      shifted7  <= side6[2] ? '0 : shifted6;
      sticky7   <= ~side6[2] & (lost6 | (|leading6[FACTOR-FRACTION-4:0]));
    end
  logic [EXPONENT+FRACTION:0] rounded;
  spindle_float_round #(.EXPONENT(EXPONENT), .FRACTION(FRACTION)) round (
      .sign(sign7), .exponent(exponent7), .more(2'd0), .significand(shifted7[FRACTION+2:2]), .guard(shifted7[1]),
      .sticky(sticky7 | shifted7[0]), .infinite(infinite7), .nan(nan7), .number(rounded));
  spindle_cut #(.WIDTH(EXPONENT + FRACTION + 1), .STAGES(1)) cut_result (.clk, .ce, .d(rounded), .q(y));

  logic unused;
  assign unused = |{quotient0, product2, difference2[EXTRA-1:0], rest4, product5};
endmodule
