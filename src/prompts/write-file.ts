import type { FileContext } from '../domain/file-context.ts';
import type { ChatMessage } from '../domain/message.ts';
import { fileMessage } from './file-message.ts';
import { outlineMessage } from './outline-message.ts';
import { paperMessages, stanceMessage } from './paper-prefix.ts';
import type { Prompt } from './prompt.ts';
import { readWrite, type WriteAnswer } from './write-answer.ts';

const DEFAULT_OUTPUT_TOKENS = 32_000;

/** What a file must be, whoever writes it and however it is sent. */
export const WRITING_RULES = `# Your work: write one file of the repository
Further below stand the plan, then the file that is yours. Others write the other files, some at this moment.

Fidelity
- Implement every requirement that the file owns, fully, as the paper's words say: signs, constants, normalisation, order of updates, stopped gradients, edge cases. The plan's entry is a reading of the paper; where it and the paper differ, follow the paper and say so under @doubts.
- A short comment names the equation, section or table at the place that implements it, by the paper's own numbering (Eq. (7), Table 1, Sec. 4.1), never by our ids (eq-u1, tab-1, R12): readers of the repository do not have them.
- Everything that the paper varies or tunes is an argument or a configuration key, and it *reaches its use*. No accepted and ignored parameter, no flag that nobody reads, no literal where a key exists.
- Every name on an axis of an experiment that this file dispatches maps to its own method. Unknown names raise an error that lists the known ones.
- Log *during* the process: each measure at the stated times, to the stated file, with its step and seed. Compute what the tables derive. Headers name the unit, and the base of a logarithm.
- Baselines get the same care, budget and seeds as the paper's method; no run has a seed of its own unless the plan gives it one.
- What compares rows refuses rows of other settings, and times of different devices; a claim is checked in direction and size.
- An open reading is decided as the plan says, the other being a switch, and a comment names both.

Honesty
- No placeholder, no TODO, no NotImplementedError outside abstract methods, no "simplified" version, no elision such as "rest as before".
- No silent fallback: no except ImportError with a stand-in, no synthetic data or random numbers when the real ones are absent, no blanket except. The default path uses the paper's data and sizes, and fails with instructions when they are absent. --smoke shrinks sizes only; it changes no method.
- A value that matters to a result comes from the configuration, stated by the paper or not (sizes and colours of a plot do not matter). Where you need one that has no key, make it an argument with a default, mark it "inferred" in a comment, and name it under @doubts.

Fit
- The repository's root is the import root: src/a/b.py is src.a.b.
- Use what is there. For files shown with their code or interface, call exactly what they define, with the arguments they take. For files not written yet, use exactly their planned signatures. Invent no function, argument, attribute or configuration key of another file.
- Offer every planned signature of your file, under the same names and arguments, as others are written against it. You may add to it.
- Import only the standard library, planned files and the packages of the environment, and use them as those versions have them.
- Runners: argparse, main(), --config, --seed, --smoke, results to files; import nothing heavy before the arguments are parsed where that is easy. Nothing happens on import of any module.
- No dead code: each function is reached from a command, a test or another file's planned call. No parameter that nobody passes. Import registries; repeat no list of names.
- About the planned number of lines. Values are checked once, where a person's input enters; what a caller in this repository guarantees is not checked again.
- Type hints, short docstrings, tensor shapes in comments where they matter. Readable, not clever. No operation that the framework cannot differentiate, no loop where the library has a call.`;

/** A whole file, as both kinds of executor send it. */
export const WRITE_FORM = `@write path/of/the/file.py
\`\`\`\`python
the complete file
\`\`\`\`
@met
R7: Class.method
(one line for each owned requirement: where it is met, or why it is not; none when the file owns none)
@doubts
- what you could not know, what in other files must fit, where you left the plan; or "none"
@done`;

const TASK = `${WRITING_RULES}

Answer in exactly this form, the whole file in one block fenced by four backticks; when the content itself holds four backticks in a row, use more:

${WRITE_FORM}`;

/**
 * The executor's first turn for one file; for a repair, with its present text and findings. Stable parts come first:
 * stance, supplements and paper, the rules, the plan; what differs from file to file is the last message.
 */
export function writeFile(
  context: FileContext,
  maxOutputTokens = DEFAULT_OUTPUT_TOKENS,
): Prompt<WriteAnswer> {
  const path = context.file.path;
  const opening: ChatMessage[] = context.isPaperShown
    ? paperMessages(context.paper)
    : [stanceMessage()];
  return {
    schemaId: 'write-file/1',
    messages: [
      ...opening,
      { role: 'user', content: `${TASK}\n\n${outlineMessage(context)}` },
      { role: 'user', content: fileMessage(context) },
    ],
    maxOutputTokens,
    read: (reply) => readWrite(reply, path),
  };
}
