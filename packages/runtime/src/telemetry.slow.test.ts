import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const telemetry = fileURLToPath(new URL('./telemetry.ts', import.meta.url));
const tsx = new URL('../../../node_modules/tsx/dist/loader.mjs', import.meta.url).href;

/** Lists the OpenTelemetry SDK modules that a process with the preload has loaded. */
const probe = `
import { createRequire } from 'node:module';
const loaded = Object.keys(createRequire(import.meta.url).cache).filter((path) => path.includes('@opentelemetry'));
console.log(JSON.stringify({ count: loaded.length }));
process.exit(0);`;

function run(env: NodeJS.ProcessEnv): { count: number } {
  const args = ['--import', tsx, '--import', telemetry, '--input-type=module', '-e', probe];
  const result = spawnSync(process.execPath, args, { env: { ...process.env, ...env }, encoding: 'utf8' });
  if (result.status !== 0) throw new Error(result.stderr);
  return JSON.parse(result.stdout);
}

describe('telemetry preload', () => {
  it('loads nothing unless OTEL_ENABLED=1', () => {
    expect(run({ OTEL_ENABLED: '' })).toEqual({ count: 0 });
  });

  it('starts with OTEL_ENABLED=1', () => {
    expect(run({ OTEL_ENABLED: '1', OTEL_SERVICE_NAME: 'test' }).count).toBeGreaterThan(10);
  });
});
