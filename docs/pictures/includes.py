#!/usr/bin/env python3
"""The includes between the folders of the sources as a picture, read off the sources.

  docs/pictures/includes.py            writes includes.svg beside this script
  docs/pictures/includes.py --check    ends with 1 where the picture is another one by now

Ends with 1, and draws nothing, where includes go round in a circle. Folders below hw/hls and lib/emulation count by
themselves, all others with what is in them. An arrow that follows from others (a -> b -> c for a -> c) is left out.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOPS = {"core": "#dbe9f6", "dialects": "#e3f1dc", "lib": "#fdf0d5", "hw": "#f6dfe3", "sim": "#e6def2", "tools": "#e8e8e8"}
INCLUDE = re.compile(r'^\s*#?\s*include\s+"([^"]+)"', re.MULTILINE)
DEEP = ("hw/hls", "lib/emulation")
WIDTH, HEIGHT, GAP, FLOOR = 152, 26, 14, 84


def room(folder):
    parts = folder.split("/")
    return "/".join(parts[: 3 if "/".join(parts[:2]) in DEEP else 2])


def read_edges():
    edges = {}
    for top in TOPS:
        for path in sorted((ROOT / top).rglob("*")):
            if path.suffix not in (".h", ".cpp", ".td"):
                continue
            here = room(path.parent.relative_to(ROOT).as_posix())
            targets = edges.setdefault(here, set())
            for name in INCLUDE.findall(path.read_text()):
                there = room(name.rpartition("/")[0])
                if there.split("/")[0] in TOPS and there != here:
                    targets.add(there)
    return edges


def floors(edges):
    """Folder -> floor: 0 for those that include nothing, else one above the highest they include."""
    floor, path = {}, []

    def visit(folder):
        if folder in path:
            sys.exit("includes.py: error: includes go round: " + " -> ".join(path[path.index(folder):] + [folder]))
        if folder not in floor:
            path.append(folder)
            floor[folder] = max((visit(target) + 1 for target in sorted(edges[folder])), default=0)
            path.pop()
        return floor[folder]

    for folder in sorted(edges):
        visit(folder)
    top = max(floor.values())
    return {folder: top if folder.startswith("tools/") else level for folder, level in floor.items()}


def reduced(edges):
    """Without the arrows that follow from others."""
    reach = {}

    def reached(folder):
        if folder not in reach:
            reach[folder] = set().union(*({target} | reached(target) for target in edges[folder]))
        return reach[folder]

    return {folder: sorted(t for t in targets if not any(t in reached(other) for other in targets if other != t))
            for folder, targets in edges.items()}


def places(edges, floor):
    """Folder -> left edge and top: on each floor ordered by the middle of what is included, so that few arrows cross."""
    rows = [sorted(f for f in floor if floor[f] == level) for level in range(max(floor.values()) + 1)]
    columns = max(map(len, rows))
    middle = {}
    for row in rows:
        want = {f: sum(middle[t] for t in edges[f]) / len(edges[f]) if edges[f] else 0.5 for f in row}
        row.sort(key=lambda f: (want[f], f))
        for index, folder in enumerate(row):
            middle[folder] = (index + 0.5) / len(row)
    width = columns * (WIDTH + GAP)
    top = len(rows) - 1
    return width, {f: (middle[f] * width - WIDTH / 2, (top - floor[f]) * FLOOR + GAP) for f in floor}


def picture(edges):
    floor = floors(edges)
    shown = reduced(edges)
    width, at = places(shown, floor)
    height = max(floor.values()) * FLOOR + HEIGHT + 2 * GAP
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11">',
             "<title>Includes between the folders of Spindle; every arrow points down</title>",
             '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto">'
             '<path d="M0 0L8 4L0 8z" fill="#666"/></marker></defs>',
             f'<rect width="{width}" height="{height}" fill="#fff"/>']
    for folder in sorted(shown):
        for target in shown[folder]:
            x, y = at[folder][0] + WIDTH / 2, at[folder][1] + HEIGHT
            u, v = at[target][0] + WIDTH / 2, at[target][1]
            lines.append(f'<path d="M{x:.0f} {y:.0f}C{x:.0f} {y + FLOOR / 2:.0f} {u:.0f} {v - FLOOR / 2:.0f} {u:.0f} {v - 2:.0f}" '
                         'fill="none" stroke="#666" stroke-opacity="0.6" marker-end="url(#tip)"/>')
    for folder in sorted(at):
        x, y = at[folder]
        lines.append(f'<rect x="{x:.0f}" y="{y:.0f}" width="{WIDTH}" height="{HEIGHT}" rx="4" fill="{TOPS[folder.split("/")[0]]}" stroke="#888"/>'
                     f'<text x="{x + WIDTH / 2:.0f}" y="{y + 17:.0f}" text-anchor="middle">{folder}</text>')
    return "\n".join(lines + ["</svg>"]) + "\n"


def main():
    edges = read_edges()
    for target in set().union(*edges.values()):
        edges.setdefault(target, set())
    text, path = picture(edges), Path(__file__).with_name("includes.svg")
    if sys.argv[1:] == ["--check"]:
        if not path.exists() or path.read_text() != text:
            sys.exit("includes.py: error: docs/pictures/includes.svg is out of date: run docs/pictures/includes.py")
    elif sys.argv[1:]:
        sys.exit(__doc__)
    else:
        path.write_text(text)


main()
