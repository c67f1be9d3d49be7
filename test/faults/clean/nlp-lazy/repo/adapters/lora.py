import torch
import torch.nn as nn
import torch.nn.functional as F

from adapters.settings import AdapterSettings


class LoraLinear(nn.Linear):
    """W x + s B A x with W frozen (section 3)."""

    def __init__(self, *args, settings: AdapterSettings, **kwargs):
        super().__init__(*args, **kwargs)
        self.settings = settings
        self.down = nn.Parameter(torch.empty(settings.rank, self.in_features))
        self.up = nn.Parameter(torch.zeros(self.out_features, settings.rank))
        self.dropout = nn.Dropout(p=settings.dropout)
        nn.init.kaiming_uniform_(self.down, a=5**0.5)
        self.weight.requires_grad_(False)

    def forward(self, inputs):
        base = super().forward(inputs)
        update = F.linear(F.linear(self.dropout(inputs), self.down), self.up)
        return base + self.settings.scale * update

    @classmethod
    def wrapping(cls, linear: nn.Linear, settings: AdapterSettings) -> "LoraLinear":
        made = cls(linear.in_features, linear.out_features, linear.bias is not None, settings=settings)
        made.load_state_dict(linear.state_dict(), strict=False)
        return made


def inject(model: nn.Module, settings: AdapterSettings) -> int:
    count = 0
    for name, module in list(model.named_modules()):
        if isinstance(module, nn.Linear) and name.endswith(tuple(settings.targets)):
            parent_name, _, leaf = name.rpartition(".")
            parent = model.get_submodule(parent_name)
            setattr(parent, leaf, LoraLinear.wrapping(module, settings))
            count += 1
    return count
