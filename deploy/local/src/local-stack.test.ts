import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readLocalConfig } from './config.js';
import { startLocalStack } from './local-stack.js';

describe('startLocalStack', () => {
  it('rejects an unknown LOG_LEVEL on one line before it creates anything', async () => {
    const home = join(tmpdir(), `tollgate-no-home-${process.pid}`);
    const config = readLocalConfig({ LOG_LEVEL: 'loud', TOLLGATE_HOME: home });
    const options = { isSeparate: false, isReset: false, httpPort: 0 };
    const starting = startLocalStack(options, config, () => undefined);
    await expect(starting).rejects.toThrow(/^Invalid configuration: LOG_LEVEL: expected fatal or .*silent$/);
    expect(existsSync(home)).toBe(false);
  });
});
