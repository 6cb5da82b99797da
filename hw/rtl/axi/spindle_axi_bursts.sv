// The addresses of the bursts that cover `count` elements of BYTES bytes from `base`, for an AXI4 address channel.
// `start` (a pulse while not busy) takes `count` and `base`, a multiple of BYTES; then `valid`, `address`, `length` (beats minus one) hold until `ready`.
// Bursts end at multiples of BURST elements, so that none crosses 4 KiB; BURST is a power of two, BURST * BYTES at most 4096.
module spindle_axi_bursts #(
    parameter int BYTES = 4,
    parameter int BITS  = 16,
    parameter int BURST = 16
) (
    input  logic        clk,
    input  logic        rst,
    input  logic        start,
    input  logic [63:0] base,
    input  logic [BITS-1:0] count,
    output logic        busy,
    output logic        valid,
    input  logic        ready,
    output logic [63:0] address,
    output logic [7:0]  length
);
  localparam int SIZE = $clog2(BYTES);
  localparam int LONG = $clog2(BURST);
  localparam int WIDE = BITS > LONG + 1 ? BITS : LONG + 1;

  logic [WIDE-1:0] left, to_end, beats;
  assign to_end = WIDE'(BURST) - (WIDE'(address >> SIZE) & WIDE'(BURST - 1));
  assign beats  = left < to_end ? left : to_end;
  assign length = 8'(beats) - 8'd1;
  assign valid  = left != 0;
  assign busy   = valid;

  always_ff @(posedge clk) begin
    if (rst) left <= '0;
    else if (start) left <= WIDE'(count);
    else if (valid && ready) left <= left - beats;
    if (start) address <= base;
    else if (valid && ready) address <= address + (64'(beats) << SIZE);
  end
endmodule
