import { readHostilePrograms } from './hostile/hostile-program.ts';
import { describeHostilePrograms } from './hostile/hostile-suite.ts';

// All of them: test/full/hostile-programs.ts.
describeHostilePrograms(readHostilePrograms().filter(({ isShort }) => isShort === true));
