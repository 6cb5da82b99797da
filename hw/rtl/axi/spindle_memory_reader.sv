// Reads `count` elements of BYTES bytes from `base`, a multiple of DATA / 8, through a channel that others use, too, and passes them on as a stream.
// `start` is a pulse while not busy; `busy` falls when the last element has been taken. It asks for a burst (`asks`, `address`, `length`, held until
// `granted`) only while there is room for all of its words: so what comes (`comes`, `word`) is never refused, and nobody behind it in the channel waits.
// Bursts as in spindle_axi_bursts, of words. BYTES divides DATA / 8, both powers of two; ROOM is at least BURST; BITS are those of `count`.
module spindle_memory_reader #(
    parameter int DATA  = 64,
    parameter int BYTES = 8,
    parameter int BURST = 16,
    parameter int BITS  = 32,
    parameter int ROOM  = 64
) (
    input  logic               clk,
    input  logic               rst,
    input  logic               start,
    input  logic [63:0]        base,
    input  logic [BITS-1:0]    count,
    output logic               busy,
    output logic               asks,
    input  logic               granted,
    output logic [63:0]        address,
    output logic [7:0]         length,
    input  logic               comes,
    input  logic [DATA-1:0]    word,
    output logic               valid,
    input  logic               ready,
    output logic [8*BYTES-1:0] data
);
  localparam int LANES = DATA / 8 / BYTES;
  localparam int LANE = LANES > 1 ? $clog2(LANES) : 1;
  localparam int WIDE = BITS > LANE ? BITS + 1 : LANE + 1;
  localparam int SPACE = $clog2(ROOM + 1);

  logic more, room, take, pop;
  logic [WIDE-1:0] rounded;
  assign rounded = WIDE'(count) + WIDE'(LANES - 1);
  spindle_axi_bursts #(.BYTES(DATA / 8), .BITS(BITS), .BURST(BURST)) bursts (
      .clk, .rst, .start, .base, .count(BITS'(rounded >> $clog2(LANES))), .busy(more), .valid(room), .ready(granted), .address, .length);

  // Words that have come or will come, and have not been used up.
  logic [SPACE-1:0] reserved;
  assign asks = more && reserved <= SPACE'(ROOM - BURST);

  logic [DATA-1:0] head;
  logic filled;
  spindle_fifo #(.WIDTH(DATA), .DEPTH(ROOM)) queue (
      .clk, .rst, .push(comes), .wdata(word), .pop, .room(filled), .valid, .head);

  logic [BITS-1:0] left;
  logic [LANE-1:0] lane;
  assign data = (8 * BYTES)'(head >> (32'(lane) * 8 * BYTES));
  assign take = valid & ready;
  assign pop  = take && (lane == LANE'(LANES - 1) || left == BITS'(1));
  assign busy = left != 0;

  always_ff @(posedge clk) begin
    if (start) begin
      left <= count;
      lane <= '0;
    end else if (take) begin
      left <= left - BITS'(1);
      lane <= LANES == 1 ? '0 : lane + LANE'(1);
    end
    reserved <= reserved + (granted ? SPACE'(length) + SPACE'(1) : '0) - SPACE'(pop);
    if (rst) begin
      left     <= '0;
      reserved <= '0;
    end
  end

  logic unused;
  assign unused = &{1'b0, room, filled, rounded[WIDE-1]};
endmodule
