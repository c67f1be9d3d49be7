/** A place in a text, from 0, columns in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** One thing that the type checker says. */
export interface TypeDiagnostic {
  readonly path: string;
  readonly rule: string;
  readonly message: string;
  readonly start: Position;
  readonly end: Position;
}
