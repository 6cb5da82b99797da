// One of those that ask, in turn: `chosen` (one bit, none where nobody asks) is the first one behind the one that was taken last. Who asks until it is
// taken waits for COUNT - 1 others at most.
module spindle_turns #(
    parameter int COUNT = 2
) (
    input  logic             clk,
    input  logic             rst,
    input  logic [COUNT-1:0] asks,
    input  logic             take,
    output logic [COUNT-1:0] chosen
);
  logic [COUNT-1:0] behind;  // those whose turn comes first
  logic [COUNT-1:0] first;
  assign first  = asks & behind;
  assign chosen = first != '0 ? first & (~first + COUNT'(1)) : asks & (~asks + COUNT'(1));

  always_ff @(posedge clk)
    if (rst) behind <= '0;
    else if (take) behind <= ~(chosen | (chosen - COUNT'(1)));
endmodule
