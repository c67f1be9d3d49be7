import unittest

from explore.learn import LEARNERS
from explore.worlds import make_world


class LearnersLearn(unittest.TestCase):
    def setUp(self):
        self.world = make_world("FrozenLake-v1", seed=3)

    def test_tables_change(self):
        for name, cls in LEARNERS.items():
            with self.subTest(name):
                learner = cls(self.world, gamma=0.99, rate=0.1, scale=0.05, seed=3)
                learner.advance(200)
                self.assertEqual(learner.table.shape, self.world.shape)


if __name__ == "__main__":
    unittest.main()
