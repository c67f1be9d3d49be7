import { readFileSync } from 'node:fs';
import { UsageError } from '../domain/errors.ts';
import type { Command } from 'commander';
import { Mode } from '../domain/run-settings.ts';
import { VerifyMode } from '../domain/verification.ts';
import { LISTEN_FORM, parseListenAddress, type ListenAddress } from '../domain/listen-address.ts';

/** A parser of a whole number in a range, for `option`. Throws `UsageError`. */
export function wholeNumber(option: string, least: number, most: number) {
  return (text: string): number => {
    const value = Number(text.replaceAll(/[_,](?=\d{3})/g, ''));
    if (text.trim() !== '' && Number.isInteger(value) && value >= least && value <= most)
      return value;
    throw new UsageError(
      `Expected ${option} to be a whole number from ${least} to ${most}, got "${text}".`,
    );
  };
}

/** A parser of an amount above 0, for `option`. Throws `UsageError`. */
export function amount(option: string) {
  return (text: string): number => {
    const value = /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : NaN;
    if (value > 0 && Number.isFinite(value)) return value;
    throw new UsageError(
      `Expected ${option} to be an amount above 0, such as 7.50, got "${text}".`,
    );
  };
}

/** A parser of one of a few words, for `option`. Throws `UsageError`. */
export function oneOf<const Word extends string>(option: string, words: readonly Word[]) {
  return (text: string): Word => {
    const word = words.find((each) => each === text);
    if (word !== undefined) return word;
    const list = words.map((each) => `"${each}"`).join(' or ');
    throw new UsageError(`Expected ${option} to be ${list}, got "${text}".`);
  };
}

/** A parser of `HOST:PORT` or `PORT`, for `option`. Throws `UsageError`. */
export function listenAddress(option: string) {
  return (text: string): ListenAddress => {
    const address = parseListenAddress(text);
    if (address) return address;
    throw new UsageError(`Expected ${option} to be ${LISTEN_FORM}, got "${text}".`);
  };
}

/** Collects a request of the user each time; `@FILE` stands for a file's content. Throws `UsageError`. */
export function collectRequest(text: string, before: readonly string[] = []): string[] {
  if (text.trim() === '')
    throw new UsageError('The request is empty: say what you want, or leave --request out.');
  return [...before, text.startsWith('@') ? readRequest(text.slice(1)) : text];
}

function readRequest(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(
      `There is no file ${path} to read as a request: check --request @${path}.`,
      {
        cause: error,
      },
    );
  }
  if (text.trim() === '') throw new UsageError(`The request in ${path} is empty.`);
  return text;
}

/** A parser of a cap: an amount above 0, or `none`, which is null. Throws `UsageError`. */
export function parseCap(option: string) {
  const parse = amount(option);
  return (text: string): number | null => (text === 'none' ? null : parse(text));
}

/** Adds `--mode`; `otherwise` says what holds without it. */
export function addModeOption(command: Command, otherwise: string): Command {
  return command.option(
    `--mode <${Mode.options.join('|')}>`,
    `how rounds are planned: by code alone, or by a model that sees the code as it is (default: ${otherwise})`,
    oneOf('--mode', Mode.options),
  );
}

/** Adds `--verify`; `otherwise` says what holds where it is left out. */
export function addVerifyOption(command: Command, otherwise: string): Command {
  return command.option(
    `--verify <${VerifyMode.options.join('|')}>`,
    `when a model holds each requirement against the code: never, when no file is left to write, or also after each round (default: ${otherwise})`,
    oneOf('--verify', VerifyMode.options),
  );
}
