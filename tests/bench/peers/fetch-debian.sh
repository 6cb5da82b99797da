#!/usr/bin/env bash
# Unpacks Brian2, PyTorch's OpenBLAS and what they need from Debian's packages into build/peers,
# where the scripts look for them; nothing is installed. For Debian 12 `apt-get install python3-brian`
# is no way: by python3-scipy it asks for Boost 1.74, which excludes the 1.81 that the build needs.
# PyTorch itself is large and excludes nothing: apt-get install python3-torch.
set -euo pipefail
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)/build/peers
mkdir -p "$folder/packages"
cd "$folder/packages"
apt-get download python3-brian python3-brian-lib cython3 python3-jinja2 python3-markupsafe libopenblas0-pthread
for package in *.deb; do dpkg -x "$package" "$folder"; done
/usr/bin/python3 -c 'import numpy, sympy, pyparsing, pkg_resources' ||
  echo "also needed: apt-get install python3-numpy python3-sympy python3-pyparsing python3-pkg-resources"
