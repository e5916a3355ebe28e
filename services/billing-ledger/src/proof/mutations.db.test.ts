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

// Is the suite awake? Each fault is built into a copy of the service, and a few tests run there: those that exist to
// notice it have to fail, and all of them pass on a copy without any.

interface Fault {
  /** File, what stands there, what stands there instead. */
  edits: [file: string, from: string, to: string][];
  /** Tests that must turn red. */
  noticedBy: string[];
}

const ON_PAPER = 'leaves the ledger as the same sequence leaves one on paper';
const ON_LOCKED_ROWS = 'decides on locked rows';
const ONCE = 'charges once however often';
const UNHEARD = 'of a call cut off unheard';

const FAULTS: Record<string, Fault> = {
  'no accounts are locked': {
    edits: [
      ['store/open-holds.ts', 'ORDER BY a.id FOR UPDATE OF a', 'ORDER BY a.id'],
      ['store/accounts.ts', 'ORDER BY id FOR UPDATE`', 'ORDER BY id`'],
    ],
    noticedBy: [ON_LOCKED_ROWS],
  },
  'a hold is settled twice': {
    edits: [
      ['store/settle-holds.ts', 'AND holds.state = 0 AND', 'AND'],
      ['store/settle-holds.ts', '$17::bigint[], $18::text[])', '$17::bigint[], $18::text[]) ON CONFLICT DO NOTHING'],
      ['operations/settle-batch.ts', 'if (row.state !== HOLD_STATES.open)', 'if (row.state < HOLD_STATES.open)'],
    ],
    noticedBy: [ONCE, ON_PAPER],
  },
  'what was cancelled is released': {
    edits: [
      [
        'domain/settle-hold.ts',
        'const settlement = post(hold, used);',
        'if (isInDoubt) return releaseAll(hold);\n  const settlement = post(hold, used);',
      ],
      [
        'domain/settle-hold.ts',
        '/** A request that was served at all',
        'function releaseAll(hold: Hold): Settlement {\n  const nothing = { inputTokens: 0n, outputTokens: 0n, images: 0n };\n  return { ...post(hold, nothing), state: HOLD_STATES.released };\n}\n\n/** A request that was served at all',
      ],
    ],
    noticedBy: [UNHEARD, ON_PAPER],
  },
};

const service = fileURLToPath(new URL('../..', import.meta.url));
const root = fileURLToPath(new URL('../../../..', import.meta.url));
const FILES = ['src/ledger.db.test.ts', 'src/proof/replay.db.test.ts'];
const TIMEOUT_MS = 180_000;

let folder: string;
/** By copy and test title: passed or failed. */
let outcomes: Map<string, Map<string, string>>;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'ledger-faults-')));
  copyService('none');
  for (const [name, { edits }] of Object.entries(FAULTS)) {
    const copy = copyService(name);
    for (const [file, from, to] of edits) edit(join(copy, 'src', file), from, to);
  }
  outcomes = await runTests();
}, TIMEOUT_MS);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('without a fault every test of the selection passes', () => {
  const titles = [...(outcomes.get('none') ?? [])].filter(([, status]) => status !== 'pending');
  expect(titles.map(([, status]) => status)).not.toContain('failed');
  expect(titles.length).toBeGreaterThanOrEqual(4);
});

it.each(Object.entries(FAULTS))('%s: noticed', (name, { noticedBy }) => {
  const failed = [...(outcomes.get(name) ?? [])].filter(([, status]) => status === 'failed').map(([title]) => title);
  for (const title of noticedBy) expect(failed.some((f) => f.startsWith(title))).toBe(true);
});

function copyService(name: string): string {
  const copy = join(folder, name.replaceAll(' ', '-'));
  mkdirSync(copy);
  for (const part of ['src', 'prisma']) cpSync(join(service, part), join(copy, part), { recursive: true });
  symlinkSync(join(service, 'node_modules'), join(copy, 'node_modules'));
  // Without a name, so that the copies do not collide.
  writeFileSync(join(copy, 'package.json'), '{ "type": "module" }');
  return copy;
}

function edit(file: string, from: string, to: string): void {
  const text = readFileSync(file, 'utf8');
  if (text.split(from).length !== 2) throw new Error(`${file}: expected once: ${from}`);
  writeFileSync(
    file,
    text.replace(from, () => to),
  );
}

async function runTests(): Promise<Map<string, Map<string, string>>> {
  const config = join(folder, 'jest.config.mjs');
  writeFileSync(config, configText());
  const report = join(folder, 'report.json');
  const titles = [ON_PAPER, ON_LOCKED_ROWS, ONCE, UNHEARD].join('|');
  const jest = join(root, 'node_modules/jest/bin/jest.js');
  const args = ['--experimental-vm-modules', jest, '-c', config, '-w', '1', '-t', titles, '--json'];
  await run([...args, `--outputFile=${report}`, '--testTimeout=15000', '--forceExit']);
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
      // Of a table's rows one that fails is enough.
      if (titles.get(title) !== 'failed') titles.set(title, status);
    }
    found.set(copy, titles);
  }
  return found;
}

/** The repository's own settings, for files that lie elsewhere. */
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

/** Red tests are what is wanted: the report tells, not the exit code. The server is the one of this run. */
function run(args: string[]): Promise<void> {
  // The same examples every time, and no shorter ones.
  const proof = { LEDGER_PROOF_RUNS: '25', LEDGER_PROOF_SEED: '7', LEDGER_PROOF_SHRINK: '0' };
  const env = { ...process.env, ...proof, NODE_OPTIONS: '' };
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: root, env, timeout: TIMEOUT_MS, maxBuffer: 2 ** 26 }, () => resolve());
  });
}
