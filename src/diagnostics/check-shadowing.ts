import { folderOf, type ModuleMap } from './module-map.ts';
import type { Sighting } from './sightings.ts';
import { STANDARD_LIBRARY } from './standard-library.ts';

/** What Python's own modules and the usual libraries load on their own: hiding one of these breaks them. */
const LOADED_BY_OTHERS: ReadonlySet<string> = new Set(
  'argparse array ast asyncio base64 bdb bisect bz2 calendar cmd code codeop collections concurrent configparser contextlib contextvars copy copyreg cProfile csv ctypes dataclasses datetime decimal difflib dis email enum fnmatch fractions functools getpass gettext glob gzip hashlib heapq hmac html http importlib inspect ipaddress json keyword linecache locale logging lzma mimetypes mmap multiprocessing numbers opcode operator pathlib pdb pickle pkgutil platform plistlib pprint profile pstats pydoc queue random re reprlib resource runpy secrets select selectors shlex shutil signal socket socketserver sqlite3 ssl statistics string struct subprocess sysconfig tarfile tempfile textwrap threading timeit token tokenize traceback types typing unittest urllib uuid warnings weakref xml zipfile zoneinfo'.split(
    ' ',
  ),
);
/** In memory before a script's folder is looked at, or removed from the Pythons in use, whatever the folder holds. */
const NEVER_HIDDEN =
  /^(__future__|_thread|_collections_abc|abc|atexit|builtins|codecs|encodings|errno|faulthandler|gc|genericpath|io|itertools|marshal|math|nt|ntpath|os|posix|posixpath|pwd|site|stat|sys|test|time|winreg|zipimport|aifc|asynchat|asyncore|audioop|binhex|cgi|cgitb|chunk|crypt|distutils|dummy_threading|formatter|imghdr|imp|lib2to3|mailcap|msilib|nis|nntplib|ossaudiodev|parser|pipes|smtpd|sndhdr|spwd|sunau|symbol|telnetlib|uu|xdrlib)$/;

/** Modules at the top of an import path that Python finds before its own of that name, where somebody needs Python's. */
export function checkShadowing(map: ModuleMap): Sighting[] {
  const files = [...map.files.values()].filter(({ language }) => language === 'python');
  const scripts = files.filter(({ isScript, path }) => isScript && !isTest(path));
  // `python -m` and scripts at the top start from the root; other scripts from their own folder.
  const starts = new Set(['', ...scripts.map(({ path }) => folderOf(path))]);
  return files.flatMap(({ path }) => {
    const folder = path.replace(/(\/__init__)?\.pyi?$/, '');
    const name = folder.split('/').at(-1) ?? '';
    if (!starts.has(folderOf(folder)) || !STANDARD_LIBRARY.has(name) || NEVER_HIDDEN.test(name))
      return [];
    // Scripts in a package are run with `-m`, from outside of it.
    if (folderOf(folder) !== '' && map.has(`${folderOf(folder)}/__init__.py`)) return [];
    const user = files.find(
      (file) =>
        file.path !== path &&
        file.imports.some((use) => use.level === 0 && use.module.split('.')[0] === name),
    );
    if (user === undefined && !LOADED_BY_OTHERS.has(name)) return [];
    return [shadowing(path, name, user?.path)];
  });
}

function isTest(path: string): boolean {
  return /(^|\/)(tests?\/|test_|conftest)/.test(path);
}

function shadowing(path: string, name: string, user: string | undefined): Sighting {
  const whose = user === undefined ? "Python's own modules and libraries" : user;
  return {
    kind: 'shadowed-module',
    path,
    symbol: name,
    line: 0,
    message: () =>
      `${path} has the name of Python's own module \`${name}\`, which ${whose} import${user === undefined ? '' : 's'}, so what starts from this folder gets this file in its place.`,
    remedy: `Give ${path} another name, or move it into a package, and change its importers.`,
  };
}
