// Floating-point dividers and square roots, each with operands of its own; the order is that of DivideTest.cpp:
// f32 and f64 in turn, of each first the dividers.
module divide_bench (
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
      // Two that go round, a pipeline.
      localparam int KIND = i / 4;
      localparam int LATENCY = i % 2 == 0 ? (KIND == 0 ? 12 : KIND == 1 ? 10 : 8)
          : (KIND == 0 ? 31 : KIND == 1 ? 22 : 17);
      localparam int INTERVAL = KIND >= 2 ? 1 : i % 4 < 2 ? LATENCY - 3 : LATENCY - 2;
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
