#!/usr/bin/env python
"""Evaluates a chain of blocks from the command line, e.g. `./evaluate.py 3 --factor 2`."""
import argparse

from core.graph import Order, from_specification

if __name__ == "__main__":
    parser = argparse.ArgumentParser(formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("value", type=float)
    parser.add_argument("--factor", type=float, default=2.0)
    parser.add_argument("--order", type=Order, choices=list(Order), default=Order.FORWARD)
    parser.add_argument("--verbose", "-v", action=argparse.BooleanOptionalAction)
    ns = parser.parse_args()
    graph = from_specification({"type": "Scale", "factor": ns.factor}, {"type": "Shift"})
    graph["block-1"].offset = -1.0
    if ns.verbose:
        for block in graph:
            print(block.describe(prefix="* "))
    print(graph.evaluate(ns.value, order=ns.order))
