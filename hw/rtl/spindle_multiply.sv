// product = a * b, unsigned, in rows of 24 bits of b and columns of 17 bits of a: what one DSP block of a 7-series
// device multiplies. The blocks of a row form a chain in which each adds the upper part of the sum before it, so that
// a row needs no other logic. A rest of a of at most 4 bits is left to LUTs. Carry chains add the rows.
// ROWS (0 or more) registers stand behind the rows; the product has none.
// Latency ROWS, initiation interval 1; ce = 0 holds every register.
// Uses spindle_cut.
module spindle_multiply #(
    parameter int A    = 24,
    parameter int B    = 24,
    parameter int ROWS = 0
) (
    input  logic           clk,
    input  logic           ce,
    input  logic [  A-1:0] a,
    input  logic [  B-1:0] b,
    output logic [A+B-1:0] product
);
  localparam int COLUMN = 17;
  localparam int ROW = 24;
  localparam int REST = A > COLUMN && A % COLUMN <= 4 ? A % COLUMN : 0;
  localparam int COLUMNS = (A - REST + COLUMN - 1) / COLUMN;
  localparam int WIDE = COLUMNS * COLUMN;  // of the columns, beyond a where a has no rest
  localparam int COUNT = (B + ROW - 1) / ROW;
  localparam int HIGH = COUNT * ROW;
  localparam int SUM = COLUMN + ROW + 1;

  logic [WIDE+REST-1:0] wide_a;
  logic [HIGH-1:0] wide_b;
  logic [COUNT*(WIDE+ROW)-1:0] rows, kept_rows;
  assign wide_a = (WIDE + REST)'(a);
  assign wide_b = HIGH'(b);
  always_comb begin
    for (int row = 0; row < COUNT; row++) begin
      logic [SUM-1:0] sum;
      sum = '0;
      for (int column = 0; column < COLUMNS; column++) begin
        sum = SUM'(wide_a[column*COLUMN+:COLUMN]) * SUM'(wide_b[row*ROW+:ROW]) + (sum >> COLUMN);
        rows[row*(WIDE+ROW)+column*COLUMN+:COLUMN] = sum[COLUMN-1:0];
      end
      rows[row*(WIDE+ROW)+WIDE+:ROW] = sum[COLUMN+:ROW];
    end
  end
  spindle_cut #(.WIDTH(COUNT * (WIDE + ROW)), .STAGES(ROWS)) cut_rows (.clk, .ce, .d(rows), .q(kept_rows));

  logic [WIDE+HIGH+REST-1:0] rest, sum_of_rows;
  generate
    if (REST > 0) begin : gen_rest
      logic [REST+B-1:0] sum, kept;
      always_comb begin
        sum = '0;
        for (int i = 0; i < REST; i++) sum = sum + ({{REST{1'b0}}, b & {B{a[A-REST+i]}}} << i);
      end
      spindle_cut #(.WIDTH(REST + B), .STAGES(ROWS)) cut_rest (.clk, .ce, .d(sum), .q(kept));
      assign rest = (WIDE + HIGH + REST)'({kept, {WIDE{1'b0}}});
    end else begin : gen_none
      assign rest = '0;
    end
  endgenerate

  always_comb begin
    sum_of_rows = rest;
    for (int row = COUNT - 1; row >= 0; row--)
      sum_of_rows = sum_of_rows + ((WIDE + HIGH + REST)'(kept_rows[row*(WIDE+ROW)+:WIDE+ROW]) << (row * ROW));
  end
  assign product = sum_of_rows[A+B-1:0];
  generate
    if (WIDE + HIGH + REST > A + B) begin : gen_zeros
      logic unused;
      assign unused = |sum_of_rows[WIDE+HIGH+REST-1:A+B];
    end
  endgenerate
endmodule
