// Writes a stream of `count` elements of BYTES bytes to `base`, a multiple of DATA / 8, through a channel that others use, too.
// `start` is a pulse while not busy; `busy` falls with the last answer. It asks for a burst (`asks`, `address`, `length`, held until `granted`) only when
// it holds all of its words: so it gives one (`word`, `strobes`) whenever the channel `takes` it, and nobody behind it waits for its stream.
// Elements are gathered to words; the lanes behind the last element are not written. `answered` is a pulse for each burst.
// Bursts as in spindle_axi_bursts, of words. BYTES divides DATA / 8, both powers of two; ROOM is at least BURST; BITS are those of `count`.
module spindle_memory_writer #(
    parameter int DATA  = 64,
    parameter int BYTES = 8,
    parameter int BURST = 16,
    parameter int BITS  = 32,
    parameter int ROOM  = 32
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
    input  logic               takes,
    output logic [DATA-1:0]    word,
    output logic [DATA/8-1:0]  strobes,
    input  logic               answered,
    input  logic               valid,
    output logic               ready,
    input  logic [8*BYTES-1:0] data
);
  localparam int LANES = DATA / 8 / BYTES;
  localparam int LANE = LANES > 1 ? $clog2(LANES) : 1;
  localparam int WIDE = BITS > LANE ? BITS + 1 : LANE + 1;
  localparam int SPACE = $clog2(ROOM + 1) > 9 ? $clog2(ROOM + 1) : 9;

  logic more, burst, room, filled, take, push;
  logic [WIDE-1:0] rounded;
  logic [BITS-1:0] all;  // words
  assign rounded = WIDE'(count) + WIDE'(LANES - 1);
  assign all = BITS'(rounded >> $clog2(LANES));
  spindle_axi_bursts #(.BYTES(DATA / 8), .BITS(BITS), .BURST(BURST)) bursts (
      .clk, .rst, .start, .base, .count(all), .busy(more), .valid(burst), .ready(granted), .address, .length);

  logic [BITS-1:0] left, words_left, pending;  // elements to come, words to leave, bursts without answer
  logic [LANE-1:0] lane, last_lane;        // of the next element, of the last one
  logic [DATA-1:0] gathered, whole;
  logic [SPACE-1:0] stored;                // words that no burst has been granted for
  assign ready = left != 0 && room;
  assign take  = valid & ready;
  assign push  = take && (lane == LANE'(LANES - 1) || left == BITS'(1));
  assign whole = gathered | (DATA'(data) << (32'(lane) * 8 * BYTES));
  spindle_fifo #(.WIDTH(DATA), .DEPTH(ROOM)) queue (
      .clk, .rst, .push, .wdata(whole), .pop(takes), .room, .valid(filled), .head(word));

  assign asks    = burst && stored > SPACE'(length);
  assign strobes = words_left == BITS'(1) ? ~(~(DATA / 8)'(0) << ((32'(last_lane) + 32'd1) * BYTES)) : '1;
  assign busy    = more || left != 0 || pending != 0;

  always_ff @(posedge clk) begin
    if (start) begin
      left       <= count;
      words_left <= all;
      last_lane  <= LANE'(count) - LANE'(1);
      lane       <= '0;
      gathered   <= '0;
    end else begin
      if (take) begin
        left     <= left - BITS'(1);
        lane     <= LANES == 1 ? '0 : lane + LANE'(1);
        gathered <= push ? '0 : whole;
      end
      if (takes) words_left <= words_left - BITS'(1);
    end
    stored  <= stored + SPACE'(push) - (granted ? SPACE'(length) + SPACE'(1) : '0);
    pending <= pending + BITS'(granted) - BITS'(answered);
    if (rst) begin
      left    <= '0;
      stored  <= '0;
      pending <= '0;
    end
  end

  logic unused;
  assign unused = &{1'b0, filled, rounded[WIDE-1]};
endmodule
