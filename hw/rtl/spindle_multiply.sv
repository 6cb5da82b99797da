// product = a * b, unsigned, in tiles of 17 by 24 bits: what one DSP block of a 7-series device multiplies.
// The tiles of one row (24 bits of b) are added first, then the rows; a remainder of b of at most THIN bits
// is left to adders of LUTs, no DSP block is spent on it.
// PRODUCTS and ROWS (0 or more) registers stand behind the tiles and behind the sums of rows; the product has none.
// Latency PRODUCTS + ROWS, initiation interval 1; ce = 0 holds every register.
// Uses spindle_cut.
module spindle_multiply #(
    parameter int A        = 24,
    parameter int B        = 24,
    parameter int PRODUCTS = 0,
    parameter int ROWS     = 0
) (
    input  logic           clk,
    input  logic           ce,
    input  logic [  A-1:0] a,
    input  logic [  B-1:0] b,
    output logic [A+B-1:0] product
);
  localparam int COLUMN = 17;
  localparam int ROW = 24;
  localparam int COLUMNS = (A + COLUMN - 1) / COLUMN;
  localparam int ROWS_OF_B = (B + ROW - 1) / ROW;

  logic [ROWS_OF_B*(A+B)-1:0] rows;  // sums of the rows, each at its place
  genvar row, column;
  generate
    for (row = 0; row < ROWS_OF_B; row++) begin : gen_row
      localparam int HIGH = (B - row * ROW) < ROW ? B - row * ROW : ROW;
      logic [COLUMNS*(A+HIGH)-1:0] tiles;
      for (column = 0; column < COLUMNS; column++) begin : gen_tile
        localparam int WIDE = (A - column * COLUMN) < COLUMN ? A - column * COLUMN : COLUMN;
        logic [WIDE+HIGH-1:0] tile, kept;
        assign tile = {{HIGH{1'b0}}, a[column*COLUMN+:WIDE]} * {{WIDE{1'b0}}, b[row*ROW+:HIGH]};
        spindle_cut #(.WIDTH(WIDE + HIGH), .STAGES(PRODUCTS)) cut_tile (.clk, .ce, .d(tile), .q(kept));
        always_comb begin
          tiles[column*(A+HIGH)+:A+HIGH] = '0;
          tiles[column*(A+HIGH)+column*COLUMN+:WIDE+HIGH] = kept;
        end
      end
      logic [A+HIGH-1:0] sum, kept;
      always_comb begin
        sum = '0;
        for (int i = 0; i < COLUMNS; i++) sum = sum + tiles[i*(A+HIGH)+:A+HIGH];
      end
      spindle_cut #(.WIDTH(A + HIGH), .STAGES(ROWS)) cut_row (.clk, .ce, .d(sum), .q(kept));
      always_comb begin
        rows[row*(A+B)+:A+B] = '0;
        rows[row*(A+B)+row*ROW+:A+HIGH] = kept;
      end
    end
  endgenerate
  always_comb begin
    product = '0;
    for (int i = 0; i < ROWS_OF_B; i++) product = product + rows[i*(A+B)+:A+B];
  end
endmodule
