// Every way in which a network file can be refused.
#include "tests/frontend/Imported.h"

#include "gmock/gmock.h"

using namespace spindle;

namespace {

/// The error of a file, without its folder.
std::string of(const std::string &text) { return importBytes("net.yaml", text).error; }

const std::string kLif = "neuron: lif, size: 4, tau: 20, threshold: 1";

/// Of a population, in line 3.
std::string ofCells(const std::string &cells) {
  return of("dt: 0.1\npopulations:\n  cells: {" + cells + "}\n");
}

/// Of a projection from four leaky neurons (a) to four with two receptors (b), in line 7.
std::string ofProjection(const std::string &projection) {
  return of("dt: 0.1\npopulations:\n  a: {" + kLif +
            "}\n  b: {neuron: coba_lif, size: 4, tau: 20, tau_exc: 5, tau_inh: 10, e_exc: 0, "
            "e_inh: -80, threshold: -50, v_reset: -60}\n  s: {source: poisson, size: 4, rate: 1}\n"
            "projections:\n  - {" +
            projection + "}\n");
}

} // namespace

/// Every number of a file in turn, replaced by what no double holds or what is no number.
TEST(NetworkErrors, NumbersThatAreNone) {
  const std::string text =
      "dt: #0.5\nseed: #3\npopulations:\n"
      "  noise: {source: poisson, size: #4, rate: #20}\n"
      "  list: {source: spikes, size: #2, neurons: [#0, #1], times: [#1, #2.5]}\n"
      "  cells: {neuron: dual_cuba_lif, size: #4, tau: #20, tau_exc: #5, tau_inh: [#9, #9, #9, "
      "#9], "
      "threshold: #-50, v_leak: #-49, v_reset: #-60, refractory: #5, initial_membrane: {uniform: "
      "[#-60, #-50]}}\n"
      "  single: {neuron: lif, size: #2, tau: #20, r: {normal: [#1, #0]}, threshold: #1, current: "
      "#0.5, max_spikes: #1}\n"
      "projections:\n"
      "  - {from: noise, to: cells, receptor: excitatory, connect: {fan_in: #2}, weight: #1}\n"
      "  - {from: cells, to: cells, receptor: inhibitory, connect: {probability: #0.5}, weight: "
      "{uniform: [#-2, #-1]}, delay: {uniform: [#0.5, #2]}}\n"
      "  - {from: list, to: single, connect: {sources: [#0], targets: [#1]}, weight: [#0.5], "
      "delay: "
      "#1}\n";
  std::vector<size_t> places;
  std::string plain;
  for (char letter : text)
    if (letter == '#')
      places.push_back(plain.size());
    else
      plain += letter;
  ASSERT_EQ(of(plain), "");
  for (size_t at : places)
    for (const char *number : {"1e999", "-1e999", "1e400", ".inf", "-.inf", ".nan", "nan", "inf",
                               "0x", "1e", "\"\\xff\""}) {
      std::string changed = plain;
      changed.replace(at, plain.find_first_of(",]}\n", at) - at, number);
      std::string error = of(changed);
      EXPECT_THAT(error, testing::StartsWith("net.yaml:")) << changed;
      EXPECT_EQ(error.find('\n'), std::string::npos) << error;
    }
}

