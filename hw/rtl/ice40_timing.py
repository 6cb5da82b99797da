"""Delays of iCE40 HX cells for the paths of xc7_timing.py.

The model, `ice40hx-unrouted`: cell delays as Yosys' ice40/cells_sim.v specifies them for HX devices (from Project
IceStorm), DELAY_OF_NET_NS for every net between cells, nothing for the carry chain. The delay of a net is chosen so that
f32 adders and multipliers come out as nextpnr routed them (docs/benchmarks/units.md).
"""

import re

DELAY_OF_NET_NS = 0.8


class Cells:
    """As xc7_timing.Cells; carries reach the next carry and the LUT beside it on wires of their own."""

    dedicated_drivers = {"SB_CARRY"}

    def __init__(self, text):
        self.through, self.setup, self.arrival = {}, {}, {}
        for name, body in re.findall(r"^module (\w+) ?\((.*?)^endmodule", text, re.M | re.S):
            section = re.search(r"`ifdef ICE40_HX\s+specify(.*?)endspecify", body, re.S)
            if not section:
                continue
            timing = re.sub(r"/\*.*?\*/", "", section[1])
            for source, sink, rise, fall in re.findall(r"\((\w+)\s*=>\s*(\w+)\)\s*=\s*\((\d+),\s*(\d+)\);", timing):
                self.through.setdefault(name, []).append((source, sink, max(int(rise), int(fall))))
            for pin, first, less in re.findall(r"\$setup\((\w+),[^;]*?,\s*(\d+)(?:\s*-\s*(\d+))?\)", timing):
                self.setup.setdefault(name, {})[pin] = int(first) - int(less or 0)
            for pin, delay in re.findall(r"\(posedge \w+ => \((\w+) : [^)]*\)\)\s*=\s*(\d+)", timing):
                self.arrival.setdefault(name, {})[pin] = int(delay)

    def arcs(self, cell):
        """(paths through, set-ups, arrivals) of a cell of a netlist, each pin as (port, index)."""
        kind, ports = cell["type"], cell["connections"]
        through = [((source, 0), (sink, 0), delay) for source, sink, delay in self.through.get(kind, [])]
        setups = [((port, 0), delay) for port, delay in self.setup.get(kind, {}).items() if port in ports]
        arrivals = [((port, 0), delay) for port, delay in self.arrival.get(kind, {}).items() if port in ports]
        if not (through or setups or arrivals):
            raise SystemExit(f"error: no delays are known for cells of type {kind}")
        return through, setups, arrivals
