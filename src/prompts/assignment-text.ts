import type { FileContext } from '../domain/file-context.ts';

/** What whoever plans the rounds says to the one who writes this file; empty where nobody does. */
export function assignmentText({ assignment }: Pick<FileContext, 'assignment'>): string {
  if (!assignment) return '';
  const { reason, instructions, integrationNotes, checks } = assignment;
  const parts = [
    ...(reason === '' ? [] : [`Why now: ${reason}`]),
    ...(instructions === '' ? [] : [`To do:\n${instructions}`]),
    ...(integrationNotes === '' ? [] : [`To fit, as the code is now:\n${integrationNotes}`]),
    ...(checks.length === 0
      ? []
      : [`Afterwards it is checked that:\n${checks.map(({ text }) => `- ${text}`).join('\n')}`]),
  ];
  if (parts.length === 0) return '';
  return `# This round's word on your file\nFrom a colleague who has seen the state of the whole repository. It outranks the plan's entry; where it and the paper differ, the paper is right.\n${parts.join('\n')}`;
}
