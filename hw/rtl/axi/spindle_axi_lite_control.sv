// Control of a kernel from an AXI4-Lite bus of 32 bits. Registers, by byte address:
//   0x00  control: bit 0 start (write 1, while idle), bit 1 done (cleared by reading), bit 2 idle, bit 3 bus error of the last run,
//         bit 4 keep (written with start, reads as zero)
//   0x04  interrupt enable: bit 0
//   0x08  interrupt pending: bit 0, write 1 to clear
//   0x10 + 8 i                  argument i, i < ARGUMENTS: low 32 bits, then high 32 bits
//   0x10 + 8 (ARGUMENTS + i)    result i, i < RESULTS, read only
// Others read as zero, writes to them are ignored; the response is always OKAY.
// `start` is a pulse; `done` is one; `irq` is a level. `keep` is what was written with the last start, from that pulse on. One write and one read are worked on at a time, each two cycles.
module spindle_axi_lite_control #(
    parameter int ARGUMENTS = 1,  // at least 1
    parameter int RESULTS   = 1,  // at least 1
    parameter int ADDRESS   = 8   // bits of an address
) (
    input  logic                    clk,
    input  logic                    rst,
    input  logic                    awvalid,
    output logic                    awready,
    input  logic [ADDRESS-1:0]      awaddr,
    input  logic                    wvalid,
    output logic                    wready,
    input  logic [31:0]             wdata,
    input  logic [3:0]              wstrb,
    output logic                    bvalid,
    input  logic                    bready,
    output logic [1:0]              bresp,
    input  logic                    arvalid,
    output logic                    arready,
    input  logic [ADDRESS-1:0]      araddr,
    output logic                    rvalid,
    input  logic                    rready,
    output logic [31:0]             rdata,
    output logic [1:0]              rresp,
    output logic [64*ARGUMENTS-1:0] arguments,
    input  logic [64*RESULTS-1:0]   results,
    output logic                    start,
    output logic                    keep,
    input  logic                    idle,
    input  logic                    done,
    input  logic                    error,
    output logic                    irq
);
  localparam int WORDS = 4 + 2 * ARGUMENTS + 2 * RESULTS;

  logic is_done, is_enabled, is_pending;
  logic write, read;
  logic [ADDRESS-3:0] write_word, read_word;
  assign write      = awvalid & wvalid & ~bvalid;
  assign read       = arvalid & ~rvalid;
  assign awready    = write;
  assign wready     = write;
  assign arready    = ~rvalid;
  assign write_word = awaddr[ADDRESS-1:2];
  assign read_word  = araddr[ADDRESS-1:2];
  assign bresp      = 2'b00;
  assign rresp      = 2'b00;
  assign irq  = is_enabled & is_pending;

  // All registers in a row, to choose from.
  logic [32*WORDS-1:0] words;
  assign words = {results, arguments, 32'd0, 31'd0, is_pending, 31'd0, is_enabled, 28'd0, error, idle, is_done, 1'b0};

  always_ff @(posedge clk) begin
    start <= 1'b0;
    if (write) begin
      bvalid <= 1'b1;
      if (write_word == 0 && wstrb[0]) begin
        start <= wdata[0] & idle;
        if (wdata[0] & idle) keep <= wdata[4];
      end
      if (write_word == 1 && wstrb[0]) is_enabled <= wdata[0];
      for (int i = 0; i < 2 * ARGUMENTS; i++)
        for (int b = 0; b < 4; b++)
          if (write_word == (ADDRESS - 2)'(4 + i) && wstrb[b]) arguments[32*i+8*b+:8] <= wdata[8*b+:8];
    end else if (bready) bvalid <= 1'b0;

    if (read) begin
      rvalid <= 1'b1;
      rdata  <= '0;
      for (int i = 0; i < WORDS; i++) if (read_word == (ADDRESS - 2)'(i)) rdata <= words[32*i+:32];
    end else if (rready) rvalid <= 1'b0;

    if (done) is_done <= 1'b1;
    else if (read && read_word == 0) is_done <= 1'b0;
    if (done) is_pending <= 1'b1;
    else if (write && write_word == 2 && wstrb[0] && wdata[0]) is_pending <= 1'b0;

    if (rst) begin
      bvalid     <= 1'b0;
      rvalid     <= 1'b0;
      start      <= 1'b0;
      keep       <= 1'b0;
      is_done    <= 1'b0;
      is_enabled <= 1'b0;
      is_pending <= 1'b0;
      arguments  <= '0;
    end
  end

  logic unused;
  assign unused = &{1'b0, awaddr[1:0], araddr[1:0]};
endmodule
