import type { FileInterface } from '../domain/interface.ts';
import type { SettingsFacts } from './settings-facts.ts';
import type { CodeFacts } from './code-facts.ts';

/** What a file's name says it holds; `text` is anything else. */
export type Language = 'python' | 'json' | 'yaml' | 'toml' | 'shell' | 'markdown' | 'text';

/** Something that makes one file unusable, whatever the others hold. */
export interface ParseProblem {
  readonly kind: 'empty' | 'cut-off' | 'does-not-parse';
  /** From 1; 0 when it concerns the file as a whole. */
  readonly line: number;
  /** Part of a sentence: `unexpected ")"`. */
  readonly message: string;
}

/** One import statement with its place; `import a, b` makes two. */
export interface ImportUse {
  readonly module: string;
  /** Leading dots; 0 for an absolute import. */
  readonly level: number;
  /** Null for `import module`. */
  readonly names: readonly { readonly name: string; readonly alias: string | null }[] | null;
  /** The alias of `import module as alias`. */
  readonly alias: string | null;
  readonly line: number;
  /** The enclosing definition, empty at module level. */
  readonly symbol: string;
  /** `guarded` stands for a try that catches ImportError, `typing` for `if TYPE_CHECKING:`. */
  readonly place: 'module' | 'function' | 'guarded' | 'typing';
}

/** An attribute read off an imported name, such as `models.net.build`, where the name is bound by nothing else. */
export interface AttributeUse {
  readonly chain: string;
  readonly line: number;
  readonly symbol: string;
}

/** A function or class that does nothing where it should do something. */
export interface HollowDefinition {
  /** Qualified: `Trainer.fit`. */
  readonly symbol: string;
  readonly line: number;
  /** Part of a sentence: `has only "pass" as its body`. */
  readonly reason: string;
  /** A method that raises NotImplementedError: abstract by convention, if a class anywhere in the tree overrides it. */
  readonly mayBeAbstract: boolean;
}

/** Code that runs and yet does not do what it seems to, decided on its file alone. */
export interface FileFault {
  readonly kind: 'silent-fallback' | 'ignored-input' | 'dropped-value';
  /** The enclosing definition and the name: `Trainer.fit: kl_loss`. */
  readonly symbol: string;
  readonly line: number;
  /** Part of a sentence, with its line. */
  readonly message: string;
  readonly remedy: string;
}

/** All that the diagnostics need to know of one file, as plain JSON; made from its text alone. */
export interface ParsedFile {
  readonly path: string;
  readonly language: Language;
  readonly problems: readonly ParseProblem[];
  /** Without what star imports bring; whether those are local only the whole tree can tell. */
  readonly interface: FileInterface;
  readonly hollow: readonly HollowDefinition[];
  readonly faults: readonly FileFault[];
  readonly imports: readonly ImportUse[];
  readonly attributes: readonly AttributeUse[];
  /** Attributes set on imported names from outside: `config.DEVICE` after `config.DEVICE = "cpu"`. */
  readonly assigned: readonly string[];
  /** The literal `__all__`, or null when there is none or it is computed. */
  readonly exported: readonly string[] | null;
  /** Holds `if __name__ == "__main__":`. */
  readonly isScript: boolean;
  /** Changes `sys.path`, so what it can import is not decidable. */
  readonly extendsPath: boolean;
  /** Packages that a requirements file, `pyproject.toml`, `environment.yml` or `setup.py` names, normalised; null for other files. */
  readonly declares: readonly string[] | null;
  /** What it says of settings, names and results. */
  readonly settings: SettingsFacts;
  /** What checks across files need of its code and commands. */
  readonly code: CodeFacts;
}
