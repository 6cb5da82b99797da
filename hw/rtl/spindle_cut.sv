// A place where a pipeline may be cut: STAGES registers in a row, or a wire where STAGES is 0.
// Needs no reset: what travels with the data (a valid bit) is reset by its owner.
// Latency STAGES, initiation interval 1; ce = 0 holds every register.
module spindle_cut #(
    parameter int WIDTH  = 1,
    parameter int STAGES = 1
) (
    input  logic             clk,
    input  logic             ce,
    input  logic [WIDTH-1:0] d,
    output logic [WIDTH-1:0] q
);
  generate
    if (STAGES == 0) begin : gen_wire
      logic unused;
      assign unused = &{clk, ce};
      assign q = d;
    end else begin : gen_registers
      logic [STAGES*WIDTH-1:0] stage;
      always_ff @(posedge clk) if (ce) stage <= (STAGES * WIDTH)'({stage, d});
      assign q = stage[STAGES*WIDTH-1-:WIDTH];
    end
  endgenerate
endmodule
