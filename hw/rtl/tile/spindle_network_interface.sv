// Between a router and the circuit of a layer that takes events (docs/rationale/hardware.md, "In a tile"). A packet is one flit, the number of the
// neuron that has spiked. Those that come in are kept as bits until `step` says that the packets of a step are all there; then they go to the circuit
// as words, while the next step's come in. Words that the circuit gives back become packets, the lowest neuron first, one to each target that the
// table has for it. `done` is high in the cycle in which the last word of a step is through; `step` before it is an error of the caller.
//   in_valid, in_ready, in_neuron    from the router; a packet in the cycle of `step` belongs to the next one
//   stray                            a packet came from a neuron that does not drive the layer; stays until the reset
//   table_*                          entry t of neuron n of the layer is n * TARGETS + t: {last, valid, tile}; to be written before the first step
//   out_valid, out_ready, out_*      to the router; held until ready
//   spike, spike_neuron              each spike of the layer once, in the cycle of its last packet
// Latency: the first word is offered in the cycle after `step`; a word's first packet two cycles after it was taken, then one in each cycle.
module spindle_network_interface #(
    parameter int INPUTS      = 1,   // neurons that drive the layer …
    parameter int FIRST_INPUT = 0,   // … and the number of the first one in the network
    parameter int IN_WORDS    = 1,   // of a step, with IN_BITS neurons each
    parameter int IN_BITS     = 1,
    parameter int NEURONS     = 1,   // of the layer
    parameter int FIRST       = 0,   // number of the first one in the network
    parameter int OUT_WORDS   = 1,   // of a step, with OUT_BITS neurons each
    parameter int OUT_BITS    = 1,
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
    input  logic [OUT_BITS-1:0] spikes
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

  // From words to packets. The words of a step fit the queue: the circuit never waits.
  localparam int DEPTH = OUT_WORDS > 1 ? OUT_WORDS : 2;
  localparam int COUNT = $clog2(OUT_WORDS + 1);
  localparam int BIT = OUT_BITS > 1 ? $clog2(OUT_BITS) : 1;
  localparam int TARGET = TARGETS > 1 ? $clog2(TARGETS) : 1;
  localparam int ENTRIES = NEURONS * TARGETS;

  logic has_word, pop;
  logic [OUT_BITS-1:0] head;
  spindle_fifo #(.WIDTH(OUT_BITS), .DEPTH(DEPTH), .MARGIN(1)) queue (
      .clk, .rst, .push(spikes_valid && spikes_ready), .wdata(spikes), .pop, .room(spikes_ready), .valid(has_word), .head);

  (* ram_style = "distributed" *)
  logic [17:0] targets[ENTRIES];
  always_ff @(posedge clk) if (table_write) targets[table_entry] <= table_data;

  logic is_open;                 // `left` holds what is left of a word
  logic [OUT_BITS-1:0] left;
  logic [31:0] base;             // first neuron of the word, in the layer
  logic [COUNT-1:0] words_done;
  logic [BIT-1:0] lowest;
  logic [TARGET-1:0] target;
  logic [31:0] neuron;           // in the layer
  logic [17:0] entry;
  logic is_empty, is_sent, is_last;
  always_comb begin
    lowest = '0;
    for (int i = OUT_BITS - 1; i >= 0; i--) if (left[i]) lowest = BIT'(i);
  end
  assign neuron       = base + 32'(lowest);
  assign entry        = targets[ENTRY'(neuron * 32'(TARGETS) + 32'(target))];
  assign is_empty     = left == '0;
  assign out_valid    = is_open && !is_empty && entry[16];
  assign out_neuron   = 32'(FIRST) + neuron;
  assign out_tile     = entry[15:0];
  assign is_sent      = is_open && !is_empty && (out_ready || !entry[16]);
  assign is_last      = entry[17] || !entry[16] || target == TARGET'(TARGETS - 1);
  assign spike        = is_sent && is_last;
  assign spike_neuron = out_neuron;
  assign pop          = has_word && !is_open;
  assign done         = is_open && is_empty && words_done == COUNT'(OUT_WORDS - 1);

  always_ff @(posedge clk) begin
    if (pop) left <= head;
    else if (spike) left <= left & (left - OUT_BITS'(1));
    if (rst) begin
      is_open    <= 1'b0;
      words_done <= '0;
      base       <= '0;
      target     <= '0;
    end else begin
      if (pop) is_open <= 1'b1;
      if (is_sent) target <= is_last ? '0 : target + TARGET'(1);
      if (is_open && is_empty) begin
        is_open    <= 1'b0;
        words_done <= done ? '0 : words_done + COUNT'(1);
        base       <= done ? '0 : base + 32'(OUT_BITS);
      end
    end
  end
endmodule
