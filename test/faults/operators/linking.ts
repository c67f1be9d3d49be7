import { textAt } from '../corpus.ts';
import type { Repository, Tree } from '../corpus.ts';
import {
  closingOf,
  definitionsOf,
  localImports,
  partsBetween,
  pythonFiles,
} from '../python-text.ts';
import type { LocalImport } from '../python-text.ts';
import { isTest, renamed, spliced } from './operator.ts';
import type { Mutation, Operator } from './operator.ts';

/** Operators after which one file no longer fits another. */
export const LINKING: readonly Operator[] = [
  { name: 'rename a definition', sites: ({ tree }) => definitionsRenamed(tree) },
  { name: 'drop a re-export', sites: ({ tree }) => reexportsDropped(tree) },
  { name: 'delete a module', sites: ({ tree }) => modulesDeleted(tree) },
  { name: 'rename at one use', sites: ({ tree }) => usesRenamed(tree) },
  { name: 'drop an argument', sites: ({ tree }) => calls(tree).flatMap(withoutLast) },
  { name: 'add a keyword', sites: ({ tree }) => calls(tree).flatMap(withKeyword) },
  { name: 'add an argument', sites: ({ tree }) => calls(tree).flatMap(withArgument) },
  { name: 'import in a circle', sites: ({ tree }) => circles(tree) },
  { name: 'name a module like a standard one', sites: shadowing },
];

function importersOf(tree: Tree, module: string, name: string): LocalImport[] {
  return localImports(tree).filter((one) => one.module === module && one.names.includes(name));
}

function definitionsRenamed(tree: Tree): Mutation[] {
  return pythonFiles(tree).flatMap(([path, text]) =>
    definitionsOf(text).flatMap(({ name }) => {
      const importers = importersOf(tree, path, name);
      if (importers.length === 0 || path.endsWith('__init__.py')) return [];
      return [
        {
          what: `${name} has another name in ${path}`,
          kinds: ['unresolved-name', 'unresolved-import'],
          paths: importers.map(({ importer }) => importer),
          word: name,
          changes: { [path]: renamed(text, name, `${name}_impl`) },
        },
      ];
    }),
  );
}

function reexportsDropped(tree: Tree): Mutation[] {
  const imports = localImports(tree);
  return imports
    .filter(({ importer }) => importer.endsWith('__init__.py'))
    .flatMap(({ importer, line, names }) =>
      names.flatMap((name) => {
        const users = imports.filter((one) => one.module === importer && one.names.includes(name));
        const rest = names.filter((other) => other !== name);
        const text = textAt(tree, importer);
        const elsewhere = text.replace(line, '').replace(/__all__[^]*/, '');
        if (users.length === 0 || rest.length === 0 || elsewhere.includes(name)) return [];
        const shorter = line.replace(/import .*/, `import ${rest.join(', ')}`);
        return [
          {
            what: `${importer} does not pass on ${name}`,
            kinds: ['unresolved-name', 'unresolved-import'],
            paths: [importer, ...users.map((user) => user.importer)],
            word: name,
            changes: { [importer]: text.replace(line, shorter) },
          },
        ];
      }),
    );
}

function modulesDeleted(tree: Tree): Mutation[] {
  const imports = localImports(tree);
  return [...new Set(imports.map(({ module }) => module))]
    .filter((path) => !path.endsWith('__init__.py'))
    .map((path) => ({
      what: `${path} is not there`,
      kinds: ['missing', 'unresolved-import'],
      paths: [path, ...imports.filter((one) => one.module === path).map((one) => one.importer)],
      word: '',
      changes: { [path]: null },
    }));
}

/** Both the import and the uses in one file speak of a name that the other file does not have. */
function usesRenamed(tree: Tree): Mutation[] {
  return localImports(tree).flatMap(({ importer, module, names }) =>
    names
      .filter((name) => definitionsOf(textAt(tree, module)).some((one) => one.name === name))
      .map((name) => ({
        what: `${importer} says new_${name}`,
        kinds: ['unresolved-name', 'unresolved-import'],
        paths: [importer],
        word: `new_${name}`,
        changes: { [importer]: renamed(textAt(tree, importer), name, `new_${name}`) },
      })),
  );
}

/** A call in one file of a function that another file defines, without stars. */
interface Call {
  readonly path: string;
  readonly text: string;
  readonly name: string;
  readonly parameters: readonly string[];
  readonly arguments: readonly string[];
  readonly from: number;
  readonly to: number;
}

