/** Small repositories without faults, each reading its settings in another style. */
export const SETTINGS_STYLES = {
  'YAML as plain dicts, sections passed on': {
    'configs/base.yaml':
      'seed: 0\ntrain:\n  lr: 1.0e-3\n  epochs: 10\n  batch_size: 32\nmodel:\n  name: mlp\n  hidden: 64\n  dropout: 0.1\ndata:\n  root: data\n  dataset: cifar10\noutput:\n  dir: results\n',
    'requirements.txt': 'pyyaml\nomegaconf\nhydra-core\neasydict\n',
    'src/config.py':
      'import yaml\n\ndef load_config(path):\n    with open(path) as handle:\n        return yaml.safe_load(handle)\n',
    'src/data.py':
      'def load_data(section):\n    root = section["root"]\n    if section["dataset"] == "cifar10":\n        return root\n    raise ValueError(section["dataset"])\n',
    'src/model.py':
      'class MLP:\n    def __init__(self, cfg):\n        self.hidden = cfg["hidden"]\n        self.dropout = cfg.get("dropout", 0.0)\n\nMODELS = {"mlp": MLP}\n\ndef build_model(cfg):\n    return MODELS[cfg["name"]](cfg)\n',
    'src/trainer.py':
      'class Trainer:\n    def __init__(self, cfg, model):\n        self.cfg = cfg\n        self.model = model\n        self.lr = cfg["lr"]\n\n    def fit(self, data):\n        for epoch in range(self.cfg["epochs"]):\n            self.step(data, epoch)\n\n    def step(self, data, epoch):\n        size = self.cfg["batch_size"]\n        return data[epoch * size:]\n',
    'train.py':
      'import argparse\nimport json\nimport os\nfrom src.config import load_config\nfrom src.data import load_data\nfrom src.model import build_model\nfrom src.trainer import Trainer\n\ndef main():\n    parser = argparse.ArgumentParser()\n    parser.add_argument("--config", default="configs/base.yaml")\n    parser.add_argument("--method", choices=["ours", "baseline"], default="ours")\n    args = parser.parse_args()\n    cfg = load_config(args.config)\n    print(cfg)\n    trainer = Trainer(cfg["train"], build_model(cfg["model"]))\n    trainer.fit(load_data(cfg["data"]))\n    out = cfg["output"]["dir"]\n    with open(os.path.join(out, f"metrics_{args.method}.json"), "w") as handle:\n        json.dump({"accuracy": 1.0, "seed": cfg["seed"]}, handle)\n\nif __name__ == "__main__":\n    main()\n',
  },
  'YAML into dataclasses': {
    'config.yaml': 'lr: 0.1\nepochs: 3\nmodel:\n  width: 4\n  depth: 2\n',
    'repro/__init__.py': '',
    'repro/config.py':
      'from __future__ import annotations\nfrom dataclasses import dataclass, field, asdict\nfrom pathlib import Path\nimport yaml\n\n@dataclass\nclass ModelConfig:\n    width: int = 4\n    depth: int = 2\n\n@dataclass(frozen=True)\nclass TrainConfig:\n    lr: float = 0.1\n    epochs: int = 3\n    model: ModelConfig = field(default_factory=ModelConfig)\n\n    @property\n    def steps(self) -> int:\n        return self.epochs * 10\n\n    @classmethod\n    def from_yaml(cls, path: str | Path) -> "TrainConfig":\n        data = yaml.safe_load(Path(path).read_text())\n        model = ModelConfig(**data.pop("model", {}))\n        return cls(**data, model=model)\n',
    'repro/train.py':
      'from repro.config import TrainConfig\n\ndef train(cfg: TrainConfig) -> float:\n    total = 0.0\n    for _ in range(cfg.steps):\n        total += cfg.lr * cfg.model.width / cfg.model.depth\n    return total\n\nif __name__ == "__main__":\n    print(train(TrainConfig.from_yaml("config.yaml")))\n',
    'requirements.txt': 'pyyaml\nomegaconf\nhydra-core\neasydict\n',
  },
  'Hydra, composed by folder': {
    'conf/config.yaml':
      'defaults:\n  - model: resnet\n  - optim: sgd\n  - _self_\nseed: 1\ntrainer:\n  max_epochs: 5\n',
    'conf/model/resnet.yaml': '_target_: src.net.ResNet\ndepth: 18\n',
    'conf/model/vit.yaml': '_target_: src.net.ViT\npatch: 16\n',
    'conf/optim/sgd.yaml': 'name: sgd\nlr: 0.1\nmomentum: 0.9\n',
    'main.py':
      'import hydra\nfrom omegaconf import DictConfig, OmegaConf\n\ndef make_optimizer(cfg: DictConfig):\n    if cfg.name == "sgd":\n        return (cfg.lr, cfg.momentum)\n    return cfg.lr\n\n@hydra.main(version_base=None, config_path="conf", config_name="config")\ndef main(cfg: DictConfig) -> None:\n    print(OmegaConf.to_yaml(cfg))\n    model = hydra.utils.instantiate(cfg.model)\n    optim = make_optimizer(cfg.optim)\n    for epoch in range(cfg.trainer.max_epochs):\n        print(epoch, model, optim, cfg.seed)\n\nif __name__ == "__main__":\n    main()\n',
    'requirements.txt': 'pyyaml\nomegaconf\nhydra-core\neasydict\n',
    'src/net.py':
      'class ResNet:\n    def __init__(self, depth):\n        self.depth = depth\n\n    def __call__(self, x):\n        return x * self.depth\n\nclass ViT:\n    def __init__(self, patch):\n        self.patch = patch\n\n    def __call__(self, x):\n        return x / self.patch\n',
  },
  'OmegaConf with overlays and the command line': {
    'configs/default.yaml':
      'data:\n  path: data\n  split: train\noptim:\n  lr: 0.1\n  decay: 0.0\nmethods: [ours, plain]\n',
    'configs/exp1.yaml': 'optim:\n  lr: 0.5\n  warmup: 10\n',
    'requirements.txt': 'pyyaml\nomegaconf\nhydra-core\neasydict\n',
    'run.py':
      'import sys\nfrom omegaconf import OmegaConf\n\nBASE = "configs/default.yaml"\n\ndef get_config(overlay):\n    base = OmegaConf.load(BASE)\n    return OmegaConf.merge(base, OmegaConf.load(overlay), OmegaConf.from_cli())\n\ndef main():\n    config = get_config(sys.argv[1])\n    warmup = config.optim.get("warmup", 0)\n    for method in config.methods:\n        print(method, config.optim.lr, config.optim.decay, config.data.path, config.data.split, warmup)\n    if "extra" in config:\n        print(config.extra.value)\n\nmain()\n',
  },
  'JSON, loaded at import': {
    'experiment.py':
      'import csv\nimport json\nfrom settings import SETTINGS\n\ndef run(name):\n    method = SETTINGS["methods"][name]\n    total = 0\n    for step in range(SETTINGS["train"]["steps"]):\n        total += method["beta"] * SETTINGS["train"]["lr"] * step\n    return total, SETTINGS["model"]["act"], len(SETTINGS["model"]["layers"])\n\ndef load_results(path):\n    with open(path) as f:\n        return json.load(f)\n\nif __name__ == "__main__":\n    for name in SETTINGS["methods"]:\n        with open(f"results_{name}.json", "w") as f:\n            json.dump({"total": run(name)[0]}, f)\n    r = load_results("results_ours.json")\n    print(r["total"], r["missing_here"])\n',
    'requirements.txt': 'pyyaml\nomegaconf\nhydra-core\neasydict\n',
    'settings.json':
      '{"model": {"layers": [4, 4], "act": "relu"}, "train": {"steps": 10, "lr": 0.1}, "methods": {"ours": {"beta": 1}, "plain": {"beta": 0}}}\n',
    'settings.py':
      'import json\nfrom pathlib import Path\n\nROOT = Path(__file__).parent\n\ndef read_settings(path=ROOT / "settings.json"):\n    return json.loads(Path(path).read_text())\n\nSETTINGS = read_settings()\n',
  },
  'YAML overlays merged by hand': {
    'configs/base.yml':
      'env:\n  id: Hopper-v3\n  max_steps: 1000\nagent:\n  gamma: 0.99\n  ppo:\n    clip: 0.2\n    epochs: 4\n  sac:\n    tau: 0.005\nlogging:\n  every: 100\n',
    'configs/env/hopper.yml': 'env:\n  id: Hopper-v3\n',
    'configs/env/walker.yml': 'env:\n  id: Walker2d-v3\n  wrapper: norm\n',
    'requirements.txt': 'pyyaml\nomegaconf\nhydra-core\neasydict\n',
    'rl/__init__.py': '',
    'rl/agents.py':
      'class PPO:\n    def __init__(self, cfg):\n        self.clip = cfg["clip"]\n        self.epochs = cfg["epochs"]\n\nclass SAC:\n    def __init__(self, cfg):\n        self.tau = cfg["tau"]\n\nAGENTS = {"ppo": PPO, "sac": SAC}\n\ndef make(name, cfg):\n    return AGENTS[name](cfg["agent"][name])\n',
    'rl/settings.py':
      'import copy\nimport yaml\n\ndef deep_merge(a, b):\n    out = copy.deepcopy(a)\n    for k, v in b.items():\n        if isinstance(v, dict) and isinstance(out.get(k), dict):\n            out[k] = deep_merge(out[k], v)\n        else:\n            out[k] = v\n    return out\n\ndef load(*paths):\n    cfg = {}\n    for path in paths:\n        with open(path) as f:\n            cfg = deep_merge(cfg, yaml.safe_load(f))\n    return cfg\n',
    'rl/train.py':
      'import argparse\nfrom rl.settings import load\nfrom rl.agents import make\n\ndef main():\n    p = argparse.ArgumentParser()\n    p.add_argument("--env", choices=("hopper", "walker"))\n    p.add_argument("--agent", default="ppo")\n    a = p.parse_args()\n    cfg = load("configs/base.yml", f"configs/env/{a.env}.yml")\n    agent = make(a.agent, cfg)\n    print(agent, cfg["env"]["id"], cfg["agent"]["gamma"], cfg["logging"]["every"], cfg["env"].get("wrapper"), cfg["env"]["max_steps"])\n\nif __name__ == "__main__":\n    main()\n',
  },
  'flags alone': {
    'requirements.txt': 'pyyaml\nomegaconf\nhydra-core\neasydict\n',
    'train.py':
      'import argparse\nimport csv\nfrom pathlib import Path\n\ndef ours(x):\n    return x\n\ndef no_gate(x):\n    return -x\n\nMETHODS = {"ours": ours, "no-gate": no_gate}\n\ndef get_args():\n    parser = argparse.ArgumentParser()\n    parser.add_argument("--method", choices=sorted(METHODS), required=True)\n    parser.add_argument("--dataset", default="mnist", type=str.lower)\n    parser.add_argument("--lr", type=float, default=0.1)\n    return parser.parse_args()\n\ndef main():\n    args = get_args()\n    config = vars(args)\n    rows = []\n    for epoch in range(3):\n        rows.append({"epoch": epoch, "val_error": METHODS[args.method](args.lr) + config["lr"]})\n    if args.dataset not in ("mnist", "cifar10"):\n        raise SystemExit("unknown dataset")\n    out = Path("results") / args.dataset\n    with (out / f"{args.method}.csv").open("w") as handle:\n        writer = csv.DictWriter(handle, fieldnames=["epoch", "val_error"])\n        writer.writeheader()\n        writer.writerows(rows)\n\nif __name__ == "__main__":\n    main()\n',
  },
  'TOML as attributes': {
    'config.toml': 'seed = 3\n[train]\nlr = 0.1\nsteps = 5\n[eval]\nevery = 2\nk = [1, 5]\n',
    'lib/conf.py':
      'import tomllib\nfrom types import SimpleNamespace\n\ndef to_ns(d):\n    return SimpleNamespace(**{k: to_ns(v) if isinstance(v, dict) else v for k, v in d.items()})\n\ndef load_config(path="config.toml"):\n    with open(path, "rb") as f:\n        raw = tomllib.load(f)\n    return to_ns(raw)\n',
    'main.py':
      'from lib.conf import load_config\n\ncfg = load_config()\nfor step in range(cfg.train.steps):\n    if step % cfg.eval.every == 0:\n        print(cfg.train.lr, cfg.seed, cfg.eval.k)\n',
    'requirements.txt': 'pyyaml\nomegaconf\nhydra-core\neasydict\n',
  },
  'YAML as an EasyDict': {
    'cfg.yaml': 'TRAIN:\n  LR: 0.1\n  STEPS: 5\nTEST:\n  TOPK: 5\n',
    'core/config.py':
      'import yaml\nfrom easydict import EasyDict as edict\n\ndef cfg_from_file(filename):\n    with open(filename) as f:\n        return edict(yaml.safe_load(f))\n',
    'requirements.txt': 'pyyaml\nomegaconf\nhydra-core\neasydict\n',
    'tools/train.py':
      'import argparse\nimport sys\nsys.path.insert(0, ".")\nfrom core.config import cfg_from_file\n\ndef train(cfg):\n    return cfg.TRAIN.LR * cfg.TRAIN.STEPS\n\ndef test(cfg, topk=None):\n    topk = topk or cfg.TEST.TOPK\n    return topk\n\nif __name__ == "__main__":\n    cfg = cfg_from_file("cfg.yaml")\n    train(cfg)\n    test(cfg)\n',
  },
  'a class around the settings': {
    'params.yaml':
      'pretrain:\n  steps: 100\n  lr: 0.001\nfinetune:\n  steps: 10\n  lr: 0.0001\n  methods: [full, lora, bitfit]\nreport:\n  folder: out\n',
    'pkg/__init__.py': '',
    'pkg/params.py':
      'import yaml\n\nclass Params:\n    def __init__(self, path):\n        with open(path) as f:\n            self._data = yaml.safe_load(f)\n\n    def __getitem__(self, key):\n        return self._data[key]\n\n    def section(self, name):\n        return self._data[name]\n',
    'pkg/run.py':
      'from pkg.params import Params\n\nclass Runner:\n    def __init__(self, params):\n        self.params = params\n        self.settings = params.section("finetune")\n\n    def go(self):\n        for method in self.settings["methods"]:\n            self.one(method, self.settings["steps"], self.settings["lr"])\n        pre = self.params["pretrain"]\n        return pre["steps"] * pre["lr"]\n\n    def one(self, method, steps, lr):\n        folder = self.params["report"]["folder"]\n        return folder, method, steps, lr\n\nif __name__ == "__main__":\n    Runner(Params("params.yaml")).go()\n',
    'requirements.txt': 'pyyaml\nomegaconf\nhydra-core\neasydict\n',
  },
} as const;
