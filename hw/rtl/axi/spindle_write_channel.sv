// The write half of an AXI4 master that WRITERS (spindle_memory_writer) share: bursts are granted in turn, and the words of one follow those of the
// other without a gap. A writer that is granted a burst holds all of its words. Answers come in the order of the bursts (one identifier).
// `error` tells of an answer other than OKAY since `clear`.
module spindle_write_channel #(
    parameter int WRITERS = 2,
    parameter int DATA    = 64,
    parameter int MOST    = 16
) (
    input  logic                      clk,
    input  logic                      rst,
    input  logic                      clear,
    output logic                      error,
    input  logic [WRITERS-1:0]        asks,
    output logic [WRITERS-1:0]        granted,
    input  logic [64*WRITERS-1:0]     addresses,
    input  logic [8*WRITERS-1:0]      lengths,
    output logic [WRITERS-1:0]        takes,
    input  logic [DATA*WRITERS-1:0]   words,
    input  logic [DATA/8*WRITERS-1:0] strobes,
    output logic [WRITERS-1:0]        answered,
    output logic                      awvalid,
    input  logic                      awready,
    output logic [63:0]               awaddr,
    output logic [7:0]                awlen,
    output logic [2:0]                awsize,
    output logic [1:0]                awburst,
    output logic                      wvalid,
    input  logic                      wready,
    output logic [DATA-1:0]           wdata,
    output logic [DATA/8-1:0]         wstrb,
    output logic                      wlast,
    input  logic                      bvalid,
    output logic                      bready,
    input  logic [1:0]                bresp
);
  logic room, owned, grants;
  logic [WRITERS-1:0] chosen, answers;
  logic [WRITERS-1:0] sender;  // whose words go
  logic [7:0] left;            // of them, behind the one now
  spindle_turns #(.COUNT(WRITERS)) turns (.clk, .rst, .asks, .take(grants), .chosen);
  assign grants  = (!awvalid || awready) && (!wvalid || (wready && wlast)) && room && asks != '0;
  assign granted = grants ? chosen : '0;
  spindle_fifo #(.WIDTH(WRITERS), .DEPTH(MOST)) owners (
      .clk, .rst, .push(grants), .wdata(chosen), .pop(owned & bvalid), .room, .valid(owned), .head(answers));

  logic [63:0] address;
  logic [7:0] length;
  always_comb begin
    address = '0;
    length  = '0;
    wdata   = '0;
    wstrb   = '0;
    for (int i = 0; i < WRITERS; i++) begin
      if (chosen[i]) begin
        address = address | addresses[64*i+:64];
        length  = length | lengths[8*i+:8];
      end
      if (sender[i]) begin
        wdata = wdata | words[DATA*i+:DATA];
        wstrb = wstrb | strobes[DATA/8*i+:DATA/8];
      end
    end
  end

  assign awsize   = 3'($clog2(DATA / 8));
  assign awburst  = 2'b01;
  assign wlast    = left == '0;
  assign takes    = wvalid && wready ? sender : '0;
  assign bready   = 1'b1;
  assign answered = bvalid && owned ? answers : '0;

  always_ff @(posedge clk) begin
    if (grants) begin
      awaddr <= address;
      awlen  <= length;
      sender <= chosen;
      left   <= length;
    end else if (wvalid && wready) left <= left - 8'd1;
    if (grants) awvalid <= 1'b1;
    else if (awready) awvalid <= 1'b0;
    if (grants) wvalid <= 1'b1;
    else if (wready && wlast) wvalid <= 1'b0;
    if (clear) error <= 1'b0;
    else if (bvalid && bresp != 2'b00) error <= 1'b1;
    if (rst) begin
      awvalid <= 1'b0;
      wvalid  <= 1'b0;
      error   <= 1'b0;
    end
  end
endmodule
