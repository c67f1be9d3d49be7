import { z } from 'zod';
import type { ToolCall } from './message.ts';

const path = z.string().min(1).describe('A path in the repository, such as src/model.py.');
const from = z.int().min(1).describe('The first line to show, from 1.').exactOptional();
const shrinks = z.string().describe('Why it is so much shorter than before.').exactOptional();

/** One use of a tool by the executor. Nothing but these arguments is accepted. */
export const ToolUse = z.discriminatedUnion('name', [
  z
    .strictObject({
      name: z.literal('read_file'),
      path,
      from,
      to: z.int().min(1).describe('The last line to show.').exactOptional(),
    })
    .describe('Shows a file of the repository, or some of its lines.'),
  z
    .strictObject({
      name: z.literal('search_repository'),
      words: z.string().min(1).describe('What a line should hold; * stands for anything.'),
      path: z.string().min(1).describe('A file or folder to search in.').exactOptional(),
    })
    .describe('Shows the lines of the repository that hold the most of the words.'),
  z
    .strictObject({
      name: z.literal('read_paper'),
      query: z.string().min(1).describe('An id such as sec-3-1, or words to search for.'),
      from,
    })
    .describe('Shows a part of the paper or a supplement by id, or the passages with some words.'),
  z
    .strictObject({
      name: z.literal('write_file'),
      path,
      content: z.string().describe('The whole file.'),
      shrinks,
    })
    .describe('Writes the whole of your file.'),
  z
    .strictObject({
      name: z.literal('edit_file'),
      path,
      edits: z
        .array(
          z.strictObject({
            search: z.string().min(1).describe('Text that the file holds exactly once.'),
            replace: z.string(),
          }),
        )
        .min(1)
        .max(50),
      shrinks,
    })
    .describe('Replaces pieces of your file, all of them or none.'),
  z
    .strictObject({ name: z.literal('check_file'), path: path.exactOptional() })
    .describe('Says what is wrong with your file as it stands.'),
]);
export type ToolUse = Readonly<z.infer<typeof ToolUse>>;

/** A piece of a file and what takes its place. */
export type Edit = Readonly<Extract<ToolUse, { name: 'edit_file' }>['edits'][number]>;

/** A call that can be carried out, or why it cannot, as a sentence for its caller. */
export type ToolReading =
  | { readonly kind: 'use'; readonly use: ToolUse }
  | { readonly kind: 'problem'; readonly problem: string };

/** A tool as a model is offered it; `parameters` is a JSON Schema. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** The executor's tools, in the order in which they are offered. */
export const OFFERED_TOOLS: readonly OfferedTool[] = ToolUse.options.map((option) => {
  const { name, ...rest } = option.shape;
  const { type, properties, required = [] } = z.toJSONSchema(z.strictObject(rest));
  return {
    name: name.value,
    description: option.description ?? '',
    parameters: { type, properties, required, additionalProperties: false },
  };
});

/**
 * Reads a call as a model sent it. Arguments that are not exactly JSON of the tool's shape are refused with the reason,
 * never repaired: they may hold code.
 */
export function readToolCall(call: Pick<ToolCall, 'name' | 'arguments'>): ToolReading {
  let value: unknown;
  try {
    // A tool that needs no arguments is sometimes called with nothing at all.
    value = call.arguments.trim() === '' ? {} : JSON.parse(call.arguments);
  } catch (error) {
    const why = error instanceof Error ? error.message.slice(0, 200) : '';
    return problem(
      `The arguments of ${call.name} are not JSON (${why}), and are not guessed at. Send a file as @write or @edit with fenced blocks, which need no escaping.`,
    );
  }
  return readToolUse(call.name, value);
}

/** Checks the arguments of a tool, in whatever form they came. */
export function readToolUse(name: string, value: unknown): ToolReading {
  if (!OFFERED_TOOLS.some((tool) => tool.name === name)) {
    const known = OFFERED_TOOLS.map((tool) => tool.name).join(', ');
    return problem(`There is no tool "${name.slice(0, 80)}"; there are ${known}.`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return problem(`The arguments of ${name} must be a JSON object.`);
  // Many models send null for what they leave out.
  const given = Object.entries(value).filter(([, each]) => each !== null);
  const parsed = ToolUse.safeParse({ ...Object.fromEntries(given), name });
  if (parsed.success) return { kind: 'use', use: parsed.data };
  const issues = parsed.error.issues
    .slice(0, 3)
    .map((issue) => `${issue.path.join('.') || 'arguments'}: ${issue.message.slice(0, 200)}`);
  return problem(`The arguments of ${name} do not fit: ${issues.join('; ')}.`);
}

function problem(sentence: string): ToolReading {
  return { kind: 'problem', problem: sentence };
}
