// Starts run-jobs.ts where no build was made: in tests, and in `npm run dev`.
import { tsImport } from 'tsx/esm/api';

await tsImport('./run-jobs.ts', import.meta.url);
