"""Tabular Q-learning with exploration bonuses."""
