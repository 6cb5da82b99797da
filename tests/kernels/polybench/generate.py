#!/usr/bin/env python3
"""Writes the PolyBench kernels of given sizes and element types from the templates.

  generate.py                          the sets that are kept in the repository
  generate.py small-f64 8-f32/gemm     other sets, or single kernels of a set
  generate.py --out DIR small-f64      below DIR instead of beside this script
  generate.py --check                  compares the kept sets with the templates, exit code 1 if they differ

A set is SIZE-TYPE: the size mini, small or medium of PolyBench/C 4.2.1, or N or NxN (every dimension N); the type f64,
f32 or i32. In a template, ${N - 1} is a number computed from the kernel's dimensions, $T the element type, $add,
$sub, $mul, $div, $lt, $le, $ge operations of that type and $num(0.5) a constant of it; type aliases (!A = …) are
written out, so that any reader of MLIR takes the kernels.
"""
import argparse
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
KEPT = ["mini-f64", "8x8-i32"]

# kernel: dimensions, then their values in the sizes mini, small, medium (utilities/polybench.spec of PolyBench/C 4.2.1)
DIMENSIONS = {
    "2mm": ("NI NJ NK NL", "16 18 22 24", "40 50 70 80", "180 190 210 220"),
    "3mm": ("NI NJ NK NL NM", "16 18 20 22 24", "40 50 60 70 80", "180 190 200 210 220"),
    "adi": ("TSTEPS N", "20 20", "40 60", "100 200"),
    "atax": ("M N", "38 42", "116 124", "390 410"),
    "bicg": ("M N", "38 42", "116 124", "390 410"),
    "cholesky": ("N", "40", "120", "400"),
    "correlation": ("M N", "28 32", "80 100", "240 260"),
    "covariance": ("M N", "28 32", "80 100", "240 260"),
    "deriche": ("W H", "64 64", "192 128", "720 480"),
    "doitgen": ("NQ NR NP", "8 10 12", "20 25 30", "40 50 60"),
    "durbin": ("N", "40", "120", "400"),
    "fdtd-2d": ("TMAX NX NY", "20 20 30", "40 60 80", "100 200 240"),
    "floyd-warshall": ("N", "60", "180", "500"),
    "gemm": ("NI NJ NK", "20 25 30", "60 70 80", "200 220 240"),
    "gemver": ("N", "40", "120", "400"),
    "gesummv": ("N", "30", "90", "250"),
    "gramschmidt": ("M N", "20 30", "60 80", "200 240"),
    "heat-3d": ("TSTEPS N", "20 10", "40 20", "100 40"),
    "jacobi-1d": ("TSTEPS N", "20 30", "40 120", "100 400"),
    "jacobi-2d": ("TSTEPS N", "20 30", "40 90", "100 250"),
    "lu": ("N", "40", "120", "400"),
    "ludcmp": ("N", "40", "120", "400"),
    "mvt": ("N", "40", "120", "400"),
    "nussinov": ("N", "60", "180", "500"),
    "seidel-2d": ("TSTEPS N", "20 40", "40 120", "100 400"),
    "symm": ("M N", "20 30", "60 80", "200 240"),
    "syr2k": ("M N", "20 30", "60 80", "200 240"),
    "syrk": ("M N", "20 30", "60 80", "200 240"),
    "trisolv": ("N", "40", "120", "400"),
    "trmm": ("M N", "20 30", "60 80", "200 240"),
}
SIZES = ["mini", "small", "medium"]

# Square roots, exponentials, fractions and divisions by computed values mean nothing in integers.
FLOAT_ONLY = {"adi", "cholesky", "correlation", "covariance", "deriche", "durbin", "fdtd-2d", "gramschmidt", "heat-3d",
              "jacobi-1d", "jacobi-2d", "lu", "ludcmp"}

FLOAT_WORDS = {"add": "arith.addf", "sub": "arith.subf", "mul": "arith.mulf", "div": "arith.divf",
               "lt": "arith.cmpf olt,", "le": "arith.cmpf ole,", "ge": "arith.cmpf oge,"}
INTEGER_WORDS = {"add": "arith.addi", "sub": "arith.subi", "mul": "arith.muli", "div": "arith.divsi",
                 "lt": "arith.cmpi slt,", "le": "arith.cmpi sle,", "ge": "arith.cmpi sge,"}


def dimensions_of(kernel, size):
    names, *values = DIMENSIONS[kernel]
    square = re.fullmatch(r"(\d+)(?:x(\d+))?", size)
    if square and square[2] in (None, square[1]) and int(square[1]) > 0:
        return {name: int(square[1]) for name in names.split()}
    if size not in SIZES:
        sys.exit(f"generate.py: size '{size}': expected mini, small, medium, N or NxN")
    return dict(zip(names.split(), map(int, values[SIZES.index(size)].split())))


def instantiate(kernel, size, element_type):
    """The kernel's MLIR text."""
    is_float = element_type.startswith("f")
    words = dict(FLOAT_WORDS if is_float else INTEGER_WORDS, T=element_type)
    dimensions = dimensions_of(kernel, size)

    def replace(match):
        expression, number, word = match.groups()
        if expression:
            return str(eval(expression, {"__builtins__": {}}, dimensions))
        if number:
            value = eval(number, {"__builtins__": {}}, dimensions)
            return repr(float(value)) if is_float else str(int(value))
        return words[word]

    text = (HERE / "templates" / f"{kernel}.mlir.in").read_text()
    text = re.sub(r"\$(?:\{([^}]*)\}|num\(([^)]*)\)|(\w+))", replace, text)
    aliases = dict(re.findall(r"^!(\w+) = (.*)\n", text, re.MULTILINE))
    text = re.sub(r"^!\w+ = .*\n", "", text, flags=re.MULTILINE)
    return re.sub(r"!(\w+)", lambda match: aliases[match[1]], text)


def kernels_of(request):
    """(path below the root, text) of every kernel of SIZE-TYPE or SIZE-TYPE/KERNEL."""
    folder, _, kernel = request.partition("/")
    size, _, element_type = folder.rpartition("-")
    if element_type not in ("f64", "f32", "i32"):
        sys.exit(f"generate.py: '{request}': expected SIZE-TYPE with type f64, f32 or i32, such as mini-f64")
    if kernel and kernel not in DIMENSIONS:
        sys.exit(f"generate.py: '{request}': no kernel '{kernel}', expected one of {', '.join(DIMENSIONS)}")
    for name in [kernel] if kernel else DIMENSIONS:
        if element_type == "i32" and name in FLOAT_ONLY:
            continue
        yield pathlib.Path(folder) / f"{name}.mlir", instantiate(name, size, element_type)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, default=HERE)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("sets", nargs="*", default=KEPT)
    options = parser.parse_args()
    stale = []
    for request in options.sets:
        for path, text in kernels_of(request):
            target = options.out / path
            if options.check:
                if not target.exists() or target.read_text() != text:
                    stale.append(str(path))
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            if not target.exists() or target.read_text() != text:
                target.write_text(text)
    if stale:
        sys.exit(f"generate.py: {', '.join(stale)}: not what the template gives, run generate.py")


if __name__ == "__main__":
    main()
