const IN_TESTS = /(^|\/)(tests?\/|test_[^/]*\.py$|conftest\.py$|[^/]*_test\.py$)/;

/** Whether a file is a test: these read what is not there on purpose, and bring settings and names of their own. */
export function isTest(path: string): boolean {
  return IN_TESTS.test(path);
}
