import { describe, expect, it } from '@jest/globals';
import { ConfigError } from './config.js';
import { type MainHost, runMain, type ServiceMain } from './main.js';

interface TestConfig {
  logLevel: 'silent';
}

describe('runMain', () => {
  it('runs the named command with its arguments and prints its result', async () => {
    const { outcome } = await run(['--grant', 'a@example.com', '500']);
    expect(outcome).toEqual({ out: 'granted a@example.com 500\n', err: '', codes: [] });
  });

  it('prints the commands for --help without reading the configuration', async () => {
    const { outcome } = await run(['--help'], { readConfig: failingConfig });
    expect(outcome.codes).toEqual([]);
    expect(outcome.out).toContain('--grant EMAIL CENTS [CAUSE]  grants credit');
  });

  it('applies the migrations for --migrate-only and does not start the service', async () => {
    const { outcome, starts, migrations } = await run(['--migrate-only']);
    expect({ outcome, starts, migrations }).toEqual({
      outcome: { out: 'the database is up to date\n', err: '', codes: [] },
      starts: 0,
      migrations: 1,
    });
  });

  it('rejects an unknown argument with exit code 2 and the commands', async () => {
    const { outcome } = await run(['--grnat']);
    expect(outcome.codes).toEqual([2]);
    expect(outcome.err).toMatch(/^test: unknown argument --grnat\n[\s\S]*--grant EMAIL/);
  });

  it('rejects missing arguments with exit code 2', async () => {
    const { outcome } = await run(['--grant', 'a@example.com']);
    expect(outcome).toEqual({ out: '', err: 'test: expected EMAIL CENTS [CAUSE]\n', codes: [2] });
  });

  it('prints an invalid configuration without a stack trace and exits 1', async () => {
    const { outcome, starts } = await run([], { readConfig: failingConfig });
    expect(outcome).toEqual({ out: '', err: 'test: Invalid configuration: PORT: is not set\n', codes: [1] });
    expect(starts).toBe(0);
  });

  it('prints the error of a failed command as one line and exits 1', async () => {
    const { outcome } = await run(['--fail']);
    expect(outcome).toEqual({ out: '', err: 'test: no such account\n', codes: [1] });
  });
});

function failingConfig(): never {
  throw new ConfigError('PORT: is not set');
}

async function run(argv: string[], overrides: Partial<ServiceMain<TestConfig>> = {}) {
  const outcome = { out: '', err: '', codes: [] as number[] };
  let starts = 0;
  let migrations = 0;
  const host: MainHost = {
    argv,
    env: {},
    write(text) {
      outcome.out += text;
    },
    writeError(text) {
      outcome.err += text;
    },
    exit: (code) => void outcome.codes.push(code),
  };
  const service: ServiceMain<TestConfig> = {
    name: 'test',
    readConfig: () => ({ logLevel: 'silent' }),
    migrate: async () => {
      migrations += 1;
    },
    start: async () => {
      starts += 1;
      return { stop: async () => undefined };
    },
    commands: {
      grant: {
        arguments: 'EMAIL CENTS [CAUSE]',
        summary: 'grants credit',
        run: async (_config, args) => `granted ${args.join(' ')}`,
      },
      fail: {
        summary: 'fails',
        run: async () => {
          throw new Error('no such account');
        },
      },
    },
    ...overrides,
  };
  await runMain(service, host);
  return { outcome, starts, migrations };
}
