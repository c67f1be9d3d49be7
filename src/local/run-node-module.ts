import { runCommand, type CommandRequest, type CommandResult } from '../processes/run-command.ts';
import { nodeArguments } from './node-arguments.ts';

/** Runs a module of ours by this Node, in a process of its own, to its end. Never throws: every failure is a value. */
export function runNodeModule(
  request: Omit<CommandRequest, 'command'> & {
    readonly modulePath: string;
    readonly nodeOptions: readonly string[];
  },
): Promise<CommandResult> {
  const { modulePath, nodeOptions, ...rest } = request;
  const args = [...nodeOptions, ...nodeArguments(modulePath), ...request.args];
  return runCommand({ ...rest, command: process.execPath, args });
}
