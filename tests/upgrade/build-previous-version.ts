// Builds the previous version before the tests: `npx tsx tests/upgrade/build-previous-version.ts`.
import { buildPreviousVersion } from './previous-version.js';

const { root } = buildPreviousVersion((line) => console.error(line));
console.error(`the previous version is in ${root}`);
