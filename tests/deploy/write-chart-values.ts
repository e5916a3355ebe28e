// Writes the table of values into the chart's README: `npx tsx tests/deploy/write-chart-values.ts`.
import { readFileSync, writeFileSync } from 'node:fs';
import { readmeFile, withValuesTable } from './chart-values.js';

writeFileSync(readmeFile, withValuesTable(readFileSync(readmeFile, 'utf8')));
