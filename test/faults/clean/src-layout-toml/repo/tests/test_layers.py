import pytest
import torch

from gated.layers import GatedSum, PlainSum, loss_of


@pytest.fixture
def inputs():
    return torch.ones(2, 3, 4)


@pytest.mark.parametrize("layer", [GatedSum, PlainSum])
def test_shapes(layer, inputs):
    assert layer(4)(inputs).shape == (2, 4)


def test_zero_gate_halves(inputs):
    layer = GatedSum(width=4)
    torch.nn.init.zeros_(layer.gate.weight)
    assert torch.allclose(layer(inputs), PlainSum(4)(inputs) / 2)


def test_plain_has_no_penalty(inputs):
    assert loss_of(PlainSum(4), inputs, inputs.sum(dim=1), 1.0).item() == 0.0
