import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { startLocalStack } from './local-stack.js';

const { LOG_LEVEL, TOLLGATE_HOME } = process.env;

afterEach(() => {
  restore('LOG_LEVEL', LOG_LEVEL);
  restore('TOLLGATE_HOME', TOLLGATE_HOME);
});

function restore(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}

describe('startLocalStack', () => {
  it('rejects an unknown LOG_LEVEL on one line before it creates anything', async () => {
    const home = join(tmpdir(), `tollgate-no-home-${process.pid}`);
    process.env.LOG_LEVEL = 'loud';
    process.env.TOLLGATE_HOME = home;
    const starting = startLocalStack({ isSeparate: false, isReset: false, httpPort: 0 }, () => undefined);
    await expect(starting).rejects.toThrow(/^Invalid configuration: LOG_LEVEL: expected fatal or .*silent$/);
    expect(existsSync(home)).toBe(false);
  });
});