TEST(NetworkErrors, Structure) {
  EXPECT_EQ(of("populations:\n  a: {" + kLif + "}\n"),
            "net.yaml: error: key 'dt' is missing, the duration of a step in ms");
  EXPECT_EQ(of("dt: 0\npopulations:\n  a: {" + kLif + "}\n"),
            "net.yaml:1:5: error: dt is 0, expected 1e-06 to 1000000");
  EXPECT_EQ(of("dt: 1\n"), "net.yaml:1:1: error: populations is empty, expected at least one");
  EXPECT_EQ(of("dt: 1\nneurons: 4\npopulations:\n  a: {" + kLif + "}\n"),
            "net.yaml:2:1: error: unknown key 'neurons', expected dt, seed, populations, "
            "projections or output");
  EXPECT_EQ(of("dt: 1\npopulations:\n  a/b: {" + kLif + "}\n"),
            "net.yaml:3:8: error: a population is called 'a/b', expected a name without '/', '[' "
            "and ']'");
  EXPECT_EQ(of("dt: 1\npopulations:\n  a: {source: spikes, size: 1, neurons: [0], times: [1]}\n  "
               "a.times: {" +
               kLif + "}\n"),
            "net.yaml:4:12: error: a population is called 'a.times', as the listed times of 'a' "
            "are, expected another name");
  EXPECT_EQ(of("dt: 1\npopulations:\n  a: {" + kLif + "}\noutput: a\n"),
            "net.yaml:4:9: error: output names what answers the labels of samples, and no "
            "population has 'source: samples'; leave it out");
  EXPECT_EQ(of("dt: 1\npopulations:\n  a: {" + kLif +
               "}\nprojections:\n  - {from: a[0:2], to: a, connect: all_to_all, weight: 1}\n"),
            "net.yaml:5:13: error: not valid YAML: end of map flow not found: a brace is missing, "
            "or quotes of a slice as in {from: \"a[0:10]\"}");
  std::string samples =
      "dt: 1\npopulations:\n  a: {source: samples, size: 4}\n  b: {" + kLif + "}\n";
  EXPECT_EQ(of(samples), "net.yaml:1:1: error: key 'output' is missing");
  EXPECT_EQ(of(samples + "output: a\n"),
            "net.yaml:5:9: error: output is 'a', expected a population of neurons: b");
  EXPECT_EQ(of("dt: 1\npopulations:\n  a: {source: samples, size: 4}\n  b: {source: samples, size: "
               "4}\n"),
            "net.yaml:4:15: error: source is 'samples' as in 'a', a network has one of them");
  EXPECT_EQ(of("dt: 1\npopulations:\n  a: {" + kLif +
               "}\nprojections:\n  - {name: x, from: a, to: a, connect: one_to_one, weight: 1, "
               "delay: 0}\n"),
            "net.yaml: error: projections without delay make a cycle: x; give one of them a delay "
            "of at least dt, 1 ms");
}

TEST(NetworkErrors, ExtentsAndSizes) {
  EXPECT_EQ(ofCells("neuron: lif, shape: [], tau: 20, threshold: 1"),
            "net.yaml:3:31: error: shape is empty, expected one extent or more");
  EXPECT_EQ(ofCells("source: poisson, shape: [], rate: 1"),
            "net.yaml:3:35: error: shape is empty, expected one extent or more");
  EXPECT_EQ(ofCells(kLif + ", r: 40, current: 3e38"),
            "net.yaml:3:72: error: v_leak + r · current is too large for a float, expected less");
  EXPECT_EQ(ofProjection("from: a, to: b, receptor: excitatory, connect: one_to_one, weight: 1, "
                         "delay: 1e9"),
            "net.yaml:7:83: error: delay is 1000000000 ms, expected at most 100000000 ms");
}

TEST(NetworkErrors, Populations) {
  EXPECT_EQ(ofCells("size: 4"), "net.yaml:3:10: error: neuron is missing: a model of neurons, or a "
                                "source");
  EXPECT_EQ(ofCells(kLif + ", source: poisson"),
            "net.yaml:3:64: error: neuron and source are both given, expected one");
  EXPECT_EQ(ofCells("neuron: lif"),
            "net.yaml:3:10: error: size is missing: the number of neurons, or a shape");
  EXPECT_EQ(ofCells(kLif + ", shape: [4]"),
            "net.yaml:3:30: error: size and shape are both given, expected one of them");
  EXPECT_EQ(ofCells("neuron: lif, shape: [4, 0]"),
            "net.yaml:3:31: error: shape is [4, 0], expected extents of at least one, and at most "
            "16777216 neurons");
  EXPECT_EQ(ofCells("neuron: lifs, size: 4, tau: 20, threshold: 1"),
            "net.yaml:3:19: error: neuron is 'lifs', expected if, lif, integrator, li, cuba_lif, "
            "cuba_li, dual_cuba_lif or coba_lif (did you mean 'lif'?)");
}

