import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import type { MainHost } from '@tollgate/runtime';
import { defineConfig, type ServiceConfig } from '../define-config.js';
import type { ServiceDefinition } from '../start-service.js';
import { CommandError, type Commands, UsageError } from './command.js';
import { runMain, stopMs } from './run-main.js';

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await testDatabase(import.meta.url);
  folder = mkdtempSync(join(tmpdir(), 'tollgate-cli-'));
  mkdirSync(join(folder, '0001_init'));
  writeFileSync(
    join(folder, '0001_init', 'migration.sql'),
    'CREATE TABLE notes (n bigint); INSERT INTO notes VALUES (9007199254740993)',
  );
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await database.drop();
});

const commands: Commands<ServiceConfig> = {
  'count-notes': {
    arguments: 'KIND [COLOR]',
    options: { since: { value: 'TIME', summary: 'counts newer notes' }, all: { summary: 'counts all' } },
    summary: 'counts notes',
    async run({ openPool, logger }, { args, text, flag, print, progress }) {
      const { rows } = await openPool().query('SELECT n FROM notes');
      progress('counting');
      logger.warn('a log line');
      const given = { args, since: text('since'), all: flag('all') };
      await print({ notes: rows[0].n, ...given }, `${rows[0].n} notes`);
      return 1;
    },
  },
  fail: {
    summary: 'fails',
    run: (): Promise<number> => Promise.reject(new CommandError('no such note; list them first')),
  },
  'check-value': {
    arguments: 'VALUE',
    summary: 'rejects its argument',
    run: (): Promise<number> => Promise.reject(new UsageError('VALUE: expected a number')),
  },
  hang: {
    summary: 'waits for ever',
    run: (): Promise<number> => new Promise(() => undefined),
  },
};

const service: ServiceDefinition<ServiceConfig> = {
  name: 'messaging',
  configFromEnv: defineConfig({ name: 'messaging', fields: {}, toConfig: () => ({}) }),
  get migrations() {
    return pathToFileURL(`${folder}/`);
  },
  build: () => ({ rpc: [] }),
  commands,
};

describe('runMain', () => {
  it('runs a command on the migrated schema; results go to standard output, the rest to standard error', async () => {
    const outcome = await run(['count-notes', 'old', '--all', '--since', 'today']);
    expect(outcome.out).toBe('9007199254740993 notes\n');
    expect(outcome.err).toContain('messaging: counting\n');
    expect(outcome.err).toContain('"a log line"');
    expect(outcome.codes).toEqual([1]);
  });

  it('prints JSON with every digit of an amount for --json', async () => {
    const { out } = await run(['count-notes', 'old', '--json']);
    expect(JSON.parse(out)).toEqual({ notes: '9007199254740993', args: ['old'], all: false });
  });

  it('runs the migrations alone as a command', async () => {
    expect(await run(['migrate'])).toEqual({ out: 'the database is up to date\n', err: '', codes: [0] });
  });

  it('prints the commands for --help without reading the configuration', async () => {
    const { out, codes } = await run(['--help'], {});
    expect(out).toMatch(/ {2}count-notes KIND \[COLOR\] {2}counts notes/);
    expect(out).toMatch(/ {2}migrate {2,}applies the migrations/);
    expect(codes).toEqual([]);
  });

  it('prints the options of a command', async () => {
    const { out } = await run(['count-notes', '--help'], {});
    expect(out).toMatch(/ {2}--since TIME +counts newer notes/);
  });

  it.each([
    [['cuont-notes'], 'unknown argument cuont-notes'],
    [['--count-notes', 'old'], 'unknown argument --count-notes'],
    [['count-notes'], 'expected KIND [COLOR]'],
    [['count-notes', 'a', 'b', 'c'], 'unexpected argument c'],
    [['count-notes', 'a', '--sinse', 'x'], "Unknown option '--sinse'"],
    [['count-notes', 'a', '--timeout', 'soon'], '--timeout: expected a time such as 30s or 10m'],
  ])('rejects the arguments %j with exit code 2 and a reason', async (argv, reason) => {
    const { out, err, codes } = await run(argv);
    expect({ out, first: err.split('\n')[0], codes }).toEqual({ out: '', first: `messaging: ${reason}`, codes: [2] });
  });

  it('prints the error of a failed command as one line and exits 1', async () => {
    expect(await run(['fail'])).toEqual({ out: '', err: 'messaging: no such note; list them first\n', codes: [1] });
  });

  it('exits 2 for an argument that the command itself rejects', async () => {
    expect(await run(['check-value', 'x'])).toEqual({
      out: '',
      err: 'messaging: VALUE: expected a number\n',
      codes: [2],
    });
  });

  it('names the setting when the database cannot be reached', async () => {
    const { err, codes } = await run(['fail'], { ...environment(), DATABASE_URL: 'postgres://a:b@127.0.0.1:1/c' });
    expect(err).toMatch(/^messaging: connect ECONNREFUSED 127.0.0.1:1: start the server, .*DATABASE_URL.*\n$/);
    expect(codes).toEqual([1]);
  });

  it('prints an invalid configuration without a stack trace and exits 1', async () => {
    const { err, codes } = await run(['fail'], {});
    expect(err).toMatch(/^messaging: Invalid configuration:[\s\S]*DATABASE_URL/);
    expect(err).not.toContain(' at ');
    expect(codes).toEqual([1]);
  });

  it('ends a command at its deadline', async () => {
    const { err, codes } = await run(['hang', '--timeout', '1ms']);
    expect(err).toBe('messaging: not done after 0.001 s; repeat it, if need be with a longer --timeout\n');
    expect(codes).toEqual([1]);
  });

  it('ends a command on a signal', async () => {
    const { err, codes } = await run(['hang'], environment(), (listener) => listener('SIGTERM'));
    expect(err).toBe('messaging: ended by SIGTERM; it may be repeated\n');
    expect(codes).toEqual([1]);
  });
});

describe('stopMs', () => {
  it('grants a stop the drain time and five seconds, and never less than 25 s', () => {
    expect(stopMs({ drainMs: 60_000 })).toBe(65_000);
    expect(stopMs({ drainMs: 1_000 })).toBe(25_000);
  });
});

function environment(): Record<string, string> {
  return { DATABASE_URL: database.url, DATABASE_SCHEMA: database.schema };
}

async function run(
  argv: string[],
  env: Record<string, string> = environment(),
  onSignal: MainHost['onSignal'] = () => undefined,
) {
  const outcome = { out: '', err: '', codes: [] as number[] };
  await runMain(service, {
    argv,
    env,
    onSignal,
    async write(text) {
      outcome.out += text;
    },
    writeError(text) {
      outcome.err += text;
    },
    exit: (code) => void outcome.codes.push(code),
  });
  return outcome;
}
