// Integer multipliers and dividers, each with operands of its own; the order is that of IntegerTest.cpp.
module integer_bench (
    input  logic        clk,
    input  logic        rst,
    input  logic        ce,
    input  logic        valid[30],
    input  logic [63:0] a[30],
    input  logic [63:0] b[30],
    output logic [63:0] y[30]
);
  genvar i;
  generate
    for (i = 0; i < 10; i++) begin : gen_multiply
      localparam int WIDTH = i < 2 ? 8 : i < 4 ? 16 : i < 7 ? 32 : 64;
      localparam int LATENCY = i < 4 ? 1 + i % 2 : i < 7 ? i - 3 : i - 5;
      logic [WIDTH-1:0] product;
      logic unused;
      assign unused = |{valid[i], a[i], b[i]};
      spindle_muli #(.WIDTH(WIDTH), .LATENCY(LATENCY)) unit (
          .clk, .ce, .a(a[i][WIDTH-1:0]), .b(b[i][WIDTH-1:0]), .y(product));
      assign y[i] = 64'(product);
    end
    // Of each width: divsi, divui, remsi, remui; 32 bits also as pipelines.
    for (i = 0; i < 14; i++) begin : gen_divide
      localparam int WIDTH = i < 4 ? 32 : i < 8 ? 64 : i < 12 ? 32 : i == 12 ? 8 : 16;
      localparam int LATENCY = i < 4 ? 18 : i < 8 ? 34 : i < 12 ? 5 + 3 * (i - 8) : i == 12 ? 3 : 18;
      localparam int INTERVAL = i < 8 || i == 13 ? LATENCY - 2 : 1;
      logic [WIDTH-1:0] result;
      logic unused;
      assign unused = |{a[10+i], b[10+i]};
      spindle_divi #(.WIDTH(WIDTH), .SIGNED(1 - i % 2), .REMAINDER(i % 4 / 2), .LATENCY(LATENCY), .INTERVAL(INTERVAL)) unit (
          .clk, .rst, .ce, .valid(valid[10+i]), .a(a[10+i][WIDTH-1:0]), .b(b[10+i][WIDTH-1:0]), .y(result));
      assign y[10+i] = 64'(result);
    end
    // Narrow factors, signed.
    for (i = 0; i < 6; i++) begin : gen_narrow
      localparam int WIDTH = i == 0 || i == 3 ? 32 : 64;
      localparam int LATENCY = i < 2 ? 1 : i == 5 ? 3 : 2;
      localparam int A = i < 2 ? 18 : i == 3 ? 7 : i == 5 ? 64 : 33;
      localparam int B = i < 2 ? 25 : i == 3 ? 32 : i == 5 ? 20 : 33;
      logic [WIDTH-1:0] product;
      logic unused;
      assign unused = |{valid[24+i], a[24+i], b[24+i]};
      spindle_muli #(.WIDTH(WIDTH), .LATENCY(LATENCY), .A(A), .B(B)) unit (
          .clk, .ce, .a(a[24+i][A-1:0]), .b(b[24+i][B-1:0]), .y(product));
      assign y[24+i] = 64'(product);
    end
  endgenerate
endmodule