TEST(NetworkErrors, Parameters) {
  EXPECT_EQ(ofCells("neuron: lif, size: 4, tau: 20"),
            "net.yaml:3:10: error: key 'threshold' is missing in populations.cells");
  EXPECT_EQ(ofCells(kLif + ", tau_syn: 5"),
            "net.yaml:3:65: error: 'tau_syn' is no parameter of lif neurons, which have tau, r, "
            "v_leak, threshold, v_reset, current, initial_membrane, discretization, reset, "
            "refractory, max_spikes");
  EXPECT_EQ(ofCells(kLif + ", r: [1, 2]"),
            "net.yaml:3:59: error: r has 2 values, expected 1 or 4, one per neuron");
  EXPECT_EQ(ofCells("neuron: lif, shape: [2, 3], tau: 20, threshold: [1, 1, 1]"),
            "net.yaml:3:59: error: threshold has 3 values, expected 1, 2, one per channel, or 6, "
            "one per neuron");
  EXPECT_EQ(ofCells(kLif + ", r: []"),
            "net.yaml:3:59: error: r lists nothing, expected one number or more");
  EXPECT_EQ(ofCells(kLif + ", r: {gamma: [1, 2]}"),
            "net.yaml:3:59: error: r is a mapping, expected {uniform: [from, to]}, {normal: "
            "[mean, deviation]} or {npz: FILE, array: NAME}");
  EXPECT_EQ(ofCells(kLif + ", r: {uniform: [1]}"),
            "net.yaml:3:69: error: uniform has 1 numbers, expected two: from and to");
  EXPECT_EQ(
      ofCells(kLif + ", r: {normal: [1, 2, 3]}"),
      "net.yaml:3:68: error: normal has 3 numbers, expected two: mean and standard deviation");
  EXPECT_EQ(ofCells(kLif + ", r: {uniform: [2, 1]}"),
            "net.yaml:3:69: error: uniform goes from 2 to 1, expected the lower one first");
  EXPECT_EQ(ofCells(kLif + ", r: {normal: [2, -1]}"),
            "net.yaml:3:68: error: normal has the standard deviation -1, expected zero or more");
  EXPECT_EQ(ofCells(kLif + ", r: 1e300"),
            "net.yaml:3:59: error: r is 1e+300, expected a number within single precision");
  EXPECT_EQ(
      ofCells("neuron: lif, size: 4, tau: 0.05, threshold: 1"),
      "net.yaml:3:38: error: tau is 0.05 ms, expected more than zero, and at least dt, 0.1 ms, "
      "for discretization euler");
  EXPECT_EQ(ofCells("neuron: lif, size: 4, tau: 0, threshold: 1, discretization: exact"),
            "net.yaml:3:38: error: tau is 0 ms, expected more than zero");
  EXPECT_EQ(ofCells("neuron: lif, size: 4, tau: 20, threshold: -50"),
            "net.yaml:3:53: error: threshold is -50, expected more than v_reset, 0");
  EXPECT_EQ(ofCells("neuron: lif, size: 4, tau: 20, threshold: 0, reset: subtract"),
            "net.yaml:3:53: error: threshold is 0, expected more than zero with reset subtract");
  EXPECT_EQ(
      ofCells(kLif + ", refractory: 0.25"),
      "net.yaml:3:68: error: refractory is 0.25 ms, expected zero or a multiple of dt, 0.1 ms");
  EXPECT_EQ(ofCells(kLif + ", max_spikes: 2"),
            "net.yaml:3:68: error: max_spikes is 2, which needs reset subtract or discretization "
            "exact_crossing");
  EXPECT_EQ(ofCells("neuron: cuba_lif, size: 4, tau: 20, tau_syn: 5, threshold: 1, discretization: "
                    "exact_crossing"),
            "net.yaml:3:89: error: discretization is 'exact_crossing', expected euler or exact");
}

