// Reads COUNT elements of BYTES bytes from `base` over AXI4 (read channels, one identifier) and passes them on as a stream.
// `start` is a pulse while not busy; `busy` falls when the last element has been taken. `error` tells of a response other than OKAY since start.
// Bursts as in spindle_axi_bursts; the next is requested before the data of the last has come. DATA is the width of the bus,
// at least 8 * BYTES; narrower elements come as narrow beats, one element each.
module spindle_axi_read #(
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
    output logic               arvalid,
    input  logic               arready,
    output logic [63:0]        araddr,
    output logic [7:0]         arlen,
    output logic [2:0]         arsize,
    output logic [1:0]         arburst,
    input  logic               rvalid,
    output logic               rready,
    input  logic [DATA-1:0]    rdata,
    input  logic [1:0]         rresp,
    input  logic               rlast,
    output logic               valid,
    input  logic               ready,
    output logic [8*BYTES-1:0] data
);
  localparam int BITS = $clog2(COUNT + 1);
  localparam int LANES = $clog2(DATA / 8) > 0 ? $clog2(DATA / 8) : 1;

  logic requests;
  spindle_axi_bursts #(.BYTES(BYTES), .BITS(BITS), .BURST(BURST)) bursts (
      .clk, .rst, .start, .base, .count(BITS'(COUNT)), .busy(requests), .valid(arvalid), .ready(arready), .address(araddr), .length(arlen));
  assign arsize  = 3'($clog2(BYTES));
  assign arburst = 2'b01;

  logic [BITS-1:0] left;
  logic [LANES-1:0] lane;
  assign valid  = rvalid;
  assign rready = ready;
  assign data   = (8 * BYTES)'(rdata >> {lane, 3'b000});
  assign busy   = left != 0;

  always_ff @(posedge clk) begin
    if (start) begin
      left  <= BITS'(COUNT);
      lane  <= LANES'(base);
      error <= 1'b0;
    end else if (rvalid && ready) begin
      left  <= left - BITS'(1);
      lane  <= lane + LANES'(BYTES);
      error <= error | rresp != 2'b00;
    end
    if (rst) begin
      left  <= '0;
      error <= 1'b0;
    end
  end

  logic unused;
  assign unused = &{1'b0, requests, rlast};
endmodule
