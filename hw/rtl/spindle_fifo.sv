// A queue of DEPTH words in LUT RAM. `head` is the oldest word while `valid` is high and is taken in a cycle with `pop`; `push` puts `wdata` behind the
// others, where it is seen from the next cycle on. `room` is high while MARGIN or more words are free. No output depends on an input of the same cycle.
// `push` without a free word and `pop` without `valid` are errors of the caller.
module spindle_fifo #(
    parameter int WIDTH  = 8,
    parameter int DEPTH  = 16,
    parameter int MARGIN = 1
) (
    input  logic             clk,
    input  logic             rst,
    input  logic             push,
    input  logic [WIDTH-1:0] wdata,
    input  logic             pop,
    output logic             room,
    output logic             valid,
    output logic [WIDTH-1:0] head
);
  localparam int ADDRESS = DEPTH > 1 ? $clog2(DEPTH) : 1;
  localparam int COUNT = $clog2(DEPTH + 1);

  (* ram_style = "distributed" *)
  logic [WIDTH-1:0] words[DEPTH];
  logic [ADDRESS-1:0] first, behind;
  logic [COUNT-1:0] count, next_count;

  assign head = words[first];
  always_comb begin
    next_count = count;
    if (push && !pop) next_count = count + COUNT'(1);
    if (pop && !push) next_count = count - COUNT'(1);
  end

  always_ff @(posedge clk) begin
    if (push) words[behind] <= wdata;
    if (rst) begin
      first  <= '0;
      behind <= '0;
      count  <= '0;
      valid  <= 1'b0;
      room   <= 1'b1;
    end else begin
      if (push) behind <= behind == ADDRESS'(DEPTH - 1) ? '0 : behind + ADDRESS'(1);
      if (pop) first <= first == ADDRESS'(DEPTH - 1) ? '0 : first + ADDRESS'(1);
      count <= next_count;
      valid <= next_count != '0;
      room  <= next_count <= COUNT'(DEPTH - MARGIN);
    end
  end
endmodule
