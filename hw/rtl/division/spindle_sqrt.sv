// y = square root of a; IEEE 754, round to nearest even, with subnormal numbers; of -0 it is -0, of other
// negative numbers NaN; NaN results are canonical (quiet, sign 0).
// Latency LATENCY (3 or more), initiation interval INTERVAL: 1 for a pipeline, LATENCY - 2 or more for one
// stage that goes round, or a divisor of LATENCY - 2 for several such stages in a row.
// Non-restoring digit recurrence, ceil((FRACTION + 2) / (LATENCY - 2)) bits of the root per cycle.
// a is sampled where valid is 1. ce = 0 holds every register; rst ends the operation under way.
// Uses spindle_float_normalise, spindle_recurrence, spindle_float_round.
module spindle_sqrt #(
    parameter int EXPONENT = 8,
    parameter int FRACTION = 23,
    parameter int LATENCY  = 15,
    parameter int INTERVAL = 13
) (
    input  logic                       clk,
    input  logic                       rst,
    input  logic                       ce,
    input  logic                       valid,
    input  logic [EXPONENT+FRACTION:0] a,
    output logic [EXPONENT+FRACTION:0] y
);
  localparam int CYCLES = LATENCY - 2;
  localparam int STEPS = (FRACTION + 2 + CYCLES - 1) / CYCLES;
  localparam int STAGES = INTERVAL >= CYCLES ? 1 : CYCLES % INTERVAL == 0 ? CYCLES / INTERVAL : CYCLES;
  localparam int ROOT = STEPS * CYCLES;  // one bit before the point
  localparam int RADICAND = FRACTION + 2 + FRACTION % 2;  // two bits before the point, zeros follow
  localparam int SIDE = 3 + EXPONENT;
  localparam int STATE = SIDE + 2 * ROOT + 2 + RADICAND;
  localparam logic [EXPONENT+1:0] BIAS = (1 << (EXPONENT - 1)) - 1;

  // The number as a significand from 1 to 4 times an even power of two. The bias is odd.
  logic sign, zero, infinite, nan;
  logic [EXPONENT+1:0] exponent, halved;
  logic [FRACTION:0] significand;
  spindle_float_normalise #(.EXPONENT(EXPONENT), .FRACTION(FRACTION)) normalise (
      .number(a), .sign, .exponent, .significand, .zero, .infinite, .nan);
  assign halved = exponent + BIAS;

  logic started;
  logic [SIDE-1:0] side;
  logic [RADICAND-1:0] radicand;
  always_ff @(posedge clk)
    if (rst) started <= 1'b0;
    else if (ce) started <= valid;
  always_ff @(posedge clk)
    if (ce & valid) begin
      side     <= {zero & sign, infinite, nan | (sign & ~zero), zero ? EXPONENT'(0) : halved[EXPONENT:1]};
      radicand <= RADICAND'({exponent[0] ? {1'b0, significand} : {significand, 1'b0}}) << (FRACTION % 2);
    end

  logic [STAGES*STATE-1:0] current, next;
  logic [STATE-1:0] last;
  logic [STAGES*8-1:0] index;
  spindle_recurrence #(.WIDTH(STATE), .CYCLES(CYCLES), .STAGES(STAGES)) recurrence (
      .clk, .rst, .ce, .valid(started), .first({side, {2 * ROOT + 2{1'b0}}, radicand}), .current, .index, .next, .last);

  // Each step brings two bits down and subtracts 4 root + 1, whose complement plus one ends in 11, or adds 4 root + 3
  // where the remainder is negative. The new bit of the root is 1 where the new remainder is not negative. A negative
  // one lacks 2 root + 1.
  genvar s;
  generate
    for (s = 0; s < STAGES; s++) begin : gen_stage
      logic [SIDE-1:0] kept;
      logic [ROOT-1:0] root;
      logic [ROOT+1:0] remainder;
      logic [RADICAND-1:0] digits;
      always_comb begin
        {kept, root, remainder, digits} = current[s*STATE+:STATE];
        for (int i = 0; i < STEPS; i++) begin
          remainder = {remainder[ROOT-1:0], digits[RADICAND-1-:2]} + {root ^ {ROOT{~remainder[ROOT+1]}}, 2'b11};
          digits    = digits << 2;
          root      = ROOT'({root, ~remainder[ROOT+1]});
        end
        next[s*STATE+:STATE] = {kept, root, remainder, digits};
      end
    end
  endgenerate

  logic sign0, infinite0, nan0, zero0;
  logic [EXPONENT-1:0] exponent0;
  logic [ROOT-1:0] root0;
  logic [ROOT+1:0] remainder0;
  logic [RADICAND-1:0] digits0;
  assign {sign0, infinite0, nan0, exponent0, root0, remainder0, digits0} = last;
  assign zero0 = exponent0 == '0;  // roots are never subnormal
  logic rest0;
  assign rest0 = (|remainder0) & ~&(remainder0 ^ {1'b0, root0, 1'b0});
  logic [EXPONENT+FRACTION:0] rounded;
  spindle_float_round #(.EXPONENT(EXPONENT), .FRACTION(FRACTION)) round (
      .sign(sign0), .exponent(zero0 ? (EXPONENT + 1)'(1) : {1'b0, exponent0}),
      .more(2'd0), .significand(zero0 ? '0 : root0[ROOT-1-:FRACTION+1]), .guard(~zero0 & root0[ROOT-FRACTION-2]),
      .sticky(~zero0 & ((|(root0 << (FRACTION + 2))) | rest0)), .infinite(infinite0), .nan(nan0),
      .number(rounded));
  always_ff @(posedge clk) if (ce) y <= rounded;

  logic unused;
  assign unused = |{digits0, halved[EXPONENT+1], halved[0], index};
endmodule
