// The read half of an AXI4 master that READERS (spindle_memory_reader) share: bursts are granted in turn, one per cycle, MOST of them under way.
// Answers come in the order of the requests (one identifier); each word goes to the reader whose burst it is of, which has room for it.
// `error` tells of an answer other than OKAY since `clear`.
module spindle_read_channel #(
    parameter int READERS = 2,
    parameter int DATA    = 64,
    parameter int MOST    = 16
) (
    input  logic                  clk,
    input  logic                  rst,
    input  logic                  clear,
    output logic                  error,
    input  logic [READERS-1:0]    asks,
    output logic [READERS-1:0]    granted,
    input  logic [64*READERS-1:0] addresses,
    input  logic [8*READERS-1:0]  lengths,
    output logic [READERS-1:0]    comes,
    output logic [DATA-1:0]       word,
    output logic                  arvalid,
    input  logic                  arready,
    output logic [63:0]           araddr,
    output logic [7:0]            arlen,
    output logic [2:0]            arsize,
    output logic [1:0]            arburst,
    input  logic                  rvalid,
    output logic                  rready,
    input  logic [DATA-1:0]       rdata,
    input  logic [1:0]            rresp,
    input  logic                  rlast
);
  logic room, owned, grants;
  logic [READERS-1:0] chosen, owner;
  spindle_turns #(.COUNT(READERS)) turns (.clk, .rst, .asks, .take(grants), .chosen);
  assign grants  = (!arvalid || arready) && room && asks != '0;
  assign granted = grants ? chosen : '0;
  spindle_fifo #(.WIDTH(READERS), .DEPTH(MOST)) owners (
      .clk, .rst, .push(grants), .wdata(chosen), .pop(owned & rvalid & rlast), .room, .valid(owned), .head(owner));

  logic [63:0] address;
  logic [7:0] length;
  always_comb begin
    address = '0;
    length  = '0;
    for (int i = 0; i < READERS; i++)
      if (chosen[i]) begin
        address = address | addresses[64*i+:64];
        length  = length | lengths[8*i+:8];
      end
  end

  assign arsize  = 3'($clog2(DATA / 8));
  assign arburst = 2'b01;
  assign rready  = 1'b1;
  assign word    = rdata;
  assign comes   = rvalid && owned ? owner : '0;  // what nobody asked for since a reset is dropped

  always_ff @(posedge clk) begin
    if (grants) begin
      araddr <= address;
      arlen  <= length;
    end
    if (grants) arvalid <= 1'b1;
    else if (arready) arvalid <= 1'b0;
    if (clear) error <= 1'b0;
    else if (rvalid && rresp != 2'b00) error <= 1'b1;
    if (rst) begin
      arvalid <= 1'b0;
      error   <= 1'b0;
    end
  end
endmodule
