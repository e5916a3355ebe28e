// Writes the numbers of the lines that documents link to.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repairLinks } from './rules/links.js';
import { ROOT } from './run-tool.js';
import { readSourceFiles } from './source-files.js';

for (const file of readSourceFiles(/\.md$/)) {
  const text = repairLinks(file);
  if (text !== file.text) writeFileSync(join(ROOT, file.path), text);
}
