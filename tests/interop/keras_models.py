"""Classifiers built in Keras, saved as archives (.keras) and as HDF5 (.h5), answer here as they do
there: every sample gets the class that Keras gives it. Needs the package keras, 2 or 3, with any
of its backends."""
import importlib.util
import json
import os
import pathlib
import tempfile
import warnings

import tool

for backend in ("torch", "jax", "tensorflow"):
    if importlib.util.find_spec(backend):
        os.environ.setdefault("KERAS_BACKEND", backend)
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
keras, np = tool.need("keras", "numpy")
layers = keras.layers
warnings.filterwarnings("ignore")

SAMPLES, CLASSES = 120, 5
numbers = np.random.default_rng(3)


def block(name):
    """A network to be a layer of another one."""
    return keras.Sequential([layers.Input((12,)), layers.Dense(10, activation="relu"),
                             layers.Dense(12, use_bias=False)], name=name)


def classifiers():
    yield "perceptron", (20,), keras.Sequential([
        layers.Input((20,)), layers.Dense(16, activation="relu"), layers.Dropout(0.2),
        layers.Dense(12, use_bias=False), layers.BatchNormalization(), layers.ReLU(),
        layers.Dense(CLASSES, activation="softmax")])

    yield "convolutions", (10, 12, 2), keras.Sequential([
        layers.Input((10, 12, 2)), layers.Conv2D(6, 3, activation="relu"),
        layers.BatchNormalization(scale=False), layers.DepthwiseConv2D(3, padding="same"),
        layers.ReLU(6.0), layers.MaxPooling2D(), layers.SeparableConv2D(8, 2, use_bias=False),
        layers.BatchNormalization(center=False), layers.Activation("relu"),
        layers.AveragePooling2D(2), layers.Flatten(), layers.Dense(CLASSES)])

    signal = keras.Sequential([
        layers.Input((24, 3)), layers.Conv1D(6, 5, strides=2, padding="same", activation="relu"),
        layers.Conv1D(8, 3, padding="causal", groups=2), layers.ReLU(),
        layers.GlobalAveragePooling1D(), layers.Dense(CLASSES)])
    yield "signal", (24, 3), signal

    x = image = layers.Input((8, 8, 3))
    for _ in range(2):
        y = layers.Conv2D(3, 3, padding="same", use_bias=False)(x)
        y = layers.BatchNormalization()(y)
        x = layers.ReLU()(layers.Add()([x, y]))
    x = layers.Concatenate()([layers.Conv2D(4, 1)(x), layers.Conv2D(4, 3, padding="same")(x)])
    x = layers.Dense(CLASSES)(layers.GlobalMaxPooling2D()(x))
    yield "residual, branches", (8, 8, 3), keras.Model(image, x)

    # Layers inside have the names of layers outside; one network is called twice.
    flat = layers.Input((12,))
    first, second = block("first"), block("second")
    x = layers.Add()([flat, first(flat)])
    x = layers.Dense(12, activation="relu", name="dense")(x)
    x = layers.Add()([x, second(x)])
    x = layers.Add()([x, second(x)])
    yield "networks inside", (12,), keras.Model(flat, layers.Dense(CLASSES)(x))

    yield "preparation", (6, 6, 1), keras.Sequential([
        layers.Input((6, 6, 1)), layers.Rescaling(2.0, -0.5), layers.GaussianNoise(0.1),
        layers.Normalization(mean=0.2, variance=1.7), layers.RandomFlip(),
        layers.ZeroPadding2D(1), layers.Conv2D(4, 3, activation="relu"), layers.UpSampling2D(2),
        layers.Cropping2D(1), layers.Permute((2, 1, 3)), layers.Reshape((400,)),
        layers.Dense(CLASSES)])

    adapted = layers.Normalization()
    adapted.adapt(numbers.normal(3, 2, (50, 9)).astype(np.float32))
    yield "adapted", (9,), keras.Sequential([
        layers.Input((9,)), adapted, layers.Dense(8, activation="relu"), layers.Dense(CLASSES)])

    built = keras.Sequential([layers.Dense(9, activation="relu"), layers.Dense(CLASSES)])
    built.build((None, 7))
    yield "built without an input", (7,), built


def disturb(model):
    """Random numbers for every weight, so that none can be taken for another one."""
    values = []
    for weight in model.get_weights():
        spread = 0.1 if weight.ndim == 1 else 2 / np.sqrt(np.prod(weight.shape[:-1]))
        values.append(numbers.uniform(0.5, 1.5, weight.shape) if weight.min() >= 1
                      else numbers.normal(0, spread, weight.shape))
    model.set_weights(values)


def answers_equal(name, model, shape, folder):
    images = numbers.normal(0, 1, (SAMPLES, *shape)).astype(np.float32)
    disturb(model)
    # One class for all samples would prove nothing: the last biases make them about as frequent.
    results = np.asarray(model.predict(images, verbose=0))
    logits = np.log(results) if (results > 0).all() and np.allclose(results.sum(1), 1) else results
    last = model.layers[-1].get_weights()
    last[-1] = last[-1] - logits.mean(0)
    model.layers[-1].set_weights(last)
    labels = np.asarray(model.predict(images, verbose=0)).argmax(1)
    if len(set(labels)) < 3:
        raise SystemExit(f"{name}: {len(set(labels))} classes would prove nothing")
    np.savez(folder / "data.npz", x=images, y=labels)
    for ending in ("keras", "h5"):
        model.save(folder / f"model.{ending}")
        flow = folder / "flow.yaml"
        layout = "nhwc" if len(shape) == 3 else "nchw"
        flow.write_text(f"model: {{path: {folder}/model.{ending}}}\n"
                        f"dataset: {{format: npz, images: {folder}/data.npz, layout: {layout}}}\n")
        out = folder / f"out-{ending}"
        tool.run("run", flow, "--until", "import", "--out", out)
        accuracy = json.loads((out / "report.json").read_text())["ann"]["accuracy"]
        print(f"{name}, {ending}: accuracy {accuracy}")
        if accuracy != 1:
            raise SystemExit(f"{name}: {ending} answers otherwise")


for name, shape, model in classifiers():
    with tempfile.TemporaryDirectory() as place:
        answers_equal(name, model, shape, pathlib.Path(place))
