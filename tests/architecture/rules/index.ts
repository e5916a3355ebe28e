// Every rule that reads the tree, by name; tests/architecture/exceptions.ts has the folders that do not keep it yet.
import { readSourceFiles, type SourceFile, type Violation } from '../source-files.js';
import { findClockReads, findWallDurations } from './clocks.js';
import { findFixedWaits } from './fixed-waits.js';
import { findForbiddenNames } from './identifiers.js';
import { findCircles, findUnitTestsWithDatabase } from './imports.js';
import { findLongLines } from './line-length.js';
import { findBrokenLinks } from './links.js';
import { findManyParameters } from './parameters.js';
import { findProgramsInStrings } from './programs.js';
import { findLongStatements, findSqlFileFaults } from './statements.js';
import {
  findCopies,
  findDatabaseUse,
  findEnvironmentReads,
  findImpureDomain,
  findLargeFolders,
  findLongFiles,
  findLongFunctions,
} from './structure.js';
import { findSharedTables } from './tables.js';
import { findBadTitles } from './test-titles.js';
import { findUntestedFiles } from './tests-beside.js';
import { findVacuousMatches } from './vacuous-matches.js';
import { findWholeContexts } from './whole-context.js';
import { findAvoidedWords } from './words.js';

export interface Rule {
  /** Completes “it …”. */
  title: string;
  files: RegExp;
  find(files: readonly SourceFile[]): Violation[];
}

/** `.tsx` is the code of the console. */
const SOURCE = /^(packages|services|deploy\/local)\/.*\.tsx?$/;

export const RULES = {
  environment: { title: 'reads the environment only in config.ts', files: SOURCE, find: findEnvironmentReads },
  domain: { title: 'gives domain its time, ids and randomness', files: SOURCE, find: findImpureDomain },
  clocks: { title: 'reads clocks only in the clock port', files: SOURCE, find: findClockReads },
  durations: { title: 'measures time by the monotonic clock', files: SOURCE, find: findWallDurations },
  database: { title: 'touches the database only in store', files: SOURCE, find: findDatabaseUse },
  tables: {
    title: 'uses each table through Prisma or by SQL, not both',
    files: /^services\/.*(\.ts|\/schema\.prisma|\/src\/.*\.sql)$/,
    find: findSharedTables,
  },
  statements: {
    title: 'keeps statements of many parameters or lines in .sql files',
    files: /^(services|packages)\/.*\.ts$/,
    find: findLongStatements,
  },
  sqlFiles: {
    title: 'has .sql files of short statements with the constants of the code',
    files: /^(services\/[^/]+|packages\/(events|ledger-audit))\/src\/.*\.(ts|sql)$/,
    find: findSqlFileFaults,
  },
  contexts: {
    title: 'takes the whole context only where it is built or registered',
    files: SOURCE,
    find: findWholeContexts,
  },
  folders: {
    title: 'holds at most 20 source files in a folder',
    files: /^(packages|services|deploy|tests)\/.*\.(tsx?|mjs)$/,
    find: findLargeFolders,
  },
  files: { title: 'keeps each source file within 300 lines', files: SOURCE, find: findLongFiles },
  functions: { title: 'keeps each function within 75 lines', files: SOURCE, find: findLongFunctions },
  parameters: { title: 'takes at most four positional parameters', files: SOURCE, find: findManyParameters },
  programs: { title: 'runs no string as a program', files: SOURCE, find: findProgramsInStrings },
  copies: { title: 'defines each shared helper once', files: SOURCE, find: findCopies },
  circles: { title: 'imports in no circle, types included', files: SOURCE, find: findCircles },
  unitTests: { title: 'names every test with a database *.db.test.ts', files: SOURCE, find: findUnitTestsWithDatabase },
  beside: {
    title: 'has a test beside each file of domain and operations',
    files: /^services\/[^/]+\/src\/(domain|operations)\/.*\.ts$/,
    find: findUntestedFiles,
  },
  waits: {
    title: 'waits in tests for conditions, not for a time',
    files: /^(packages|services|deploy|tests)\/(?!chaos\/|architecture\/).*\.test\.ts$/,
    find: findFixedWaits,
  },
  titles: {
    title: 'starts each test title with a verb',
    files: /^(packages|services|deploy|tests)\/.*(\.test|conformance\/[^/]*)\.ts$/,
    find: findBadTitles,
  },
  matches: {
    title: 'matches objects against no pattern that always passes',
    files: /^(packages|services|deploy|tests)\/(?!architecture\/).*\.tsx?$/,
    find: findVacuousMatches,
  },
  words: {
    title: 'uses none of the avoided words',
    files: /^(?!CHANGELOG|tests\/architecture\/rules\/).*\.(tsx?|mjs|md|proto|prisma|ya?ml|sh)$|^\.ci\/run$/,
    find: findAvoidedWords,
  },
  names: {
    title: 'declares no name that the project avoids',
    files: /^(packages|services|deploy|tests)\/.*\.(tsx?|mjs)$/,
    find: findForbiddenNames,
  },
  links: {
    title: 'links to files that exist and to the lines of the names',
    files: /\.md$/,
    find: findBrokenLinks,
  },
  lines: { title: 'keeps lines of documents within 160 characters', files: /\.md$/, find: findLongLines },
} satisfies Record<string, Rule>;

export type RuleName = keyof typeof RULES;

export function findViolations(name: RuleName): Violation[] {
  const rule: Rule = RULES[name];
  return rule.find(readSourceFiles(rule.files));
}

/** Returns whether the path is an exception or inside one. */
export function isExcepted(path: string, exceptions: readonly string[]): boolean {
  return exceptions.some((exception) => path === exception || path.startsWith(`${exception}/`));
}

/** Rules whose exceptions are single files. */
const OF_FILES: ReadonlySet<RuleName> = new Set([
  'unitTests',
  'folders',
  'circles',
  'statements',
  'beside',
  'waits',
  'parameters',
]);

/** The place that an exception names: a room of a source folder, or the file itself for a rule about files. */
export function exceptionFor(name: RuleName, path: string): string {
  if (OF_FILES.has(name)) return path;
  const parts = path.split('/');
  return parts.slice(0, Math.min(parts.length - 1, parts.indexOf('src') > 0 ? 4 : 2)).join('/') || path;
}
