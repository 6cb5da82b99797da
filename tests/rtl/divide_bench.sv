// Floating-point dividers and square roots, each with operands of its own; the order is that of DivideTest.cpp:
// f32 and f64 in turn, of each first the dividers.
module divide_bench (
    input  logic        clk,
    input  logic        rst,
    input  logic        ce,
    input  logic        valid[20],
    input  logic [63:0] a[20],
    input  logic [63:0] b[20],
    output logic [63:0] y[20]
);
  genvar i;
  generate
    for (i = 0; i < 20; i++) begin : gen_unit
      localparam int EXPONENT = i % 2 == 0 ? 8 : 11;
      localparam int FRACTION = i % 2 == 0 ? 23 : 52;
      // Two that go round, a pipeline, one of stages that go round, and the pipeline of the target.
      localparam int KIND = i / 4;
      localparam int OTHER = i % 4 < 2 ? 3 : 2;  // cycles that are no steps
      localparam int LATENCY = i % 2 == 0 ? (KIND == 0 ? 12 : KIND == 1 ? 10 : KIND == 2 ? 8 : KIND == 3 ? OTHER + 9 : 12)
          : (KIND == 0 ? 31 : KIND == 1 ? 22 : KIND == 2 ? 17 : KIND == 3 ? OTHER + 28 : 31);
      localparam int INTERVAL = KIND == 2 || KIND == 4 ? 1 : KIND == 3 ? (i % 2 == 0 ? 3 : 7) : LATENCY - OTHER;
      logic [EXPONENT+FRACTION:0] result;
      logic unused;
      if (i % 4 < 2) begin : gen_divide
        assign unused = |{a[i], b[i]};
        spindle_divf #(.EXPONENT(EXPONENT), .FRACTION(FRACTION), .LATENCY(LATENCY), .INTERVAL(INTERVAL)) unit (
            .clk, .rst, .ce, .valid(valid[i]), .a(a[i][EXPONENT+FRACTION:0]), .b(b[i][EXPONENT+FRACTION:0]), .y(result));
      end else begin : gen_root
        assign unused = |{a[i], b[i]};
        spindle_sqrt #(.EXPONENT(EXPONENT), .FRACTION(FRACTION), .LATENCY(LATENCY), .INTERVAL(INTERVAL)) unit (
            .clk, .rst, .ce, .valid(valid[i]), .a(a[i][EXPONENT+FRACTION:0]), .y(result));
      end
      assign y[i] = 64'(result);
    end
  endgenerate
endmodule
