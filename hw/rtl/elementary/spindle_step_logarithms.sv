// Number i and logarithms of the STEPS steps that a stage of spindle_recurrence does in this cycle: i counts from FIRST,
// the logarithms (spindle_logarithms) have BITS fraction bits.
// In a pipeline (STAGES = CYCLES) they are constants. A stage that goes round has them in registers, looked up in the
// cycle before, so that no step waits for the table; while it rests these are the ones of index 0.
// ce = 0 holds every register; there is no reset, one cycle at rest is enough.
// Uses spindle_logarithms.
module spindle_step_logarithms #(
    parameter int STEPS  = 1,
    parameter int FIRST  = 1,
    parameter int BITS   = 38,
    parameter int CYCLES = 1,
    parameter int STAGES = 1
) (
    input  logic                  clk,
    input  logic                  ce,
    input  logic [           7:0] index,
    output logic [   STEPS*8-1:0] i,
    output logic [STEPS*BITS-1:0] above,
    output logic [STEPS*BITS-1:0] below
);
  logic [7:0] wanted;
  assign wanted = STAGES == CYCLES ? index : index >= 8'(CYCLES - 1) ? 8'd0 : index + 8'd1;

  logic [STEPS*8-1:0] numbers;
  logic [STEPS*BITS-1:0] aboves, belows;
  genvar j;
  generate
    for (j = 0; j < STEPS; j++) begin : gen_step
      logic [111:0] wide_above, wide_below;
      assign numbers[8*j+:8] = wanted * 8'(STEPS) + 8'(FIRST + j);
      spindle_logarithms logarithms (.i(numbers[8*j+:8]), .above(wide_above), .below(wide_below));
      assign aboves[j*BITS+:BITS] = wide_above[111-:BITS];
      assign belows[j*BITS+:BITS] = wide_below[111-:BITS];
      logic unused;
      assign unused = |{wide_above[111-BITS:0], wide_below[111-BITS:0]};
    end
    if (STAGES == CYCLES) begin : gen_constants
      assign {i, above, below} = {numbers, aboves, belows};
      logic unused;
      assign unused = clk | ce;
    end else begin : gen_registers
      always_ff @(posedge clk) if (ce) {i, above, below} <= {numbers, aboves, belows};
    end
  endgenerate
endmodule
