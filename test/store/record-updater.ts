// Raises the record's sequence by one, as often as told.
import { createRunFolders } from '../../src/store/run-folders.ts';

const [folder = '', times = '0'] = process.argv.slice(2);
const folders = createRunFolders(folder);
for (let time = 0; time < Number(times); time += 1) {
  await folders.update('toy', (record) => ({ ...record, sequence: record.sequence + 1 }));
}
