"""Prints what was paid back, from an export of the book."""

import json
import sys

import yaml


def load(path):
    with open(path) as file:
        if path.endswith(".yml"):
            return yaml.load(file)
        return json.load(file)


def total(orders, area):
    return sum(
        refund["cents"]
        for order in orders
        if area is "all" or order["area"] == area
        for refund in order["refunds"]
    )


def as_csv(orders):
    raise NotImplemented


if __name__ == "__main__":
    orders = load(sys.argv[1])
    assert (len(orders) > 0, "the export is empty")
    print(total(orders, sys.argv[2]))
