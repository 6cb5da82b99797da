// Between a router and the circuit of a layer that takes events (docs/rationale/hardware.md, "In a tile"). A packet is one flit, the number of the
// neuron that has spiked. Those that come in are kept as bits until `step` says that the packets of a step are all there; then they go to the circuit
// as words, while the next step's come in. The word that the circuit gives back becomes packets, the lowest neuron first, one to each target that the
// table has for it. `done` is high in the cycle in which all of them are out; `step` before it is an error of the caller.
//   in_valid, in_ready, in_neuron    from the router; a packet in the cycle of `step` belongs to the next one
//   stray                            a packet came from a neuron that does not drive the layer; stays until the reset
//   table_*                          entry t of neuron n of the layer is n * TARGETS + t: {last, valid, tile}; to be written before the first step
//   out_valid, out_ready, out_*      to the router; held until ready
//   spike, spike_neuron              each spike of the layer once, in the cycle of its last packet
// Latency: the first word is offered in the cycle after `step`, the first packet in the cycle after spikes came back, then one in each cycle; a spike
// without a target takes a cycle, and so does `done`.
module spindle_network_interface #(
    parameter int INPUTS      = 1,   // neurons that drive the layer …
    parameter int FIRST_INPUT = 0,   // … and the number of the first one in the network
    parameter int IN_WORDS    = 1,   // of a step, with IN_BITS neurons each
    parameter int IN_BITS     = 1,
    parameter int NEURONS     = 1,   // of the layer
    parameter int FIRST       = 0,   // number of the first one in the network
    parameter int TARGETS     = 1,   // entries of the table for a neuron
    parameter int ENTRY       = NEURONS * TARGETS > 1 ? $clog2(NEURONS * TARGETS) : 1
) (
    input  logic                clk,
    input  logic                rst,
    input  logic                in_valid,
    output logic                in_ready,
    input  logic [31:0]         in_neuron,
    output logic                stray,
    input  logic                step,
    output logic                done,
    input  logic                table_write,
    input  logic [ENTRY-1:0]    table_entry,
    input  logic [17:0]         table_data,
    output logic                out_valid,
    input  logic                out_ready,
    output logic [31:0]         out_neuron,
    output logic [15:0]         out_tile,
    output logic                spike,
    output logic [31:0]         spike_neuron,
    output logic                word_valid,
    input  logic                word_ready,
    output logic [IN_BITS-1:0]  word,
    input  logic                spikes_valid,
    output logic                spikes_ready,
    input  logic [NEURONS-1:0]  spikes
);
  // From packets to words.
  localparam int PADDED = IN_WORDS * IN_BITS;
  localparam int LEFT = $clog2(IN_WORDS + 1);
  localparam int INPUT = PADDED > 1 ? $clog2(PADDED) : 1;

  logic [PADDED-1:0] collected, sending;
  logic [LEFT-1:0] words_left;
  logic [31:0] place;
  logic is_known;
  assign in_ready   = 1'b1;
  assign place      = in_neuron - 32'(FIRST_INPUT);
  assign is_known   = place < 32'(INPUTS);
  assign word_valid = words_left != '0;
  assign word       = sending[IN_BITS-1:0];

  always_ff @(posedge clk) begin
    if (step) begin
      sending   <= collected;
      collected <= '0;
    end else if (word_valid && word_ready) begin
      sending <= sending >> IN_BITS;
    end
    if (in_valid && is_known) collected[place[INPUT-1:0]] <= 1'b1;
    if (rst) begin
      collected  <= '0;
      words_left <= '0;
      stray      <= 1'b0;
    end else begin
      stray <= stray || (in_valid && !is_known);
      if (step) words_left <= LEFT'(IN_WORDS);
      else if (word_valid && word_ready) words_left <= words_left - LEFT'(1);
    end
  end

  // From spikes to packets.
  localparam int BIT = NEURONS > 1 ? $clog2(NEURONS) : 1;
  localparam int TARGET = TARGETS > 1 ? $clog2(TARGETS) : 1;

  (* ram_style = "distributed" *)
  logic [17:0] targets[NEURONS*TARGETS];
  always_ff @(posedge clk) if (table_write) targets[table_entry] <= table_data;

  logic is_open;                 // `left` holds the spikes that are left of a step
  logic [NEURONS-1:0] left;
  logic [BIT-1:0] lowest;
  logic [TARGET-1:0] target;
  logic [17:0] entry;
  logic is_empty, is_sent, is_last;
  always_comb begin
    lowest = '0;
    for (int i = NEURONS - 1; i >= 0; i--) if (left[i]) lowest = BIT'(i);
  end
  assign entry        = targets[ENTRY'(32'(lowest) * 32'(TARGETS) + 32'(target))];
  assign is_empty     = left == '0;
  assign out_valid    = is_open && !is_empty && entry[16];
  assign out_neuron   = 32'(FIRST) + 32'(lowest);
  assign out_tile     = entry[15:0];
  assign is_sent      = is_open && !is_empty && (out_ready || !entry[16]);
  assign is_last      = entry[17] || !entry[16] || target == TARGET'(TARGETS - 1);
  assign spike        = is_sent && is_last;
  assign spike_neuron = out_neuron;
  assign spikes_ready = !is_open;
  assign done         = is_open && is_empty;

  always_ff @(posedge clk) begin
    if (spikes_valid && spikes_ready) left <= spikes;
    else if (spike) left <= left & (left - NEURONS'(1));
    if (rst) begin
      is_open <= 1'b0;
      target  <= '0;
    end else begin
      is_open <= is_open ? !is_empty : spikes_valid;
      if (is_sent) target <= is_last ? '0 : target + TARGET'(1);
    end
  end
endmodule
