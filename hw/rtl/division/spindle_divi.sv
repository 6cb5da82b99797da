// y = a / b, or a mod b where REMAINDER is 1; integers of WIDTH bits, of two's complement where SIGNED is 1.
// Rounds towards zero; the remainder has the sign of a. What arith leaves undefined is fixed as RISC-V has it:
// a / 0 is all ones and a mod 0 is a; the smallest number / -1 is itself, with remainder 0.
// Latency LATENCY (3 or more), initiation interval INTERVAL: 1 for a pipeline, LATENCY - 2 or more for one
// stage that goes round, or a divisor of LATENCY - 2 for several such stages in a row.
// Non-restoring division of magnitudes, ceil(WIDTH / (LATENCY - 2)) bits of the quotient per cycle.
// a and b are sampled where valid is 1. ce = 0 holds every register; rst ends the operation under way.
// Uses spindle_recurrence, spindle_divide_steps.
module spindle_divi #(
    parameter int WIDTH     = 32,
    parameter int SIGNED    = 1,
    parameter int REMAINDER = 0,
    parameter int LATENCY   = 18,
    parameter int INTERVAL  = 16
) (
    input  logic             clk,
    input  logic             rst,
    input  logic             ce,
    input  logic             valid,
    input  logic [WIDTH-1:0] a,
    input  logic [WIDTH-1:0] b,
    output logic [WIDTH-1:0] y
);
  localparam int CYCLES = LATENCY - 2;
  localparam int STEPS = (WIDTH + CYCLES - 1) / CYCLES;
  localparam int STAGES = INTERVAL >= CYCLES ? 1 : CYCLES % INTERVAL == 0 ? CYCLES / INTERVAL : CYCLES;
  localparam int DIVIDEND = STEPS * CYCLES;  // zeros above the magnitude of a
  localparam int STATE = 2 + 2 * WIDTH + DIVIDEND;

  // Magnitudes.
  logic negative_a, negative_b;
  assign negative_a = (SIGNED != 0) & a[WIDTH-1];
  assign negative_b = (SIGNED != 0) & b[WIDTH-1];

  logic started, negate;
  logic [WIDTH-1:0] magnitude_a, magnitude_b;
  always_ff @(posedge clk)
    if (rst) started <= 1'b0;
    else if (ce) started <= valid;
  always_ff @(posedge clk)
    if (ce & valid) begin
      magnitude_a <= negative_a ? -a : a;
      magnitude_b <= negative_b ? -b : b;
      negate      <= REMAINDER != 0 ? negative_a : (negative_a ^ negative_b) & (|b);
    end

  logic [STAGES*STATE-1:0] current, next;
  logic [STATE-1:0] last;
  logic [STAGES*8-1:0] index;
  spindle_recurrence #(.WIDTH(STATE), .CYCLES(CYCLES), .STAGES(STAGES)) recurrence (
      .clk, .rst, .ce, .valid(started), .first({negate, magnitude_b, {WIDTH + 1{1'b0}}, DIVIDEND'(magnitude_a)}), .current,
      .index, .next, .last);

  genvar s;
  generate
    for (s = 0; s < STAGES; s++) begin : gen_stage
      logic sign;
      logic [WIDTH-1:0] divisor;
      logic [WIDTH:0] remainder, next_remainder;
      logic [DIVIDEND-1:0] dividend, next_dividend;
      assign {sign, divisor, remainder, dividend} = current[s*STATE+:STATE];
      spindle_divide_steps #(.WIDTH(WIDTH), .DIVIDEND(DIVIDEND), .STEPS(STEPS)) steps (
          .divisor, .remainder, .dividend, .next_remainder, .next_dividend);
      assign next[s*STATE+:STATE] = {sign, divisor, next_remainder, next_dividend};
    end
  endgenerate

  // A negative remainder lacks one divisor.
  logic [WIDTH-1:0] magnitude, lacking;
  assign lacking   = last[DIVIDEND+WIDTH] ? last[DIVIDEND+WIDTH+1+:WIDTH] : '0;
  assign magnitude = REMAINDER != 0 ? last[DIVIDEND+:WIDTH] + lacking : last[WIDTH-1:0];
  always_ff @(posedge clk) if (ce) y <= last[STATE-1] ? -magnitude : magnitude;

  logic unused;
  assign unused = |{last[STATE-2:0], lacking, index};
endmodule
