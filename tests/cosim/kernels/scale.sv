// x[i] *= s for 12 numbers: reads on port 0, writes on port 1 two cycles later; 14 cycles.
// The third scalar chooses a fault:
//   101 wrong value             106 register left out              111 idle while running
//   102 writes out of range     107 state of the run before        112 done twice
//   103 never done              108 reset leaves the pipeline      113 done with start
//   104 done too early          109 scalar sampled too late        114 not idle after reset
//   105 reads what is written   110 one cycle too many             115 reads out of range
module scale (
    input  logic        clk,
    input  logic        rst,
    input  logic        start,
    output logic        idle,
    output logic        done,
    output logic        arg0_b0_p0_en,
    output logic        arg0_b0_p0_we,
    output logic [ 3:0] arg0_b0_p0_addr,
    output logic [31:0] arg0_b0_p0_wdata,
    input  logic [31:0] arg0_b0_p0_rdata,
    output logic        arg0_b0_p1_en,
    output logic        arg0_b0_p1_we,
    output logic [ 3:0] arg0_b0_p1_addr,
    output logic [31:0] arg0_b0_p1_wdata,
    input  logic [31:0] arg0_b0_p1_rdata,
    input  logic [31:0] arg1,
    input  logic [31:0] arg2
);
  localparam int N = 12;
  logic [31:0] factor, fault, product;
  logic reading, valid1, valid2, again, kept, stuck;
  logic [3:0] address, address1, address2;

  wire last = valid2 & address2 == (fault == 104 ? N - 4 : N - 1);
  assign idle = !(reading | valid1 | valid2 | again | stuck) | fault == 111;
  assign done = (fault == 110 || fault == 103 ? again & fault == 110 : last) | (again & fault == 112) | (start & arg2 == 113);

  assign arg0_b0_p0_en    = reading;
  assign arg0_b0_p0_we    = 1'b0;
  assign arg0_b0_p0_addr  = fault == 105 && valid2 ? address2 : fault == 115 && address == 3 ? 4'd14 : address;
  assign arg0_b0_p0_wdata = '0;
  assign arg0_b0_p1_en    = valid2;
  assign arg0_b0_p1_we    = 1'b1;
  assign arg0_b0_p1_addr  = fault == 102 && address2 == 7 ? 4'd13 : address2;
  assign arg0_b0_p1_wdata = fault == 106 ? arg0_b0_p0_rdata * factor
      : fault == 101 && address2 == 5 ? product + 1 : product;

  always_ff @(posedge clk) begin
    if (start) begin
      fault   <= arg2;
      factor  <= arg1 + (arg2 == 107 ? 32'(kept) : 0);
      kept    <= 1'b1;
      reading <= 1'b1;
      address <= '0;
    end
    if (fault == 109 && valid1 && address1 == 0) factor <= arg1;
    if (reading) begin
      address <= address + 1;
      reading <= address != N - 1;
    end
    valid1   <= reading;
    address1 <= address;
    valid2   <= valid1;
    address2 <= address1;
    product  <= arg0_b0_p0_rdata * factor;
    again    <= last;
    stuck    <= 1'b0;
    if (rst & fault != 108) begin
      reading <= 1'b0;
      valid1  <= 1'b0;
      valid2  <= 1'b0;
      again   <= 1'b0;
      kept    <= 1'b0;
    end
    if (fault == 114) stuck <= rst | stuck;
    if (fault == 103) stuck <= last | stuck;
  end
endmodule
