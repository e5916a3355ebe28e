// Writes tests/architecture/exceptions.ts from the tree: `npx tsx tests/architecture/write-exceptions.ts`.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { exceptionFor, findViolations, RULES, type RuleName } from './rules/index.js';
import { runTool } from './run-tool.js';

const lines = (Object.keys(RULES) as RuleName[]).map((name) => {
  const violations = findViolations(name);
  const places = [...new Set(violations.map(({ path }) => exceptionFor(name, path)))].sort();
  console.info(`${name}: ${violations.length} violations in ${places.length} places`);
  return places.length === 0
    ? `  ${name}: [],`
    : `  ${name}: [\n${places.map((place) => `    '${place}',\n`).join('')}  ],`;
});

const head = `// Places that do not keep a rule yet. Written by write-exceptions.ts; the lists only shrink.
import type { RuleName } from './rules/index.js';

export const exceptions: Readonly<Record<RuleName, readonly string[]>> = {
`;
const file = fileURLToPath(new URL('./exceptions.ts', import.meta.url));
writeFileSync(file, `${head}${lines.join('\n')}\n};\n`);
runTool('biome', ['format', '--write', file]);
