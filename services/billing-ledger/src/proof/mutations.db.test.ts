import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { testDatabase } from '@tollgate/postgres';
import { GENERATED_FOLDER, generateSqlModules } from '@tollgate/postgres/sql-files';

// Checks that the tests detect faults. Each fault is applied to a copy of the service, and a few tests run there: those
// that should detect it must fail, and all must pass on a copy without a fault.

/** Changes the source at the comments `fault point: …`: removes the line after each, or inserts one. */
type Edit = {
  point: string;
  /** Source files have this many comments of that name. */
  places: number;
  /** Default: the next line is removed. */
  insert?: string;
};

interface Fault {
  edits: Edit[];
  /** Beginnings of the titles of tests that must fail, with their files. */
  detectedBy: Record<string, TestFile>;
}

type TestFile = (typeof FILES)[number];
const [ADMIT, SETTLE, REPLAY] = [
  'src/operations/holds/admit.db.test.ts',
  'src/operations/holds/settle.db.test.ts',
  'src/proof/replay.db.test.ts',
] as const;
const FILES = [ADMIT, SETTLE, REPLAY] as const;

const AS_REFERENCE = { 'leaves the ledger in the state of the reference ledger': REPLAY };
const ON_LOCKED_ROWS = { 'decides on locked rows': ADMIT };
const ONCE = { 'charges once when a settlement is repeated': SETTLE };
const IN_DOUBT = { 'records the doubt of a canceled call': SETTLE };
const DETECTORS: Fault['detectedBy'] = { ...AS_REFERENCE, ...ON_LOCKED_ROWS, ...ONCE, ...IN_DOUBT };

const FAULTS: Record<string, Fault> = {
  'no accounts are locked': {
    edits: [{ point: 'lock no accounts', places: 3 }],
    detectedBy: ON_LOCKED_ROWS,
  },
  'a hold is settled twice': {
    edits: [
      { point: 'settle an ended hold', places: 2 },
      { point: 'book a transfer twice', places: 1, insert: 'ON CONFLICT DO NOTHING' },
    ],
    detectedBy: { ...ONCE, ...AS_REFERENCE },
  },
  'a canceled call leaves no doubt': {
    edits: [{ point: 'release a canceled call without recording its doubt', places: 1 }],
    detectedBy: { ...IN_DOUBT, ...AS_REFERENCE },
  },
};

const service = fileURLToPath(new URL('../..', import.meta.url));
const root = fileURLToPath(new URL('../../../..', import.meta.url));
const TIMEOUT_MS = 900_000;

let folder: string;
/** Status per copy and test title. */
let outcomes: Map<string, Map<string, string>>;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'tollgate-ledger-faults-')));
  copyService('none');
  for (const [name, { edits }] of Object.entries(FAULTS)) {
    const copy = copyService(name);
    for (const edit of edits) applyEdit(edit, join(copy, 'src'));
    await generateStatements(join(copy, 'src/store'));
  }
  outcomes = await runTests();
}, TIMEOUT_MS);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('finds and passes every selected test on a copy without a fault', () => {
  const statuses = (begin: string) =>
    [...(outcomes.get('none') ?? [])].filter(([title]) => title.startsWith(begin)).map(([, status]) => status);
  for (const begin of Object.keys(DETECTORS))
    expect([begin, new Set(statuses(begin))]).toEqual([begin, new Set(['passed'])]);
});

it.each(Object.entries(FAULTS))('detects the fault: %s', (name, { detectedBy }) => {
  const failed = [...(outcomes.get(name) ?? [])].filter(([, status]) => status === 'failed').map(([title]) => title);
  const undetected = Object.keys(detectedBy).filter((begin) => !failed.some((title) => title.startsWith(begin)));
  expect(undetected).toEqual([]);
});

it('rejects a fault whose comment is missing', () => {
  const copy = copyService('renamed');
  const edit = { point: 'lock no accounts', places: 4 };
  expect(() => applyEdit(edit, join(copy, 'src'))).toThrow(
    'expected 4 comments "fault point: lock no accounts", found 3',
  );
});

