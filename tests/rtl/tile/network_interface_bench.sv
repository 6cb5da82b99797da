// Network interfaces of three sizes, in the order of NetworkInterfaceTest.cpp.
module network_interface_bench (
    input  logic        clk,
    input  logic        rst,
    input  logic        in_valid[3],
    output logic        in_ready[3],
    input  logic [31:0] in_neuron[3],
    output logic        stray[3],
    input  logic        step[3],
    output logic        done[3],
    input  logic        table_write[3],
    input  logic [31:0] table_entry[3],
    input  logic [17:0] table_data[3],
    output logic        out_valid[3],
    input  logic        out_ready[3],
    output logic [31:0] out_neuron[3],
    output logic [15:0] out_tile[3],
    output logic        spike[3],
    output logic [31:0] spike_neuron[3],
    output logic        word_valid[3],
    input  logic        word_ready[3],
    output logic [63:0] word[3],
    input  logic        spikes_valid[3],
    output logic        spikes_ready[3],
    input  logic [63:0] spikes[3]
);
  genvar i;
  generate
    for (i = 0; i < 3; i++) begin : gen_size
      localparam int INPUTS = i == 0 ? 1 : i == 1 ? 20 : 128;
      localparam int WORDS = i == 0 ? 1 : 3;
      localparam int BITS = i == 0 ? 1 : i == 1 ? 7 : 43;
      localparam int NEURONS = i == 0 ? 1 : i == 1 ? 10 : 64;
      localparam int TARGETS = i == 0 ? 1 : i == 1 ? 3 : 16;
      localparam int ENTRY = NEURONS * TARGETS > 1 ? $clog2(NEURONS * TARGETS) : 1;
      logic [BITS-1:0] own;
      logic unused;
      assign unused = |{table_entry[i], spikes[i]};
      spindle_network_interface #(
          .INPUTS(INPUTS), .FIRST_INPUT(100 * i), .IN_WORDS(WORDS), .IN_BITS(BITS), .NEURONS(NEURONS), .FIRST(1000 * i), .TARGETS(TARGETS)
      ) unit (
          .clk, .rst, .in_valid(in_valid[i]), .in_ready(in_ready[i]), .in_neuron(in_neuron[i]), .stray(stray[i]), .step(step[i]), .done(done[i]),
          .table_write(table_write[i]), .table_entry(table_entry[i][ENTRY-1:0]), .table_data(table_data[i]),
          .out_valid(out_valid[i]), .out_ready(out_ready[i]), .out_neuron(out_neuron[i]), .out_tile(out_tile[i]),
          .spike(spike[i]), .spike_neuron(spike_neuron[i]), .word_valid(word_valid[i]), .word_ready(word_ready[i]), .word(own),
          .spikes_valid(spikes_valid[i]), .spikes_ready(spikes_ready[i]), .spikes(spikes[i][NEURONS-1:0]));
      assign word[i] = 64'(own);
    end
  endgenerate
endmodule
