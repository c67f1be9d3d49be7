from common.cli import Metrics, add_common, prepare, runner
