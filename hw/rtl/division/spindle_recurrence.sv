// The registers of a recurrence of CYCLES steps: the operation that enters with `first` in cycle t is in `last`
// during cycle t + CYCLES. The owner computes next from current, the same step for each stage:
//   STAGES = CYCLES  a pipeline; a new operation each cycle, `valid` does not matter
//   STAGES = 1       one stage that goes round; a new operation (valid = 1) every CYCLES cycles at most
//   between          a divisor of CYCLES: stages in a row that each go round; every CYCLES / STAGES cycles at most
// index (8 bits per stage) says which step it is, from 0. At rest a stage keeps its last state.
// ce = 0 holds every register; rst ends the operations under way.
module spindle_recurrence #(
    parameter int WIDTH  = 1,
    parameter int CYCLES = 1,
    parameter int STAGES = 1
) (
    input  logic                    clk,
    input  logic                    rst,
    input  logic                    ce,
    input  logic                    valid,
    input  logic [       WIDTH-1:0] first,
    output logic [STAGES*WIDTH-1:0] current,
    output logic [    STAGES*8-1:0] index,
    input  logic [STAGES*WIDTH-1:0] next,
    output logic [       WIDTH-1:0] last
);
  localparam int ROUNDS = CYCLES / STAGES;
  logic [STAGES*WIDTH-1:0] state;  // behind each stage
  assign last = state[STAGES*WIDTH-1-:WIDTH];

  generate
    if (STAGES == CYCLES) begin : gen_pipeline
      logic unused;
      assign unused  = rst | valid;
      assign current = (STAGES * WIDTH)'({state, first});
      always_comb for (int i = 0; i < STAGES; i++) index[8*i+:8] = 8'(i);
      always_ff @(posedge clk) if (ce) state <= next;
    end else begin : gen_round
      // An operation comes to the next stage ROUNDS cycles after it came to this one.
      logic [CYCLES-ROUNDS:0] begins;
      logic [STAGES*WIDTH-1:0] entering;
      assign entering = (STAGES * WIDTH)'({state, first});
      if (STAGES > 1) begin : gen_ways
        logic [CYCLES-ROUNDS-1:0] way;
        always_ff @(posedge clk)
          if (rst) way <= '0;
          else if (ce) way <= begins[CYCLES-ROUNDS-1:0];
        assign begins = {way, valid};
      end else begin : gen_one
        assign begins = valid;
      end
      genvar s;
      for (s = 0; s < STAGES; s++) begin : gen_stage
        logic [7:0] count, step;
        logic begun, running;
        assign begun              = begins[s*ROUNDS];
        assign running            = begun | (count != 8'(ROUNDS));
        assign step               = begun ? 8'd0 : count;
        assign index[8*s+:8]      = step + 8'(s * ROUNDS);
        assign current[s*WIDTH+:WIDTH] = begun ? entering[s*WIDTH+:WIDTH] : state[s*WIDTH+:WIDTH];
        always_ff @(posedge clk)
          if (rst) count <= 8'(ROUNDS);
          else if (ce & running) count <= step + 8'd1;
        always_ff @(posedge clk) if (ce & running) state[s*WIDTH+:WIDTH] <= next[s*WIDTH+:WIDTH];
      end
    end
  endgenerate
endmodule
