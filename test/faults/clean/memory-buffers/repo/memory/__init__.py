from memory.modules import MEMORIES, Recaller
from memory.task import recall_batch

__all__ = ["MEMORIES", "Recaller", "recall_batch"]
