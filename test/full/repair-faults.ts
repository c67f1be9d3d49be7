import { CROSS_FAULTS } from '../activities/repair-faults.ts';
import { COURSES, MODES, playRepairs } from '../activities/repair-suite.ts';

describe('twenty faults between files, in every course of their repair', () => {
  for (const mode of MODES)
    for (const fault of CROSS_FAULTS)
      for (const course of COURSES)
        it(`${mode}, right at ${course}: a file that ${fault.name}`, () =>
          playRepairs({ fault, course, mode }));
});