function calls(tree: Tree): Call[] {
  return localImports(tree).flatMap(({ importer: path, module, names }) =>
    definitionsOf(textAt(tree, module)).flatMap(({ name, parameters }) => {
      if (parameters === undefined || !names.includes(name) || isTest(path)) return [];
      const text = textAt(tree, path);
      return [...text.matchAll(new RegExp(`(?<![\\w.])${name}\\(`, 'g'))].flatMap(
        ({ 0: head, index }) => {
          const from = index + head.length;
          const to = closingOf(text, from - 1);
          if (to === undefined) return [];
          const given = partsBetween(text, from, to);
          if (given.some((one) => one.startsWith('*') || / for /.test(one))) return [];
          return [{ path, text, name, parameters, arguments: given, from, to }];
        },
      );
    }),
  );
}

const isKeyword = (argument: string): boolean => /^\w+ *=[^=]/.test(argument);

function withoutLast(call: Call): Mutation[] {
  const required = call.parameters.filter((one) => !one.includes('=') && !one.startsWith('*'));
  const places = call.parameters.findIndex((one) => one.startsWith('*'));
  const positional = places < 0 ? required : required.slice(0, places);
  const last = call.arguments.length - 1;
  const parameter = positional[last];
  if (parameter === undefined || call.arguments.some(isKeyword)) return [];
  return [
    wrongCall(
      call,
      call.arguments.slice(0, -1),
      'an argument less',
      /^\w+/.exec(parameter)?.[0] ?? '',
    ),
  ];
}

function withKeyword(call: Call): Mutation[] {
  if (call.parameters.some((one) => one.startsWith('**'))) return [];
  return [
    wrongCall(call, [...call.arguments, 'use_cache=True'], 'an unknown keyword', 'use_cache'),
  ];
}

function withArgument(call: Call): Mutation[] {
  const full = call.arguments.length === call.parameters.length;
  if (!full || call.arguments.some(isKeyword) || call.parameters.some((one) => /^[*/]/.test(one)))
    return [];
  return [wrongCall(call, [...call.arguments, 'None'], 'an argument more', call.name)];
}

function wrongCall(call: Call, given: readonly string[], how: string, word: string): Mutation {
  return {
    what: `${call.path} calls ${call.name} with ${how}`,
    kinds: ['wrong-call'],
    paths: [call.path],
    word,
    changes: { [call.path]: spliced(call.text, call.from, call.to, given.join(', ')) },
  };
}

/** The module that is imported from imports from its importer, above everything that it defines. */
function circles(tree: Tree): Mutation[] {
  return localImports(tree).flatMap(({ importer, module }) => {
    const back = definitionsOf(textAt(tree, importer))[0]?.name;
    const text = textAt(tree, module);
    const isInit = [importer, module].some((path) => path.endsWith('__init__.py'));
    const first = /^(?:import|from) (?!__future__)/m.exec(text)?.index;
    if (back === undefined || first === undefined || isInit || isTest(importer)) return [];
    const from = importer
      .replace(/^src\/gated/, 'gated')
      .replace(/\.py$/, '')
      .replaceAll('/', '.');
    return [
      {
        what: `${module} imports ${back} back from ${importer}`,
        kinds: ['import-cycle', 'unresolved-import'],
        // A longer way around may be told at any of its files.
        paths: ['*'],
        word: module,
        changes: { [module]: spliced(text, first, first, `from ${from} import ${back}\n`) },
      },
    ];
  });
}

/** A module at the root, its importers following, gets the name of one that packages import. */
function shadowing({ tree }: Repository): Mutation[] {
  const modules = [...new Set(localImports(tree).map(({ module }) => module))];
  return modules
    .filter((path) => !path.includes('/'))
    .flatMap((path) => {
      const name = path.replace(/\.py$/, '');
      const plain = pythonFiles(tree).some(([, text]) =>
        new RegExp(`^import ${name}\\b`, 'm').test(text),
      );
      if (plain) return [];
      return ['types', 'queue', 'copy'].map((standard) => ({
        what: `${path} is called ${standard}.py`,
        kinds: ['shadowed-module' as const],
        paths: [`${standard}.py`],
        word: standard,
        moved: { [path]: `${standard}.py` },
        changes: {
          ...Object.fromEntries(
            pythonFiles(tree).map(([other, text]) => [
              other,
              text.replaceAll(`from ${name} import`, `from ${standard} import`),
            ]),
          ),
          [`${standard}.py`]: textAt(tree, path),
          [path]: null,
        },
      }));
    });
}
