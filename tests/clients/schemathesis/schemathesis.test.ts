// Schemathesis tests the system against the OpenAPI document with more kinds of invalid requests than tests/contract/fuzz.test.ts.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Json, WebhookReceiver } from '@tollgate/testkit';
import { describeWith } from '@tollgate/testkit/describe-with';
import { listOperations } from '../../system/api-document.js';
import { must, type System } from '../../system/start-system.js';
import { makeTenant, type Tenant } from '../../system/tenant.js';
import { startTenantSystem, type TenantSystem } from '../../system/tenant-system.js';

const SEED = '20261120';
const FOLDER = fileURLToPath(new URL('./', import.meta.url));

describeWith('SCHEMATHESIS', 'the contract, judged by Schemathesis', (command) => {
  let harness: TenantSystem;
  let system: System;
  let receiver: WebhookReceiver;
  let tenant: Tenant;

  beforeAll(async () => {
    harness = await startTenantSystem();
    ({ system, receiver } = harness);
    tenant = await makeTenant(system, receiver);
  });
  afterAll(() => harness?.stop());

  it('answers every generated request as the document says', async () => {
    const args = [
      '--config-file',
      `${FOLDER}schemathesis.toml`,
      'run',
      `${system.baseUrl}/openapi.json`,
      '--seed',
      SEED,
    ];
    let { code, output } = await run(command, args);
    if (code !== 0 && hasOnlyRuntimeErrors(output)) {
      process.stderr.write(`Schemathesis itself failed and is run once more:\n${complaints(output)}\n`);
      ({ code, output } = await run(command, args));
    }
    expect(code === 0 ? '' : complaints(output)).toBe('');
    const operations = listOperations(must(await system.anonymous.get('/openapi.json'), 200));
    // All operations except that of the document itself.
    expect(output).toContain(`Tested: ${operations.length - 1}`);
  }, 1_800_000);

  /** Configuration with the tenant's credentials and resources. */
  async function environment(): Promise<NodeJS.ProcessEnv> {
    const { project, customer } = tenant;
    const { api_keys } = must(await project.owner.get('/api-keys?limit=200'), 200);
    const { subscription } = must(await customer.api.get('/customers/me/subscription'), 200);
    const keys = api_keys.map(({ id }: Json) => id);
    const values = Object.entries(tenant.values).map(([name, { value }]) => [name, value]);
    return {
      PATH: process.env.PATH,
      PYTHONPATH: FOLDER,
      PYTHONDONTWRITEBYTECODE: '1',
      SCHEMATHESIS_HOOKS: 'hooks',
      FUZZ_SECRET_KEY: project.secretKey,
      FUZZ_PUBLISHABLE_KEY: project.publishableKey,
      FUZZ_CUSTOMER_TOKEN: customer.token,
      FUZZ_ACCESS_TOKEN: project.ownerToken,
      FUZZ_KEPT: JSON.stringify([project.id, customer.id, subscription.tier_id, ...keys]),
      FUZZ_UNCHANGED: JSON.stringify([subscription.tier_id]),
      FUZZ_VALUES: JSON.stringify(Object.fromEntries(values)),
    };
  }

  async function run(file: string, args: string[]): Promise<{ code: number | null; output: string }> {
    const env = await environment();
    // A temporary working directory: the files that Schemathesis writes there are not kept.
    const cwd = mkdtempSync(join(tmpdir(), 'tollgate-schemathesis-'));
    return new Promise((resolve, reject) => {
      const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
      let output = '';
      const keep = (chunk: Buffer) => {
        output += chunk.toString('utf8');
      };
      child.stdout.on('data', keep);
      child.stderr.on('data', keep);
      child.on('error', reject);
      child.on('close', (code) => {
        rmSync(cwd, { recursive: true, force: true });
        resolve({ code, output });
      });
    });
  }
});

/**
 * Returns true when no check failed and the summary lists nothing but `Runtime Error`, the kind that Schemathesis gives to
 * exceptions of its own generator. Answers that break the contract, timeouts and cut connections have other kinds.
 */
function hasOnlyRuntimeErrors(output: string): boolean {
  const kinds = /^Errors:\n((?: {2}.+\n)+)/m.exec(output)?.[1]?.trimEnd().split('\n') ?? [];
  return !/^Failures:$/m.test(output) && kinds.length > 0 && kinds.every((line) => /Runtime Error: \d+$/.test(line));
}

/** Returns the sections of a report that say what failed, without the warnings, which are long and expected. */
function complaints(output: string): string {
  const sections = output.split(/^(?==+ [A-Z ]+ =+$)/m);
  return sections.filter((section) => /^=+ (?:ERRORS|FAILURES|SUMMARY) =/.test(section)).join('') || output;
}
