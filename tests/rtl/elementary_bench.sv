// exp, pow and log, each with operands of its own; the order is that of ElementaryTest.cpp: units that go round, then
// pipelines, of each exp, pow and log, of each f32 and f64.
module elementary_bench (
    input  logic        clk,
    input  logic        rst,
    input  logic        ce,
    input  logic        valid[12],
    input  logic [63:0] a[12],
    input  logic [63:0] b[12],
    output logic [63:0] y[12]
);
  genvar i;
  generate
    for (i = 0; i < 12; i++) begin : gen_unit
      localparam int EXPONENT = i % 2 == 0 ? 8 : 11;
      localparam int FRACTION = i % 2 == 0 ? 23 : 52;
      logic [EXPONENT+FRACTION:0] result;
      logic unused;
      assign unused = |{a[i], b[i]};
      localparam bit GOES_ROUND = i < 6;
      localparam int CYCLES = GOES_ROUND ? (i % 2 == 0 ? 11 : 18) : (i % 2 == 0 ? 5 : 12);
      localparam int INTERVAL = GOES_ROUND ? CYCLES : 1;
      if (i % 6 < 2) begin : gen_exp
        spindle_exp #(.EXPONENT(EXPONENT), .FRACTION(FRACTION), .LATENCY(CYCLES + 8), .INTERVAL(INTERVAL)) unit (
            .clk, .rst, .ce, .valid(valid[i]), .a(a[i][EXPONENT+FRACTION:0]), .y(result));
      end else if (i % 6 < 4) begin : gen_pow
        spindle_powf #(.EXPONENT(EXPONENT), .FRACTION(FRACTION), .LATENCY(2 * CYCLES + 20 + i / 6), .INTERVAL(INTERVAL)) unit (
            .clk, .rst, .ce, .valid(valid[i]), .a(a[i][EXPONENT+FRACTION:0]), .b(b[i][EXPONENT+FRACTION:0]), .y(result));
      end else begin : gen_log
        spindle_log #(.EXPONENT(EXPONENT), .FRACTION(FRACTION), .LATENCY(CYCLES + 10), .INTERVAL(INTERVAL)) unit (
            .clk, .rst, .ce, .valid(valid[i]), .a(a[i][EXPONENT+FRACTION:0]), .y(result));
      end
      assign y[i] = 64'(result);
    end
  endgenerate
endmodule
