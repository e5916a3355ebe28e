// report.mjs RESULTS_FILE EXIT_CODE [RESULTS_FILE EXIT_CODE]...: closes test runs with the line `N passed, N failed`.
// RESULTS_FILE is Jest's JSON; EXIT_CODE is that of the build or of `npm test`. A suite that could not run counts as one
// failure, and so does an exit code that no failed test explains (a failed build, lint or boundary check).
import { existsSync, readFileSync } from 'node:fs';

let passed = 0;
let failed = 0;
let skipped = 0;
for (let at = 2; at < process.argv.length; at += 2) add(process.argv[at], process.argv[at + 1]);
if (skipped > 0) console.log(`skipped: ${skipped}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

function add(resultsFile, exitCode) {
  const results = existsSync(resultsFile) ? JSON.parse(readFileSync(resultsFile, 'utf8')) : undefined;
  const failedHere = (results?.numFailedTests ?? 0) + (results?.numRuntimeErrorTestSuites ?? 0);
  passed += results?.numPassedTests ?? 0;
  failed += failedHere;
  skipped += (results?.numPendingTests ?? 0) + (results?.numTodoTests ?? 0);
  for (const suite of results?.testResults ?? []) {
    if (suite.status !== 'failed') continue;
    const tests = suite.assertionResults.filter((test) => test.status === 'failed');
    console.log(`failed: ${suite.name.replace(`${process.cwd()}/`, '')}`);
    for (const test of tests) console.log(`  - ${test.fullName}`);
  }
  if (!results) console.log('no test result was written');
  if (failedHere === 0 && (exitCode !== '0' || !results?.numPassedTests)) {
    console.log(exitCode === '0' ? 'no test ran' : `the run ended with code ${exitCode} though no test failed`);
    failed += 1;
  }
}
