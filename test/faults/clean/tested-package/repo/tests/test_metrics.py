from unittest import mock

import numpy as np
import pytest

import metrics
from metrics import auc, average_precision, ece
from metrics.calibration import DEFAULT_BINS


class Stub:
    def sum(self):
        pass


def test_auc_of_perfect_order():
    assert auc(np.array([0.9, 0.1]), np.array([1, 0])) == 1.0


def test_bounds(scored):
    assert 0 <= auc(*scored) <= 1
    assert 0 <= average_precision(*scored, at=5) <= 1


def test_bins_are_forwarded():
    with mock.patch("metrics.calibration.reliability", return_value=[]) as spy:
        assert ece(None, None, bins=DEFAULT_BINS * 2) == 0
    spy.assert_called_once()


def test_unknown_keyword():
    with pytest.raises(TypeError):
        ece(np.ones(3), np.ones(3), buckets=3)


def test_names():
    for name in metrics.__all__:
        assert callable(getattr(metrics, name))
