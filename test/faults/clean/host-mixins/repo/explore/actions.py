import argparse


class Positive(argparse.Action):
    """Stores a number and refuses those that are not above zero."""

    def __call__(self, parser, namespace, values, option_string=None):
        if values <= 0:
            parser.error(f"{option_string} must be positive, for {self.dest} is {values}")
        setattr(namespace, self.dest, values)