function copyService(name: string): string {
  const copy = join(folder, toFolder(name));
  mkdirSync(copy);
  for (const part of ['src', 'prisma']) cpSync(join(service, part), join(copy, part), { recursive: true });
  symlinkSync(join(service, 'node_modules'), join(copy, 'node_modules'));
  // The package has no name, so that the copies do not collide.
  writeFileSync(join(copy, 'package.json'), '{ "type": "module" }');
  return copy;
}

/** Finds the comments in any source file, so that files and functions can be renamed. */
function applyEdit({ point, places, insert }: Edit, folder: string): void {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.(ts|sql)$/.test(file) && !file.endsWith('.test.ts'),
  );
  let found = 0;
  for (const file of files.map((name) => join(folder, name))) {
    const lines = readFileSync(file, 'utf8').split('\n');
    for (let at = lines.length - 1; at >= 0; at--) {
      if (!lines[at]?.endsWith(`fault point: ${point}`)) continue;
      found += 1;
      if (insert === undefined) lines.splice(at + 1, 1);
      else lines.splice(at + 1, 0, insert);
      writeFileSync(file, lines.join('\n'));
    }
  }
  if (found !== places) throw new Error(`expected ${places} comments "fault point: ${point}", found ${found}`);
}

/** Writes the functions of the copy's statements. */
async function generateStatements(store: string): Promise<void> {
  const database = await testDatabase('mutations', { migrations: join(service, 'prisma/migrations') });
  const client = await database.pool.connect();
  try {
    for (const [path, text] of await generateSqlModules(store, client))
      writeFileSync(join(store, GENERATED_FOLDER, path), text);
  } finally {
    client.release();
    await database.drop();
  }
}

/** The test files that each copy needs: all of them without a fault. */
function filesByCopy(): string[] {
  const ofFaults = Object.entries(FAULTS).flatMap(([name, { detectedBy }]) =>
    [...new Set(Object.values(detectedBy))].map((file) => join(toFolder(name), file)),
  );
  return [...FILES.map((file) => join('none', file)), ...ofFaults];
}

function toFolder(name: string): string {
  return name.replaceAll(' ', '-');
}

async function runTests(): Promise<Map<string, Map<string, string>>> {
  const config = join(folder, 'jest.config.mjs');
  writeFileSync(config, configText());
  const report = join(folder, 'report.json');
  const titles = Object.keys(DETECTORS).join('|');
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const args = ['--experimental-vm-modules', jest, '-c', config, '-w', '1', '-t', titles, '--json'];
  await run([...args, `--outputFile=${report}`, '--testTimeout=60000', '--forceExit']);
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: { name: string; assertionResults: { title: string; status: string }[] }[];
  };
  const found = new Map<string, Map<string, string>>();
  for (const { name, assertionResults } of testResults) {
    const copy =
      name
        .slice(folder.length + 1)
        .split('/')[0]
        ?.replaceAll('-', ' ') ?? '';
    const titles = found.get(copy) ?? new Map<string, string>();
    for (const { title, status } of assertionResults) {
      // Rows of a table share a title: one failing row counts.
      if (titles.get(title) !== 'failed') titles.set(title, status);
    }
    found.set(copy, titles);
  }
  return found;
}

/** Returns the repository's Jest configuration for the copies' directory. */
function configText(): string {
  const base = pathToFileURL(join(root, 'tests/jest.config.mjs')).href;
  const swc = createRequire(join(root, 'package.json')).resolve('@swc/jest');
  return `import base from ${JSON.stringify(base)};
const [[files, [, options]]] = Object.entries(base.transform);
const { globalSetup, globalTeardown, ...settings } = base;
export default {
  ...settings,
  rootDir: ${JSON.stringify(folder)},
  roots: ['<rootDir>'],
  testMatch: ${JSON.stringify(filesByCopy().map((file) => `<rootDir>/${file}`))},
  transform: { [files]: [${JSON.stringify(swc)}, options] },
};
`;
}

/** Ignores the exit code, because failing tests are expected. Uses the database server of this run. */
function run(args: string[]): Promise<void> {
  // The same examples in every run, without shrinking.
  const proof = { LEDGER_PROOF_RUNS: '25', LEDGER_PROOF_SEED: '7', LEDGER_PROOF_SHRINK: '0' };
  const env = { ...process.env, ...proof, NODE_OPTIONS: '' };
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: root, env, timeout: TIMEOUT_MS, maxBuffer: 2 ** 26 }, () => resolve());
  });
}
