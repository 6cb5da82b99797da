"""Longest paths of a circuit mapped to Xilinx 7-series cells, before placement.

The model, `xc7-unrouted`: cell delays as Yosys' xilinx/cells_sim.v specifies them (Artix-7), DELAY_OF_NET_NS for
every net between cells, nothing for the dedicated ones (carry chain, wide multiplexers, cascades of DSP blocks).
Yosys gives nets the same delay when it maps for this family with ABC9. Routing decides the rest: treat the figures as a
model to compare with, not as a promise.

The paths serve other families, too: UltraScale+ with the same delays scaled, iCE40 with those of ice40_timing.py.
"""

import re

DELAY_OF_NET_NS = 0.3

# Of the DSP block as a multiplier, in ps: set-up of an input before the first register that is used, arrival of an
# output after the last one, paths through. With the adder in front of the multiplier (USE_DPORT) other figures hold for A.
_DSP_SETUP = {"A": [("AREG", 254), ("MREG", 1416), ("PREG", 2739)], "B": [("BREG", 324), ("MREG", 1285), ("PREG", 2608)],
              "C": [("CREG", 168), ("PREG", 1244)], "PCIN": [("PREG", 1025)]}
_DSP_ARRIVAL = {"P": [("PREG", 329), ("CREG", 1687), ("MREG", 1671), ("AREG", 2952), ("BREG", 2813)],
                "PCOUT": [("PREG", 435), ("CREG", 1835), ("MREG", 1819), ("AREG", 3098), ("BREG", 2960)]}
_DSP_THROUGH = {("A", "P"): 2823, ("B", "P"): 2690, ("C", "P"): 1325, ("PCIN", "P"): 1107,
                ("A", "PCOUT"): 2970, ("B", "PCOUT"): 2838, ("C", "PCOUT"): 1474, ("PCIN", "PCOUT"): 1255}
_ADDED_SETUP = {"A": [("MREG", 2400), ("ADREG", 1283), ("PREG", 3723)],
                "D": [("DREG", 248), ("ADREG", 1195), ("MREG", 2310), ("PREG", 3635)]}
_ADDED_ARRIVAL = {out: [("PREG", p), ("CREG", c), ("MREG", m), ("AREG", a), ("DREG", d), ("ADREG", ad), ("BREG", b)]
                  for out, p, c, m, a, d, ad, b in (("P", 329, 1687, 1671, 3935, 3908, 2958, 2813),
                                                    ("PCOUT", 435, 1835, 1819, 4083, 4056, 2859, 2960))}
_ADDED_THROUGH = {("A", "P"): 3806, ("A", "PCOUT"): 3954, ("D", "P"): 3717, ("D", "PCOUT"): 3700}


class Cells:
    """Delays of the cells in a simulation library of Yosys, in ps."""

    dedicated_drivers = frozenset()  # types of cells whose outputs go nowhere but over dedicated nets

    def __init__(self, text):
        self.through, self.setup, self.arrival = {}, {}, {}
        for name, body in re.findall(r"^module (\w+) ?\((.*?)^endmodule", text, re.M | re.S):
            if name == "DSP48E1":
                continue
            for source, sink, delay in re.findall(r"^\s*\(([\w\[\]]+)\s*=>\s*([\w\[\]]+)\)\s*=\s*(\d+)\s*;", body, re.M):
                self.through.setdefault(name, []).append((source, sink, int(delay)))
            for pin, delay in re.findall(r"\$setup\((\w+)\s*,\s*posedge[^,]*,\s*(?:/\*.*?\*/)?\s*(\d+)\)", body):
                self.setup.setdefault(name, {})[pin] = int(delay)
            for pin, delay in re.findall(r"\(posedge \w+ => \((\w+) : [^)]*\)\)\s*=\s*(\d+)", body):
                self.arrival.setdefault(name, {})[pin] = int(delay)
        self.through.setdefault("MUXF9", self.through.get("MUXF8", []))  # of UltraScale, without delays there

    def arcs(self, cell):
        """(paths through, set-ups, arrivals) of a cell of a netlist, each pin as (port, index)."""
        kind, ports = cell["type"], cell["connections"]
        if kind in ("DSP48E1", "DSP48E2"):
            return self._dsp(cell)
        through = [(_pin(source), _pin(sink), delay) for source, sink, delay in self.through.get(kind, [])]
        setups = [((port, 0), delay) for port, delay in self.setup.get(kind, {}).items() if port in ports]
        arrivals = [((port, 0), delay) for port, delay in self.arrival.get(kind, {}).items() if port in ports]
        if not (through or setups or arrivals):
            raise SystemExit(f"error: no delays are known for cells of type {kind}")
        return through, setups, arrivals

    @staticmethod
    def _dsp(cell):
        used = {name for name, value in cell["parameters"].items() if name.endswith("REG") and int(value, 2)}
        ports = cell["connections"]
        through, setups, arrivals = [], [], []
        adds = cell["parameters"].get("USE_DPORT") == "TRUE"
        setup_of = {**_DSP_SETUP, **_ADDED_SETUP} if adds else _DSP_SETUP
        arrival_of = _ADDED_ARRIVAL if adds else _DSP_ARRIVAL
        through_of = {**_DSP_THROUGH, **_ADDED_THROUGH} if adds else _DSP_THROUGH
        for port, stages in setup_of.items():
            delay = next((delay for register, delay in stages if register in used), None)
            pins = [(port, i) for i in range(len(ports.get(port, [])))]
            if delay is not None:
                setups += [(pin, delay) for pin in pins]
            else:
                through += [(pin, (out, i), through_of[port, out]) for pin in pins for out in ("P", "PCOUT")
                            for i in range(len(ports.get(out, [])))]
        for port, stages in arrival_of.items():
            delay = next((delay for register, delay in stages if register in used), None)
            if delay is not None:
                arrivals += [((port, i), delay) for i in range(len(ports.get(port, [])))]
        return through, setups, arrivals


