import type { FileContext } from '../domain/file-context.ts';
import type { ChatMessage } from '../domain/message.ts';
import { fileMessage } from './file-message.ts';
import { outlineMessage } from './outline-message.ts';
import { paperMessages, stanceMessage } from './paper-prefix.ts';
import { WRITE_FORM, WRITING_RULES } from './write-file.ts';

const WAY = `How you work
You have several replies. In each you may look things up, write, edit and check; all that you ask for is done, in order, and you are shown what came of it. Ask for several things in one reply where none depends on another.
- Look before you write: where yours depends on a file of which only an interface or a plan is shown, read what you call. Do not read again what is shown here. The plan may be older than the code: the code counts.
- Then write the whole file, and mend it by edits.
- A write or edit with nothing behind it ends your work when the file is acceptable; what the checks find is told you first. @check says what is wrong with your file as it stands, beside the others' files.

The forms, each at the beginning of a line:

@read src/data.py
@read src/data.py 120-180
@search learning_rate warmup
@search in:src/ def build_*
@paper sec-3-1
@paper entropy bonus
@check

The whole of your file, in one block fenced by four backticks; when the content itself holds four backticks in a row, use more:

${WRITE_FORM}

Changes of your file: pairs of blocks, first a text that the file holds exactly once, then what takes its place; all of them are done, or none:

@edit path/of/the/file.py
\`\`\`\`
the text as it is
\`\`\`\`
\`\`\`\`
the text as it is to be
\`\`\`\`
@done

A reply ends with @done. If functions named read_file, search_repository, read_paper, write_file, edit_file and check_file are offered to you, calling them means the same; a whole file still comes best as @write, where nothing must be escaped. You can write your own file only.`;

/** The first turn on one file of an executor with tools. Its stable parts come first, as in `writeFile`. */
export function writeWithTools(context: FileContext): {
  readonly schemaId: string;
  readonly messages: readonly ChatMessage[];
} {
  const opening = context.isPaperShown ? paperMessages(context.paper) : [stanceMessage()];
  const { path } = context.file;
  const closing =
    context.currentText === null
      ? `Write ${path} now: the whole file, once you have looked up what you need.`
      : `Mend ${path} now: by edits where little changes, once you have looked up what you need.`;
  return {
    schemaId: TOOLS_SCHEMA_ID,
    messages: [
      ...opening,
      { role: 'user', content: `${WRITING_RULES}\n\n${WAY}\n\n${outlineMessage(context)}` },
      { role: 'user', content: fileMessage(context, closing) },
    ],
  };
}

/** Of all turns of an executor with tools. */
export const TOOLS_SCHEMA_ID = 'write-with-tools/1';
