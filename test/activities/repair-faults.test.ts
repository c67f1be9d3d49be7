import { CROSS_FAULTS } from './repair-faults.ts';
import { COURSES, MODES, playRepairs } from './repair-suite.ts';

/** Each fault once, and every course in both modes; test/full plays them all. */
describe('faults between files', () => {
  CROSS_FAULTS.forEach((fault, index) => {
    const course = COURSES[index % COURSES.length] ?? 'first';
    const mode = MODES[index % MODES.length] ?? 'fast';
    it(`end as they should in ${mode}, right at ${course}: a file that ${fault.name}`, () =>
      playRepairs({ fault, course, mode }));
  });
});
