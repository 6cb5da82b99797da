// COUNT words of a memory with a read latency of one cycle as an AXI4-Stream: `request` asks for the next word, which is at `word` in the cycle
// after. `start` is a pulse while not busy; `busy` falls when the last word has been taken. One word per cycle where `ready` stays high.
// `valid`, `data` and `last` hold until `ready`.
module spindle_memory_stream #(
    parameter int WIDTH = 64,
    parameter int COUNT = 1
) (
    input  logic             clk,
    input  logic             rst,
    input  logic             start,
    output logic             busy,
    output logic             request,
    input  logic [WIDTH-1:0] word,
    output logic             valid,
    input  logic             ready,
    output logic [WIDTH-1:0] data,
    output logic             last
);
  localparam int BITS = $clog2(COUNT + 1);

  logic [BITS-1:0] to_request, to_send;
  logic coming, take;
  logic [1:0] stored, head;       // words in the queue, the oldest of them
  logic [4*WIDTH-1:0] queue;
  assign request = to_request != 0 && stored + 2'(coming) < 2'd3;
  assign valid   = stored != 0;
  assign take    = valid & ready;
  assign data    = queue[head*WIDTH+:WIDTH];
  assign last    = to_send == BITS'(1);
  assign busy    = to_send != 0;

  logic [1:0] tail;
  assign tail = head + stored;
  always_ff @(posedge clk) begin
    for (int i = 0; i < 4; i++) if (coming && tail == 2'(i)) queue[i*WIDTH+:WIDTH] <= word;
    if (rst) begin
      to_request <= '0;
      to_send    <= '0;
      coming     <= 1'b0;
      stored     <= '0;
      head       <= '0;
    end else begin
      to_request <= start ? BITS'(COUNT) : to_request - BITS'(request);
      to_send    <= start ? BITS'(COUNT) : to_send - BITS'(take);
      coming     <= request;
      stored     <= stored + 2'(coming) - 2'(take);
      head       <= head + 2'(take);
    end
  end
endmodule
