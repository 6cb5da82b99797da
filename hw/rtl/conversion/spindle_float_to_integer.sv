// y = the IEEE 754 number a as an integer, rounded towards zero; INTEGER from 1 to 64 bits.
// arith leaves open what becomes of NaN and of numbers out of range; here, as in x86-64 code of LLVM without AVX-512:
// the conversion is done to a signed integer of CORE bits, 32 or 64, which gives the least one (1 and zeros) for all
// that it cannot hold, and the result is its low INTEGER bits. CORE is 32 up to INTEGER = 32 (31 for unsigned results).
// An unsigned 64-bit result holds numbers of 2^63 up to 2^64 too.
// Latency LATENCY (1 or more; 3 cuts every stage, more only delay), initiation interval 1.
// ce = 0 holds every register; there is no reset.
// Uses spindle_cut, spindle_float_unpack.
module spindle_float_to_integer #(
    parameter int EXPONENT = 8,
    parameter int FRACTION = 23,
    parameter int INTEGER  = 32,
    parameter bit SIGNED   = 1,
    parameter int LATENCY  = 2
) (
    input  logic                       clk,
    input  logic                       ce,
    input  logic [EXPONENT+FRACTION:0] a,
    output logic [        INTEGER-1:0] y
);
  // Where registers stand: {shifted, inputs}; the result has one always.
  localparam logic [1:0] CUTS = LATENCY <= 1 ? 2'b00 : LATENCY == 2 ? 2'b10 : 2'b11;
  localparam int LAST = LATENCY > 3 ? LATENCY - 2 : 1;
  localparam int CORE = INTEGER < 32 || (SIGNED && INTEGER == 32) ? 32 : 64;
  localparam int WIDE = CORE > FRACTION + 1 ? CORE : FRACTION + 1;
  localparam logic [EXPONENT-1:0] TOP = EXPONENT'((1 << (EXPONENT - 1)) - 2 + CORE);  // exponent of 2^(CORE-1)

  logic [EXPONENT+FRACTION:0] a0;
  spindle_cut #(.WIDTH(EXPONENT + FRACTION + 1), .STAGES(CUTS[0] ? 1 : 0)) cut_inputs (.clk, .ce, .d(a), .q(a0));

  logic sign0, zero0, infinite0, nan0;
  logic [EXPONENT-1:0] exponent0;
  logic [FRACTION:0] significand0;
  spindle_float_unpack #(.EXPONENT(EXPONENT), .FRACTION(FRACTION)) unpack (
      .number(a0), .sign(sign0), .exponent(exponent0), .significand(significand0), .zero(zero0), .infinite(infinite0),
      .nan(nan0));

  logic fits0;
  logic [WIDE-1:0] wide0, shifted0;
  assign fits0    = exponent0 < TOP || (!SIGNED && INTEGER == 64 && !sign0 && exponent0 == TOP);
  assign wide0    = {{WIDE - FRACTION - 1{1'b0}}, significand0} << (WIDE - FRACTION - 1);
  assign shifted0 = wide0 >> (TOP - exponent0);
  logic unused;
  assign unused = &{zero0, infinite0, nan0, shifted0};

  logic sign1, fits1;
  logic [CORE-1:0] magnitude1, integer1;
  spindle_cut #(.WIDTH(CORE + 2), .STAGES(CUTS[1] ? 1 : 0)) cut_shifted (
      .clk, .ce, .d({sign0, fits0, shifted0[WIDE-1-:CORE]}), .q({sign1, fits1, magnitude1}));
  assign integer1 = !fits1 ? {1'b1, {CORE - 1{1'b0}}} : sign1 ? -magnitude1 : magnitude1;
  logic unused_high;
  assign unused_high = &integer1;
  spindle_cut #(.WIDTH(INTEGER), .STAGES(LAST)) cut_result (.clk, .ce, .d(integer1[INTEGER-1:0]), .q(y));
endmodule
