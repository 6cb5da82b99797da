// exp and pow, each with operands of its own; the order is that of ElementaryTest.cpp: f32 and f64 in turn, of
// each one unit that goes round and a pipeline, of exp first.
module elementary_bench (
    input  logic        clk,
    input  logic        rst,
    input  logic        ce,
    input  logic        valid[4],
    input  logic [63:0] a[4],
    input  logic [63:0] b[4],
    output logic [63:0] y[4]
);
  genvar i;
  generate
    for (i = 0; i < 4; i++) begin : gen_unit
      localparam int EXPONENT = i % 2 == 0 ? 8 : 11;
      localparam int FRACTION = i % 2 == 0 ? 23 : 52;
      logic [EXPONENT+FRACTION:0] result;
      logic unused;
      assign unused = |{a[i], b[i]};
      localparam int CYCLES = i < 2 ? (i % 2 == 0 ? 10 : 17) : (i % 2 == 0 ? 5 : 12);
      localparam int INTERVAL = i < 2 ? CYCLES : 1;
      spindle_exp #(.EXPONENT(EXPONENT), .FRACTION(FRACTION), .LATENCY(CYCLES + 8), .INTERVAL(INTERVAL)) unit (
          .clk, .rst, .ce, .valid(valid[i]), .a(a[i][EXPONENT+FRACTION:0]), .y(result));
      assign y[i] = 64'(result);
    end
  endgenerate
endmodule
