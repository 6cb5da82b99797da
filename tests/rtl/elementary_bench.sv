// exp and pow, each with operands of its own; the order is that of ElementaryTest.cpp: f32 and f64 in turn, of
// each one unit that goes round and a pipeline, of exp first.
module elementary_bench (
    input  logic        clk,
    input  logic        rst,
    input  logic        ce,
    input  logic        valid[8],
    input  logic [63:0] a[8],
    input  logic [63:0] b[8],
    output logic [63:0] y[8]
);
  genvar i;
  generate
    for (i = 0; i < 8; i++) begin : gen_unit
      localparam int EXPONENT = i % 2 == 0 ? 8 : 11;
      localparam int FRACTION = i % 2 == 0 ? 23 : 52;
      logic [EXPONENT+FRACTION:0] result;
      logic unused;
      assign unused = |{a[i], b[i]};
      localparam bit GOES_ROUND = i < 4;
      localparam int CYCLES = GOES_ROUND ? (i % 2 == 0 ? 11 : 18) : (i % 2 == 0 ? 5 : 12);
      localparam int INTERVAL = GOES_ROUND ? CYCLES : 1;
      if (i % 4 < 2) begin : gen_exp
        spindle_exp #(.EXPONENT(EXPONENT), .FRACTION(FRACTION), .LATENCY(CYCLES + 8), .INTERVAL(INTERVAL)) unit (
            .clk, .rst, .ce, .valid(valid[i]), .a(a[i][EXPONENT+FRACTION:0]), .y(result));
      end else begin : gen_pow
        spindle_powf #(.EXPONENT(EXPONENT), .FRACTION(FRACTION), .LATENCY(2 * CYCLES + 20 + i / 4), .INTERVAL(INTERVAL)) unit (
            .clk, .rst, .ce, .valid(valid[i]), .a(a[i][EXPONENT+FRACTION:0]), .b(b[i][EXPONENT+FRACTION:0]), .y(result));
      end
      assign y[i] = 64'(result);
    end
  endgenerate
endmodule
