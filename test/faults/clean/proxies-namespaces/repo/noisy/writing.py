import csv
import os


class Table:
    """Rows of a file that all have the same first columns."""

    def __init__(self, path, **always):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        self._always = always
        self._file = open(path, "a", newline="")
        self._writer = None

    def __getattr__(self, name):
        if name == "append":
            return self._append
        return getattr(self._file, name)

    def _append(self, **values):
        row = {**self._always, **values}
        if self._writer is None:
            self._writer = csv.DictWriter(self._file, list(row))
            if self._file.tell() == 0:
                self._writer.writeheader()
        self._writer.writerow(row)