TEST(NetworkErrors, Sources) {
  EXPECT_EQ(ofCells("source: noise, size: 4"),
            "net.yaml:3:19: error: source is 'noise', expected samples, poisson or spikes");
  EXPECT_EQ(ofCells("source: poisson, size: 4"),
            "net.yaml:3:10: error: key 'rate' is missing in populations.cells");
  EXPECT_EQ(
      ofCells("source: poisson, size: 4, rate: -3"),
      "net.yaml:3:43: error: rate is -3 Hz, expected 0 to 10000 Hz, one spike per step of 0.1 "
      "ms");
  EXPECT_EQ(ofCells("source: poisson, size: 4, rate: [1, 2]"),
            "net.yaml:3:43: error: rate has 2 values, expected 1 or 4, one per neuron");
  std::string spikes = "source: spikes, size: 4, ";
  EXPECT_EQ(ofCells(spikes + "neurons: [1], times: [1, 2]"),
            "net.yaml:3:57: error: times has 2 values, neurons 1; expected a time for each");
  EXPECT_EQ(ofCells(spikes + "neurons: [4], times: [1]"),
            "net.yaml:3:45: error: neurons names 4, expected 0 to 3");
  EXPECT_EQ(ofCells(spikes + "neurons: [1], times: [0.25]"),
            "net.yaml:3:57: error: times holds 0.25 ms, expected multiples of dt, 0.1 ms, from the "
            "first to the millionth");
  EXPECT_EQ(ofCells(spikes + "neurons: [1, 1], times: [2, 2]"),
            "net.yaml:3:60: error: neuron 1 spikes twice at 2 ms");
  EXPECT_EQ(ofCells("source: samples, size: 4, window: 3"),
            "net.yaml:3:45: error: window belongs to the encoding latency; leave it out");
  EXPECT_EQ(ofCells("source: samples, size: 4, encoding: latency"),
            "net.yaml:3:10: error: key 'window' is missing in populations.cells");
}

TEST(NetworkErrors, Ends) {
  const std::string rest = ", connect: all_to_all, weight: 1";
  EXPECT_EQ(ofProjection("to: a" + rest), "net.yaml:7:5: error: key 'from' is missing in "
                                          "projections[0]");
  EXPECT_EQ(ofProjection("from: c, to: a" + rest),
            "net.yaml:7:12: error: from is 'c', expected one of the populations a, b, s");
  EXPECT_EQ(ofProjection("from: a, to: s" + rest),
            "net.yaml:7:19: error: to is 's', a source, expected a population of neurons");
  EXPECT_EQ(ofProjection("from: 'a[1]', to: a" + rest),
            "net.yaml:7:12: error: from is 'a[1]', expected a slice as in name[0:100]");
  EXPECT_EQ(ofProjection("from: 'a[x:2]', to: a" + rest),
            "net.yaml:7:12: error: from has the bound 'x', expected neurons as in name[0:100]");
  EXPECT_EQ(ofProjection("from: 'a[2:5]', to: a" + rest),
            "net.yaml:7:12: error: from is 'a[2:5]', expected an ascending slice of 4 neurons");
  EXPECT_EQ(ofProjection("from: a, to: b" + rest),
            "net.yaml:7:5: error: key 'receptor' is missing in projections[0]");
  EXPECT_EQ(ofProjection("from: a, to: a, receptor: excitatory" + rest),
            "net.yaml:7:32: error: receptor is given, but lif neurons have only one; leave it out");
  EXPECT_EQ(ofProjection("from: a, to: b, receptor: gaba" + rest),
            "net.yaml:7:32: error: receptor is 'gaba', expected excitatory or inhibitory");
  EXPECT_EQ(ofProjection("from: a, to: a, kind: matrix" + rest),
            "net.yaml:7:28: error: kind is 'matrix', expected unknown, convolution, sparse or "
            "dense");
  EXPECT_EQ(of("dt: 1\npopulations:\n  a: {neuron: li, size: 4, tau: 20}\nprojections:\n  - {from: "
               "a, to: a" +
               rest + "}\n"),
            "net.yaml:5:12: error: from is 'a', whose neurons (li) never spike; expected a "
            "population that does");
  EXPECT_EQ(ofProjection("from: a, to: a" + rest + "}\n  - {from: a, to: a" + rest),
            "net.yaml:8:5: error: two projections are called 'a-a', but the name decides on the "
            "random numbers; give this one another name");
}

