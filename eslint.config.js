import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist', 'node_modules'] },
  ...tseslint.configs.strictTypeChecked.map((config) => ({
    ...config,
    files: ['{src,test}/**/*.ts'],
  })),
  {
    files: ['{src,test}/**/*.ts'],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      // A forgotten await in a workflow is a bug that nobody sees.
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      // Interfaces of activities and stores take async functions that have nothing to await in a double.
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidOperator: true },
      ],
      // Narrow bounds (`record[key]` after a check) read better than a Map for data that must stay plain JSON.
      '@typescript-eslint/no-dynamic-delete': 'off',
      '@typescript-eslint/no-unnecessary-condition': 'off',
      'no-console': 'error',
    },
  },
  { files: ['test/**/*.ts', 'src/client.ts'], rules: { 'no-console': 'off' } },
);
