import { readHostilePrograms } from '../processes/hostile/hostile-program.ts';
import { describeHostilePrograms } from '../processes/hostile/hostile-suite.ts';

// Those that every test run tries have been tried by then.
describeHostilePrograms(readHostilePrograms());
