import os
import shutil

import lit.formats

config.name = "passes"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = []  # a lit.local.cfg says where tests stand
config.test_source_root = os.path.dirname(os.path.dirname(__file__))
config.environment["PATH"] = os.pathsep.join(
    [config.spindle_tools, config.llvm_tools, os.environ["PATH"]])
config.substitutions.append(("%ops_td", config.documented_ops))
config.substitutions.append(("%rtl_td", config.documented_rtl_ops))
for tool in ["verilator", "yosys"]:
    if shutil.which(tool):
        config.available_features.add(tool)
