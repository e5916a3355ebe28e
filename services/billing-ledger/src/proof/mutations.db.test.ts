import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
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

// Checks that the tests detect faults. Each fault is applied to a copy of the service, and a few tests run there: those
// that should detect it must fail, and all must pass on a copy without a fault.

/** Changes a file at the comment `fault point: …`: removes the next line, or inserts one. SQL fragments are replaced. */
type Edit =
  | { file: string; removeAfter: string }
  | { file: string; insertAfter: string; line: string }
  | { file: string; replace: string; by: string };

interface Fault {
  edits: Edit[];
  /** Tests that must fail. */
  detectedBy: string[];
}

const AS_REFERENCE = 'leaves the ledger in the state of the reference ledger';
const ON_LOCKED_ROWS = 'decides on locked rows';
const ONCE = 'charges once when a settlement is repeated';
const IN_DOUBT = 'records the doubt of a canceled call';

const FAULTS: Record<string, Fault> = {
  'no accounts are locked': {
    edits: [
      { file: 'store/holds/open-holds.ts', replace: 'ORDER BY a.id FOR UPDATE OF a', by: 'ORDER BY a.id' },
      { file: 'store/accounts.ts', replace: 'ORDER BY id FOR UPDATE`', by: 'ORDER BY id`' },
    ],
    detectedBy: [ON_LOCKED_ROWS],
  },
  'a hold is settled twice': {
    edits: [
      { file: 'store/holds/settle-holds.ts', removeAfter: 'settle an ended hold' },
      { file: 'store/holds/settle-holds.ts', insertAfter: 'book a transfer twice', line: 'ON CONFLICT DO NOTHING' },
      { file: 'operations/holds/settle-batch.ts', removeAfter: 'settle an ended hold' },
    ],
    detectedBy: [ONCE, AS_REFERENCE],
  },
  'a canceled call leaves no doubt': {
    edits: [{ file: 'domain/settle-hold.ts', removeAfter: 'release a canceled call without recording its doubt' }],
    detectedBy: [IN_DOUBT, AS_REFERENCE],
  },
};

const service = fileURLToPath(new URL('../..', import.meta.url));
const root = fileURLToPath(new URL('../../../..', import.meta.url));
const FILES = [
  'src/operations/holds/admit.db.test.ts',
  'src/operations/holds/settle.db.test.ts',
  'src/proof/replay.db.test.ts',
];
const TIMEOUT_MS = 900_000;

let folder: string;
/** Status per copy and test title. */
let outcomes: Map<string, Map<string, string>>;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'ledger-faults-')));
  copyService('none');
  for (const [name, { edits }] of Object.entries(FAULTS)) {
    const copy = copyService(name);
    for (const edit of edits) apply(edit, join(copy, 'src', edit.file));
  }
  outcomes = await runTests();
}, TIMEOUT_MS);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('passes every selected test on a copy without a fault', () => {
  const titles = [...(outcomes.get('none') ?? [])].filter(([, status]) => status !== 'pending');
  expect(titles.map(([, status]) => status)).not.toContain('failed');
  expect(titles.length).toBeGreaterThanOrEqual(4);
});

it.each(Object.entries(FAULTS))('detects the fault: %s', (name, { detectedBy }) => {
  const failed = [...(outcomes.get(name) ?? [])].filter(([, status]) => status === 'failed').map(([title]) => title);
  for (const title of detectedBy) expect(failed.some((f) => f.startsWith(title))).toBe(true);
});

function copyService(name: string): string {
  const copy = join(folder, name.replaceAll(' ', '-'));
  mkdirSync(copy);
  for (const part of ['src', 'prisma']) cpSync(join(service, part), join(copy, part), { recursive: true });
  symlinkSync(join(service, 'node_modules'), join(copy, 'node_modules'));
  // The package has no name, so that the copies do not collide.
  writeFileSync(join(copy, 'package.json'), '{ "type": "module" }');
  return copy;
}

function apply(edit: Edit, file: string): void {
  const text = readFileSync(file, 'utf8');
  if ('replace' in edit) {
    if (text.split(edit.replace).length !== 2) throw new Error(`${file}: expected once: ${edit.replace}`);
    writeFileSync(
      file,
      text.replace(edit.replace, () => edit.by),
    );
    return;
  }
  const point = `fault point: ${'line' in edit ? edit.insertAfter : edit.removeAfter}`;
  const lines = text.split('\n');
  const at = lines.findIndex((line) => line.endsWith(point));
  if (at < 0) throw new Error(`${file} has no ${point}`);
  if ('line' in edit) lines.splice(at + 1, 0, edit.line);
  else lines.splice(at + 1, 1);
  writeFileSync(file, lines.join('\n'));
}

async function runTests(): Promise<Map<string, Map<string, string>>> {
  const config = join(folder, 'jest.config.mjs');
  writeFileSync(config, configText());
  const report = join(folder, 'report.json');
  const titles = [AS_REFERENCE, ON_LOCKED_ROWS, ONCE, IN_DOUBT].join('|');
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
  testMatch: ${JSON.stringify(FILES.map((file) => `**/${file}`))},
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
