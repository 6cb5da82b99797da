// Logarithms that exp and pow add and subtract, in units of 2^-112, rounded down; combinational.
//   above = ln(1 + 2^-i), below = -ln(1 - 2^-i), i from 1 to 36; of other i they are 0
// The same as in hw/rtl/model/Logarithms.h.
module spindle_logarithms (
    input  logic [  7:0] i,
    output logic [111:0] above,
    output logic [111:0] below
);
  always_comb
    case (i)
      8'd1: {above, below} = {112'h67cc8fb2fe612fcada35d9bd0148, 112'hb17217f7d1cf79abc9e3b39803f2};
      8'd2: {above, below} = {112'h391fef8f353443584bb03de5ff73, 112'h49a58844d36e49e0efadd9db02aa};
      8'd3: {above, below} = {112'h1e27076e2af2e5e9ea87ffe1fe9e, 112'h222f1d044fc8f7bc671683f8e5bd};
      8'd4: {above, below} = {112'h0f85186008b15330be64b8b77599, 112'h108598b59e3a0688a3fd9bf50337};
      8'd5: {above, below} = {112'h07e0a6c39e0cc0133e3f04f1ef22, 112'h0820aec4f3a222380b9e3aea6c44};
      8'd6: {above, below} = {112'h03f815161f807c79f3db4e9a6f57, 112'h0408159624d611d27c8e8416e71e};
      8'd7: {above, below} = {112'h01fe02a6b106788fc37690391dc2, 112'h020202aeb11bce251998b505f3b4};
      8'd8: {above, below} = {112'h00ff805515885e0250435ab4da6a, 112'h010080559588b357e598e33d8d9d};
      8'd9: {above, below} = {112'h007fe00aa6ac4399e29e3a153e3b, 112'h0080200aaeac44ef38338f77605f};
      8'd10: {above, below} = {112'h003ff8015515621f7809a0a32499, 112'h0040080155956224cd5f35f87d21};
      8'd11: {above, below} = {112'h001ffe002aa6ab1106678ad8b318, 112'h002002002aaeab111bbce06e086e};
      8'd12: {above, below} = {112'h000fff8005551558885de026e271, 112'h001000800555955888b3357c77c7};
      8'd13: {above, below} = {112'h0007ffe000aaa6aac443999e2bc2, 112'h0008002000aaaeaac444eef38158};
      8'd14: {above, below} = {112'h0003fff80015551556221f77809b, 112'h0004000800155595562224ccd5f1};
      8'd15: {above, below} = {112'h0001fffe0002aaa6aab111066678, 112'h000200020002aaaeaab1111bbbce};
      8'd16: {above, below} = {112'h0000ffff80005555155588885dde, 112'h000100008000555595558888b333};
      8'd17: {above, below} = {112'h00007fffe0000aaaa6aaac444399, 112'h0000800020000aaaaeaaac4444ee};
      8'd18: {above, below} = {112'h00003ffff800015555155562221f, 112'h0000400008000155559555622224};
      8'd19: {above, below} = {112'h00001ffffe00002aaaa6aaab1111, 112'h000020000200002aaaaeaaab1111};
      8'd20: {above, below} = {112'h00000fffff800005555515555888, 112'h0000100000800005555595555888};
      8'd21: {above, below} = {112'h000007ffffe00000aaaaa6aaaac4, 112'h0000080000200000aaaaaeaaaac4};
      8'd22: {above, below} = {112'h000003fffff80000155555155556, 112'h0000040000080000155555955556};
      8'd23: {above, below} = {112'h000001fffffe000002aaaaa6aaaa, 112'h000002000002000002aaaaaeaaaa};
      8'd24: {above, below} = {112'h000000ffffff8000005555551555, 112'h0000010000008000005555559555};
      8'd25: {above, below} = {112'h0000007fffffe000000aaaaaa6aa, 112'h0000008000002000000aaaaaaeaa};
      8'd26: {above, below} = {112'h0000003ffffff800000155555515, 112'h0000004000000800000155555595};
      8'd27: {above, below} = {112'h0000001ffffffe0000002aaaaaa6, 112'h000000200000020000002aaaaaae};
      8'd28: {above, below} = {112'h0000000fffffff80000005555555, 112'h0000001000000080000005555555};
      8'd29: {above, below} = {112'h00000007ffffffe0000000aaaaaa, 112'h0000000800000020000000aaaaaa};
      8'd30: {above, below} = {112'h00000003fffffff8000000155555, 112'h0000000400000008000000155555};
      8'd31: {above, below} = {112'h00000001fffffffe00000002aaaa, 112'h000000020000000200000002aaaa};
      8'd32: {above, below} = {112'h00000000ffffffff800000005555, 112'h0000000100000000800000005555};
      8'd33: {above, below} = {112'h000000007fffffffe00000000aaa, 112'h0000000080000000200000000aaa};
      8'd34: {above, below} = {112'h000000003ffffffff80000000155, 112'h0000000040000000080000000155};
      8'd35: {above, below} = {112'h000000001ffffffffe000000002a, 112'h000000002000000002000000002a};
      8'd36: {above, below} = {112'h000000000fffffffff8000000005, 112'h0000000010000000008000000005};
      default: {above, below} = '0;
    endcase
endmodule
