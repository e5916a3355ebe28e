// Mutation tests of the ledger's and the engine's rules: `npm run mutation [-- FILE… | --since REF]`. Stryker changes one
// expression at a time and runs the unit tests that reach it; a mutant that no test fails for has survived. Prints the score
// of each file. Fails when a mutant of a file in `PROVEN` survives that `survivors.ts` does not list.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { PROVEN, SURVIVORS, type Survivor } from './survivors.js';

type MutantResult = Awaited<ReturnType<Stryker['runMutationTest']>>[number];

const ROOMS = [
  'services/billing-ledger/src/domain',
  'services/workflow-engine/src/domain',
  'packages/rpc/src/call.ts',
  'packages/rpc/src/lanes/lane-flow.ts',
];
const CAUGHT = new Set(['Killed', 'Timeout']);
const MISSED = new Set(['Survived', 'NoCoverage']);

const { values, positionals } = parseArgs({ options: { since: { type: 'string' } }, allowPositionals: true });
const files = values.since === undefined ? positionals : changedFiles(values.since);
if (values.since !== undefined && files.length === 0) console.info('mutation: no rule has changed');
else process.exitCode = judge(await mutate(files));

/** The rules that differ from the common ancestor with a Git reference. */
function changedFiles(reference: string): string[] {
  const range = ['diff', '--name-only', '--diff-filter=d', '--merge-base', reference, '--', ...ROOMS];
  const { status, stdout, stderr } = spawnSync('git', range, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`git cannot compare with ${reference}: ${stderr.trim()}`);
  return stdout.split('\n').filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
}

function mutate(only: readonly string[]): Promise<MutantResult[]> {
  const all = ROOMS.map((room) => (room.endsWith('.ts') ? room : `${room}/**/*.ts`));
  return new Stryker({
    mutate: [...(only.length > 0 ? only : all), '!**/*.test.ts'],
    plugins: ['@stryker-mutator/jest-runner'],
    testRunner: 'jest',
    testRunnerNodeArgs: ['--experimental-vm-modules', '--no-warnings'],
    jest: { projectType: 'custom', configFile: 'tests/mutation/jest.config.mjs', enableFindRelatedTests: true },
    coverageAnalysis: 'perTest',
    reporters: ['progress-append-only'],
    tempDirName: '.mutation',
    ignorePatterns: ['**/dist', '**/.turbo'],
    disableTypeChecks: false,
    allowConsoleColors: false,
  }).runMutationTest();
}

/** Prints the scores and the survivors; returns the exit code. */
function judge(results: readonly MutantResult[]): number {
  const counted = results.filter(({ status }) => CAUGHT.has(status) || MISSED.has(status));
  const missed = counted.filter(({ status }) => MISSED.has(status)).map(toSurvivor);
  const known = new Set(SURVIVORS.map(toKey));
  const unlisted = missed.filter((mutant) => PROVEN.includes(mutant.file) && !known.has(toKey(mutant)));
  for (const { file, line, was, becomes } of missed)
    console.info(`survived: ${file}:${line}: ${oneLine(was)} → ${oneLine(becomes)}`);
  for (const file of [...new Set(counted.map(({ fileName }) => fileName))].sort())
    console.info(`${score(counted.filter(({ fileName }) => fileName === file))}  ${relative(process.cwd(), file)}`);
  console.info(`${score(counted)}  all`);
  for (const { file, line } of unlisted)
    console.error(`${file}:${line}: a new survivor: test it, or list it with a reason`);
  return counted.length > 0 && unlisted.length === 0 ? 0 : 1;
}

function score(mutants: readonly MutantResult[]): string {
  const caught = mutants.filter(({ status }) => CAUGHT.has(status)).length;
  return `${((100 * caught) / mutants.length).toFixed(1).padStart(5)} % of ${mutants.length} mutants caught`;
}

function toSurvivor({ fileName, location, replacement = '' }: MutantResult): Survivor & { line: number } {
  const { start, end } = location;
  const lines = readFileSync(fileName, 'utf8')
    .split('\n')
    .slice(start.line - 1, end.line);
  lines[lines.length - 1] = lines.at(-1)!.slice(0, end.column - 1);
  lines[0] = lines[0]!.slice(start.column - 1);
  const file = relative(process.cwd(), fileName);
  return { file, line: start.line, was: lines.join('\n'), becomes: replacement, reason: '' };
}

function toKey({ file, was, becomes }: Survivor): string {
  return [file, oneLine(was), oneLine(becomes)].join('\n');
}

function oneLine(code: string): string {
  return code.replace(/\s+/g, ' ');
}