TEST(NetworkErrors, Connections) {
  auto of = [](const std::string &connect) {
    return ofProjection("from: a, to: a, weight: 1, connect: " + connect);
  };
  EXPECT_EQ(ofProjection("from: a, to: a, weight: 1"),
            "net.yaml:7:5: error: key 'connect' is missing in projections[0]");
  EXPECT_EQ(of("some"),
            "net.yaml:7:42: error: connect is 'some', expected all_to_all or one_to_one");
  EXPECT_EQ(of("{probability: -0.1}"),
            "net.yaml:7:56: error: probability is -0.1, expected 0 to 1");
  EXPECT_EQ(of("{fan_in: 5}"), "net.yaml:7:51: error: fan_in is 5, expected 0 to 4");
  EXPECT_EQ(of("{fan_in: 4}, autapses: false"),
            "net.yaml:7:51: error: fan_in is 4, expected 0 to 3");
  EXPECT_EQ(of("{fan_out: 5}"), "net.yaml:7:52: error: fan_out is 5, expected 0 to 4");
  EXPECT_EQ(of("{chance: 0.1}"),
            "net.yaml:7:42: error: connect is a mapping, expected one of probability, fan_in, "
            "fan_out, file, or sources with targets");
  EXPECT_EQ(of("{sources: [0, 1], targets: [0]}"),
            "net.yaml:7:69: error: targets has 1 neurons, sources 2; expected as many");
  EXPECT_EQ(of("{sources: [0], targets: [4]}"),
            "net.yaml:7:66: error: targets names neuron 4, expected 0 to 3");
  EXPECT_EQ(of("{sources: [0, 0], targets: [1, 1]}"),
            "net.yaml:7:52: error: neuron 0 is joined with neuron 1 twice");
  EXPECT_EQ(
      of("{sources: [1, 2], targets: [0, 2]}, autapses: false"),
      "net.yaml:7:52: error: neuron 2 is joined with itself, but autapses are excluded; leave "
      "one of the two out");
  EXPECT_EQ(ofProjection("from: s, to: a, weight: 1, connect: all_to_all, autapses: false"),
            "net.yaml:7:64: error: autapses are between a population and itself; leave it out");
  EXPECT_EQ(ofProjection("from: 'a[1:]', to: a, weight: 1, connect: one_to_one"),
            "net.yaml:7:48: error: connect is one_to_one, but there are 3 sources and 4 targets; "
            "expected as many");
  EXPECT_EQ(of("one_to_one, autapses: false"),
            "net.yaml:7:42: error: connect is one_to_one within a population, which makes only "
            "autapses, but these are excluded");
  EXPECT_EQ(of("all_to_all, delay: 0.25"),
            "net.yaml:7:61: error: delay is 0.25 ms, which is no multiple of dt, 0.1 ms");
  EXPECT_EQ(of("all_to_all, delay: -0.1"),
            "net.yaml:7:61: error: delay is -0.1 ms, expected at least 0 ms");
  EXPECT_EQ(importBytes("net.yaml",
                        "dt: 1\npopulations:\n  a: {neuron: lif, size: 100000, tau: 20, "
                        "threshold: 1}\nprojections:\n  - {from: a, to: a, weight: 1, "
                        "connect: {probability: 0.5}}\n")
                .error,
            "net.yaml:5:42: error: connect makes 5e+09 synapses, expected at most 1.07e+09");
}

