// Counts the zeros above the highest one of x; combinational, a tree of depth log2(WIDTH).
// `count` is WIDTH rounded up to a power of two, minus one, where x is 0.
// COUNT must be $clog2(WIDTH).
module spindle_leading_zeros #(
    parameter int WIDTH = 24,
    parameter int COUNT = $clog2(WIDTH)
) (
    input  logic [WIDTH-1:0] x,
    output logic [COUNT-1:0] count
);
  localparam int LEAVES = 1 << COUNT;
  // A node is a range of bits: whether it holds a one, and how many zeros precede that.
  // Each level pairs the nodes of the level below, in place.
  logic [LEAVES-1:0] nonzero;
  logic [LEAVES*COUNT-1:0] zeros;
  always_comb begin
    nonzero = {x, {LEAVES - WIDTH{1'b0}}};
    zeros   = '0;
    for (int level = 0; level < COUNT; level++)
      for (int node = 0; node < (LEAVES >> (level + 1)); node++) begin
        zeros[node*COUNT+:COUNT] = nonzero[2*node+1] ? zeros[(2*node+1)*COUNT+:COUNT]
            : zeros[2*node*COUNT+:COUNT] | COUNT'(1 << level);
        nonzero[node] = nonzero[2*node+1] | nonzero[2*node];
      end
  end
  assign count = zeros[COUNT-1:0];
endmodule
