// The registers of a recurrence of CYCLES steps: the operation that enters with `first` in cycle t is in `last`
// during cycle t + CYCLES. The owner computes next from current, the same step for each stage:
//   STAGES = CYCLES  a pipeline; a new operation each cycle, `valid` does not matter
//   STAGES = 1       one stage that goes round; a new operation (valid = 1) every CYCLES cycles at most
// index (8 bits per stage) says which step it is, from 0. At rest the stage keeps its last state.
// ce = 0 holds every register; rst ends the operation under way.
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
      logic [7:0] count;
      logic running;
      assign running = valid | (count != 8'(CYCLES));
      assign index   = valid ? 8'd0 : count;
      assign current = valid ? first : state;
      always_ff @(posedge clk)
        if (rst) count <= 8'(CYCLES);
        else if (ce & running) count <= index + 8'd1;
      always_ff @(posedge clk) if (ce & running) state <= next;
    end
  endgenerate
endmodule