TEST(NetworkErrors, DelaysOfSynapses) {
  auto of = [](const std::string &rest) {
    return ofProjection("from: a, to: a, weight: 1, connect: " + rest);
  };
  EXPECT_EQ(of("all_to_all, delay: {normal: [0, 0.1]}"),
            "net.yaml:7:61: error: delay is drawn around 0 ms with a deviation of 0.1 ms, expected "
            "a mean of 0.1 to 102.4 ms and a deviation of at most 102.4 ms");
  EXPECT_EQ(of("all_to_all, delay: {uniform: [0, 1]}"),
            "net.yaml:7:61: error: delay has 0 ms, expected multiples of dt, 0.1 to 102.4 ms");
  EXPECT_EQ(of("all_to_all, delay: {uniform: [0.1, 0.25]}"),
            "net.yaml:7:61: error: delay has 0.25 ms, expected multiples of dt, 0.1 to 102.4 ms");
  EXPECT_EQ(of("all_to_all, delay: [1, 2]"),
            "net.yaml:7:61: error: delay has 2 values, expected 1 or 16, one per synapse");
  EXPECT_EQ(of("{fan_in: 1}, delay: [1, 2]"),
            "net.yaml:7:62: error: delay is a list, but the connections are drawn; expected one "
            "value, uniform or normal");
  EXPECT_EQ(of("{sources: [0, 1], targets: [1, 1]}, delay: [1, 130]"),
            "net.yaml:7:85: error: delay has 130 ms, expected multiples of dt, 0.1 to 102.4 ms");
  EXPECT_EQ(::of("dt: 1\npopulations:\n  s: {source: samples, size: 4, encoding: poisson}\n  a: {" +
                 kLif +
                 "}\nprojections:\n  - {from: s, to: a, connect: all_to_all, weight: 1, delay: "
                 "{uniform: [1, 2]}}\noutput: a\n"),
            "net.yaml:6:61: error: delay differs between synapses, but 's' is the samples; "
            "expected one value");
}

TEST(NetworkErrors, Weights) {
  const std::string all = "connect: all_to_all, ";
  EXPECT_EQ(ofProjection("from: a, to: a, connect: all_to_all"),
            "net.yaml:7:5: error: key 'weight' is missing in projections[0]");
  EXPECT_EQ(ofProjection("from: a, to: a, " + all + "weight: [1, 2]"),
            "net.yaml:7:51: error: weight has 2 values, expected 1 or 16, one per synapse");
  EXPECT_EQ(ofProjection("from: a, to: a, connect: {fan_in: 2}, weight: [1, 2]"),
            "net.yaml:7:52: error: weight is a list, but the connections are drawn; expected one "
            "value, uniform or normal");
  EXPECT_EQ(ofProjection("from: a, to: a, autapses: false, " + all + "weight: [1, 2]"),
            "net.yaml:7:68: error: weight is a list, which goes with autapses: true or listed "
            "pairs");
  const std::string conductance = "from: a, to: b, receptor: inhibitory, " + all;
  EXPECT_EQ(ofProjection(conductance + "weight: -5"),
            "net.yaml:7:73: error: weight is negative, but it is a conductance; inhibition comes "
            "from the receptor and its e_inh");
  EXPECT_EQ(ofProjection(conductance + "weight: {uniform: [-1, 1]}"),
            "net.yaml:7:73: error: weight is negative, but it is a conductance; inhibition comes "
            "from the receptor and its e_inh");
  EXPECT_THAT(ofProjection(conductance + "weight: {normal: [0, 1]}"),
              testing::MatchesRegex("net.yaml:7:12: error: projection 'a-b.inhibitory' has the "
                                    "weight -.*, expected conductances of zero or more; list or "
                                    "draw others .uniform has bounds."));
  EXPECT_THAT(ofProjection("from: a, to: a, " + all + "weight: 1e300"),
              testing::HasSubstr("weight inf, expected finite numbers"));
  EXPECT_EQ(of("dt: 1\npopulations:\n  s: {source: samples, size: 4}\n  a: {" + kLif +
               "}\nprojections:\n  - {from: s, to: a, connect: all_to_all, weight: 1, delay: "
               "2}\noutput: a\n"),
            "net.yaml:6:61: error: delay is given, but the samples of 's' are a constant current; "
            "leave it out or choose another encoding");
}
