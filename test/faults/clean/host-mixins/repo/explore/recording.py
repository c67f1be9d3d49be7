import json
import logging
import os
import threading


class JsonLines(logging.Handler):
    """Writes what is passed as `extra` to one file."""

    fields = ("step", "evaluation_return", "states_seen")

    def __init__(self, path):
        super().__init__()
        os.makedirs(os.path.dirname(path), exist_ok=True)
        self.path = path

    def emit(self, record):
        row = {name: getattr(record, name) for name in self.fields}
        if self.formatter is not None:
            row["message"] = self.formatter.format(record)
        with self.lock, open(self.path, "a") as stream:
            stream.write(json.dumps(row) + "\n")


class Beat(threading.Thread):
    """Says every minute that the run is alive."""

    def __init__(self, seconds=60.0):
        super().__init__(name="beat", daemon=True)
        self.seconds = seconds
        self.stopped = threading.Event()

    def run(self):
        while not self.stopped.wait(self.seconds):
            logging.getLogger(self.name).info("alive, started as %s", self.ident)
