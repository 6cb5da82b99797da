"""Ten classifiers trained in PyTorch and exported with its default options, weights in a second file,
answer here as they do there: the accuracy is equal to the sample. So do they with the newest operator
set that is read. Needs the packages torch (from 2.9
on), onnx and onnxscript."""
import json
import pathlib
import sys
import tempfile
import warnings

import tool

torch, onnx, _, np = tool.need("torch", "onnx", "onnxscript", "numpy")
from torch import nn

warnings.filterwarnings("ignore")
SIDE, CLASSES, TRAIN, TEST = 16, 10, 1000, 1000


def images(count, seed, side=SIDE):
    """Classes are smooth patterns, shifted and under noise that leaves some answers wrong."""
    patterns = np.random.default_rng(0).normal(size=(CLASSES, 4, 4))
    patterns = np.kron(patterns, np.ones((1, side // 4, side // 4)))
    numbers = np.random.default_rng(seed)
    labels = numbers.integers(0, CLASSES, count)
    rolled = [np.roll(patterns[k], numbers.integers(-2, 3, 2), (0, 1)) for k in labels]
    pixels = np.array(rolled) + numbers.normal(scale=1.8, size=(count, side, side))
    return pixels[:, None].astype(np.float32), labels


class Residual(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(channels, channels, 3, padding=1, bias=False),
                                  nn.BatchNorm2d(channels), nn.ReLU(),
                                  nn.Conv2d(channels, channels, 3, padding=1, bias=False),
                                  nn.BatchNorm2d(channels))

    def forward(self, x):
        return torch.relu(x + self.body(x))


class Fire(nn.Module):
    """The module of SqueezeNet: two branches that are joined."""

    def __init__(self, channels, squeezed, expanded):
        super().__init__()
        self.squeeze = nn.Conv2d(channels, squeezed, 1)
        self.one, self.three = nn.Conv2d(squeezed, expanded, 1), nn.Conv2d(squeezed, expanded, 3,
                                                                           padding=1)

    def forward(self, x):
        x = torch.relu(self.squeeze(x))
        return torch.cat([torch.relu(self.one(x)), torch.relu(self.three(x))], 1)


class Mean(nn.Module):
    def forward(self, x):
        return x.mean((2, 3))


class Rows(nn.Module):
    """An image as a signal with a channel for each row."""

    def forward(self, x):
        return x.reshape(-1, SIDE, SIDE)


def separable(channels, filters, stride):
    return nn.Sequential(nn.Conv2d(channels, channels, 3, stride, 1, groups=channels, bias=False),
                         nn.BatchNorm2d(channels), nn.ReLU6(),
                         nn.Conv2d(channels, filters, 1, bias=False), nn.BatchNorm2d(filters),
                         nn.ReLU6())


def classifiers():
    yield "perceptron, log-softmax", nn.Sequential(
        nn.Flatten(), nn.Linear(SIDE * SIDE, 64), nn.ReLU(), nn.Linear(64, CLASSES),
        nn.LogSoftmax(1))
    yield "perceptron, dropout, norm", nn.Sequential(
        nn.Flatten(), nn.Linear(SIDE * SIDE, 96, bias=False), nn.BatchNorm1d(96), nn.ReLU(),
        nn.Dropout(0.3), nn.Linear(96, 48), nn.ReLU(), nn.Linear(48, CLASSES), nn.Softmax(1))
    yield "LeNet, average pooling", nn.Sequential(
        nn.Conv2d(1, 6, 5, padding=2), nn.ReLU(), nn.AvgPool2d(2), nn.Conv2d(6, 12, 3), nn.ReLU(),
        nn.AvgPool2d(2), nn.Flatten(), nn.Linear(108, 40), nn.ReLU(), nn.Linear(40, CLASSES))
    yield "LeNet, maximum pooling", nn.Sequential(
        nn.Conv2d(1, 6, 5, padding=2), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 12, 3), nn.ReLU(),
        nn.MaxPool2d(3, 2, 1), nn.Flatten(), nn.Linear(108, CLASSES))
    yield "batch norm, adaptive pooling", nn.Sequential(
        nn.Conv2d(1, 16, 3, 2, 1, bias=False), nn.BatchNorm2d(16), nn.ReLU(),
        nn.Conv2d(16, 24, 3, padding=1), nn.BatchNorm2d(24), nn.ReLU(), nn.AdaptiveAvgPool2d(1),
        nn.Flatten(), nn.Linear(24, CLASSES))
    yield "residual blocks", nn.Sequential(
        nn.Conv2d(1, 12, 3, 2, 1), nn.ReLU(), Residual(12), Residual(12), nn.AvgPool2d(4),
        nn.Flatten(), nn.Linear(48, CLASSES))
    yield "separable, ReLU6", nn.Sequential(
        nn.Conv2d(1, 8, 3, 2, 1), nn.ReLU6(), separable(8, 16, 1), separable(16, 24, 2), Mean(),
        nn.Linear(24, CLASSES))
    yield "fire modules", nn.Sequential(
        nn.Conv2d(1, 12, 3, 2, 1), nn.ReLU(), Fire(12, 6, 10), nn.MaxPool2d(2, ceil_mode=True),
        Fire(20, 8, 12), nn.Conv2d(24, CLASSES, 1), nn.AdaptiveAvgPool2d(1), nn.Flatten())
    yield "groups, dilation, resizing", nn.Sequential(
        nn.ZeroPad2d((1, 2, 0, 3)), nn.Conv2d(1, 8, 3, dilation=2), nn.ReLU(),
        nn.Conv2d(8, 16, 3, 2, 1, groups=4), nn.ReLU(), nn.Upsample(scale_factor=2),
        nn.MaxPool2d(4), nn.Flatten(), nn.LazyLinear(CLASSES))
    yield "signal of one dimension", nn.Sequential(
        Rows(), nn.Conv1d(SIDE, 24, 3, padding=1), nn.ReLU(), nn.MaxPool1d(2),
        nn.Conv1d(24, 24, 3), nn.BatchNorm1d(24), nn.ReLU(), nn.AvgPool1d(2), nn.Flatten(),
        nn.Linear(72, CLASSES))


def train(net, pixels, labels):
    net(pixels[:2])  # settles the sizes of lazy layers
    steps = torch.optim.Adam(net.parameters(), 3e-3)
    net.train()
    for _ in range(8):
        for part in torch.randperm(len(pixels)).split(100):
            steps.zero_grad()
            nn.functional.cross_entropy(net(pixels[part]), labels[part]).backward()
            steps.step()
    return net.eval()


def export(net, path, **options):
    """As a user does; the files must be those of the exporter of today."""
    torch.onnx.export(net, (torch.zeros(1, 1, SIDE, SIDE),), path, verbose=False, **options)
    model = onnx.load(path, load_external_data=False)
    opset = max(s.version for s in model.opset_import if s.domain in ("", "ai.onnx"))
    outside = sum(t.data_location == onnx.TensorProto.EXTERNAL for t in model.graph.initializer)
    if opset < 18 or outside == 0:
        print(f"skipped: torch {torch.__version__} writes operator set {opset} and {outside} tensors "
              "in a second file, expected 18 or more and some, as since 2.9")
        sys.exit(77)
    return opset, outside


def accuracy(folder, model):
    flow = folder / "flow.yaml"
    flow.write_text(f"model: {{path: {model}}}\n"
                    f"dataset: {{format: npz, images: {folder}/test.npz}}\n")
    tool.run("run", flow, "--until", "import", "--out", folder / "out")
    result = json.loads((folder / "out" / "10-ann.json").read_text())
    return result["correct"]


torch.manual_seed(1)
training = [torch.from_numpy(a) for a in images(TRAIN, 1)]
pixels, labels = images(TEST, 2)
rows = []
with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    np.savez(folder / "test.npz", x=pixels, y=labels)
    for kind, net in classifiers():
        net = train(net, *training)
        with torch.no_grad():
            theirs = int((net(torch.from_numpy(pixels)).argmax(1).numpy() == labels).sum())
        for options in ({}, {"opset_version": 23}):
            path = folder / "net.onnx"
            opset, outside = export(net, path, **options)
            ours = accuracy(folder, path)
            rows.append((kind, opset, outside, theirs, ours))
            print(f"| {kind} | {opset} | {outside} | {theirs / TEST:.1%} | {ours / TEST:.1%} |",
                  flush=True)
print(f"torch {torch.__version__}, onnx {onnx.__version__}: {len(rows)} files")
wrong = [row[0] for row in rows if row[3] != row[4]]
if wrong:
    sys.exit(f"the accuracy differs: {', '.join(wrong)}")