def _pin(text):
    name, _, index = text.partition("[")
    return name, int(index[:-1]) if index else 0


# Nets that never leave the column of cells: (port, type) of their sinks.
_DEDICATED = {("CI", "CARRY4"), ("PCIN", "DSP48E1"), ("PCIN", "DSP48E2"),
              *((pin, f"MUXF{level}") for pin in ("I0", "I1") for level in (7, 8, 9))}


def longest_paths(module, cells, net_ns=DELAY_OF_NET_NS):
    """Delays in ns: (input to register, register to register, register to output) of a flattened module of a
    JSON netlist; 0 where there is no such path."""
    net = round(net_ns * 1000)
    dedicated = set()  # nets
    for cell in module["cells"].values():
        if cell["type"] in cells.dedicated_drivers:
            dedicated |= {bit for port in cell["connections"] if cell["port_directions"][port] == "output"
                          for bit in cell["connections"][port]}
    into = {}  # net -> [(delay, source net or None for a register)]
    ends = []  # (net, delay)
    for cell in module["cells"].values():
        if cell["type"] in ("GND", "VCC"):
            continue
        through, setups, arrivals = cells.arcs(cell)
        ports = cell["connections"]

        def bit(pin):
            bits = ports.get(pin[0], [])
            return bits[pin[1]] if pin[1] < len(bits) and isinstance(bits[pin[1]], int) else None

        def reach(pin):
            return 0 if (pin[0], cell["type"]) in _DEDICATED or bit(pin) in dedicated else net

        for source, sink, delay in through:
            if bit(source) is not None and bit(sink) is not None:
                into.setdefault(bit(sink), []).append((delay + reach(source), bit(source)))
        for pin, delay in arrivals:
            if bit(pin) is not None:
                into.setdefault(bit(pin), []).append((delay, None))
        ends += [(bit(pin), delay + reach(pin)) for pin, delay in setups if bit(pin) is not None]

    inputs = {b for port in module["ports"].values() if port["direction"] == "input" for b in port["bits"]}
    found = {b: (0, None) for b in inputs}  # arrival from (an input, a register)

    def arrival(start):
        stack = [start]
        while stack and start not in found:
            node = stack[-1]
            if node in found:
                stack.pop()
                continue
            waiting = [source for _, source in into.get(node, []) if source is not None and source not in found]
            if waiting:
                if len(stack) > len(into) + 1:
                    raise SystemExit("error: the circuit has a combinational loop")
                stack.append(waiting[0])  # one by one: a stack longer than the nets is a loop
                continue
            stack.pop()
            since = [None, None]
            for delay, source in into.get(node, []):
                if source is None:
                    since[1] = max(since[1] or 0, delay)
                    continue
                for side in (0, 1):
                    if found[source][side] is not None:
                        since[side] = max(since[side] or 0, found[source][side] + delay)
            found[node] = tuple(since)
        return found[start]

    to_register, between, to_output = 0, 0, 0
    for node, delay in ends:
        first, later = arrival(node)
        to_register = max(to_register, (first or 0) + delay if first is not None else 0)
        between = max(between, later + delay if later is not None else 0)
    for port in module["ports"].values():
        if port["direction"] == "output":
            for node in port["bits"]:
                if isinstance(node, int) and node not in inputs:
                    to_output = max(to_output, arrival(node)[1] or 0)
    return to_register / 1000, between / 1000, to_output / 1000
