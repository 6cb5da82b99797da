// Passes from the snn dialect to itself.
#ifndef DIALECTS_SNN_TRANSFORMS_PASSES_TD
#define DIALECTS_SNN_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def SnnComposeLinear : Pass<"snn-compose-linear"> {
  let summary = "Merge consecutive linear operations into one.";
  let description = [{
    A population, a crossbar and a layer of weights hold one linear operation. Consecutive ones are merged:

    - `snn.scale` into the `snn.dense` or `snn.conv2d` before or after it, or into another scale. A bias that would enter the
      padding of a convolution stays where it is.
    - `snn.dense` after `snn.dense`: the product of the weights, in double, rounded once.
    - `snn.sparse` with views, scales and other compressed rows beside it, where the product has no more weights than both.
    - A scale of an `snn.add` of two layers of weights, into both.
    - `snn.relu` moves in front of `snn.max_pool2d`, positive scales through both: all of them keep the order of values.
    - Transposes and reshapes sink below element-wise operations so that they meet and cancel; a transpose
      before a flattening becomes an order of the columns of the dense weights.

    A value with several consumers stays; what is merged into one of them is a copy. Weights must be constants; others are left alone. Layer names: a convolution or dense layer keeps its name against a scale,
    the last of several dense layers wins. Results agree with the original up to rounding, they are not bit-identical.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
  let statistics = [Statistic<"removed", "operations-removed", "Snn operations merged or cancelled">];
}

#endif // DIALECTS_SNN_TRANSFORMS_PASSES_TD
