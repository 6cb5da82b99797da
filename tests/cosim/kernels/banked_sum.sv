// y[i] += 1 for 7 numbers in two banks, even ones in bank 0; the result is their sum before. Clock enable; 6 cycles.
module banked_sum (
    input  logic        clk,
    input  logic        rst,
    input  logic        ce,
    input  logic        start,
    output logic        idle,
    output logic        done,
    output logic        arg0_b0_p0_en,
    output logic        arg0_b0_p0_we,
    output logic [ 1:0] arg0_b0_p0_addr,
    output logic [15:0] arg0_b0_p0_wdata,
    input  logic [15:0] arg0_b0_p0_rdata,
    output logic        arg0_b0_p1_en,
    output logic        arg0_b0_p1_we,
    output logic [ 1:0] arg0_b0_p1_addr,
    output logic [15:0] arg0_b0_p1_wdata,
    input  logic [15:0] arg0_b0_p1_rdata,
    output logic        arg0_b1_p0_en,
    output logic        arg0_b1_p0_we,
    output logic [ 1:0] arg0_b1_p0_addr,
    output logic [15:0] arg0_b1_p0_wdata,
    input  logic [15:0] arg0_b1_p0_rdata,
    output logic        arg0_b1_p1_en,
    output logic        arg0_b1_p1_we,
    output logic [ 1:0] arg0_b1_p1_addr,
    output logic [15:0] arg0_b1_p1_wdata,
    input  logic [15:0] arg0_b1_p1_rdata,
    output logic [15:0] result0
);
  logic reading, valid, finished;
  logic [1:0] address, address1;
  logic [15:0] sum;
  wire odd = valid & address1 != 3;

  assign idle    = !(reading | valid | finished);
  assign done    = finished;
  assign result0 = sum;
  assign {arg0_b0_p0_en, arg0_b0_p0_we, arg0_b0_p0_addr, arg0_b0_p0_wdata} = {reading, 1'b0, address, 16'd0};
  assign {arg0_b1_p0_en, arg0_b1_p0_we, arg0_b1_p0_addr, arg0_b1_p0_wdata} = {reading & address != 3, 1'b0, address, 16'd0};
  assign {arg0_b0_p1_en, arg0_b0_p1_we, arg0_b0_p1_addr, arg0_b0_p1_wdata} = {valid, 1'b1, address1, arg0_b0_p0_rdata + 16'd1};
  assign {arg0_b1_p1_en, arg0_b1_p1_we, arg0_b1_p1_addr, arg0_b1_p1_wdata} = {odd, 1'b1, address1, arg0_b1_p0_rdata + 16'd1};

  always_ff @(posedge clk)
    if (rst) begin
      reading  <= 1'b0;
      valid    <= 1'b0;
      finished <= 1'b0;
    end else if (ce) begin
      if (start) begin
        reading <= 1'b1;
        address <= '0;
        sum     <= '0;
      end else if (reading) begin
        address <= address + 1;
        reading <= address != 3;
      end
      valid    <= reading;
      address1 <= address;
      finished <= valid & address1 == 3;
      if (valid) sum <= sum + arg0_b0_p0_rdata + (odd ? arg0_b1_p0_rdata : 16'd0);
    end
endmodule
