// Writes a stream of COUNT elements of BYTES bytes to `base` over AXI4 (write channels, one identifier).
// `start` is a pulse while not busy; `busy` falls with the last response. `error` tells of a response other than OKAY since start.
// Bursts as in spindle_axi_bursts; data does not wait for addresses. DATA is the width of the bus, at least 8 * BYTES; narrower elements go
// as narrow beats, one element each. `valid` and `data` of the stream hold until `ready`.
module spindle_axi_write #(
    parameter int DATA  = 64,
    parameter int BYTES = 8,
    parameter int COUNT = 1,
    parameter int BURST = 16
) (
    input  logic               clk,
    input  logic               rst,
    input  logic               start,
    input  logic [63:0]        base,
    output logic               busy,
    output logic               error,
    output logic               awvalid,
    input  logic               awready,
    output logic [63:0]        awaddr,
    output logic [7:0]         awlen,
    output logic [2:0]         awsize,
    output logic [1:0]         awburst,
    output logic               wvalid,
    input  logic               wready,
    output logic [DATA-1:0]    wdata,
    output logic [DATA/8-1:0]  wstrb,
    output logic               wlast,
    input  logic               bvalid,
    output logic               bready,
    input  logic [1:0]         bresp,
    input  logic               valid,
    output logic               ready,
    input  logic [8*BYTES-1:0] data
);
  localparam int BITS = $clog2(COUNT + 1);
  localparam int LANES = $clog2(DATA / 8) > 0 ? $clog2(DATA / 8) : 1;
  localparam int LONG = $clog2(BURST) > 0 ? $clog2(BURST) : 1;

  logic requests;
  spindle_axi_bursts #(.BYTES(BYTES), .BITS(BITS), .BURST(BURST)) bursts (
      .clk, .rst, .start, .base, .count(BITS'(COUNT)), .busy(requests), .valid(awvalid), .ready(awready), .address(awaddr), .length(awlen));
  assign awsize  = 3'($clog2(BYTES));
  assign awburst = 2'b01;

  logic [BITS-1:0] left;
  logic [LONG-1:0] place;   // of the next element in its burst
  logic [LANES-1:0] lane;
  logic [BITS:0] pending;   // bursts without response
  logic sent, answered;
  assign wvalid   = valid & left != 0;
  assign ready    = wready & left != 0;
  assign wdata    = {(DATA / 8 / BYTES) {data}};
  assign wstrb    = (DATA / 8)'((1 << BYTES) - 1) << lane;
  assign wlast    = left == BITS'(1) || place == LONG'(BURST - 1);
  assign sent     = awvalid & awready;
  assign bready   = 1'b1;
  assign answered = bvalid;
  assign busy     = requests || left != 0 || pending != 0;

  always_ff @(posedge clk) begin
    if (start) begin
      left  <= BITS'(COUNT);
      lane  <= LANES'(base);
      place <= BURST == 1 ? '0 : LONG'(base >> $clog2(BYTES));
      error <= 1'b0;
    end else begin
      if (wvalid && wready) begin
        left  <= left - BITS'(1);
        lane  <= lane + LANES'(BYTES);
        place <= BURST == 1 ? '0 : place + LONG'(1);
      end
      if (answered) error <= error | bresp != 2'b00;
    end
    pending <= pending + (BITS + 1)'(sent) - (BITS + 1)'(answered);
    if (rst) begin
      left    <= '0;
      pending <= '0;
      error   <= 1'b0;
    end
  end
endmodule
