from engine.hooks import *
from engine.trainer import Schedule, Trainer
