// The package @tollgate/client as npm packs it, installed in an empty folder, against a running system.
import { type ChildProcess, spawn } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Json,
  startWebhookReceiver,
  uniqueCode,
  type WebhookReceiver,
  waitUntil,
  webhookBody,
} from '@tollgate/testkit';
import { must } from '../system/start-system.js';
import { useProject, useSystem } from '../system/use-system.js';
import { CLIENT_PACKAGE, installClient } from './install-client.js';
import { runTool } from './run-tool.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Programs are ended after this time, if they and the test do not end them. */
const COMMAND_MS_MAX = 170_000;

let folder: string;
const system = useSystem();
const project = useProject(system);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-clients-'));
  await installClient(folder);
}, 300_000);
afterAll(async () => {
  if (folder) rmSync(folder, { recursive: true, force: true });
});

it('keeps the generated core equal to the OpenAPI document', async () => {
  const script = join(ROOT, 'tests/clients/own-client/write-core.mjs');
  const args = ['--import', 'tsx', '--conditions=source', script, '--check'];
  expect(await runTool(process.execPath, args, { cwd: CLIENT_PACKAGE })).toContain('up to date');
});

describe('the packed library', () => {
  it('installs one package, without tests and tools', () => {
    const installed = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'));
    expect(installed).toEqual(['@tollgate']);
    const files = readdirSync(join(folder, 'node_modules/@tollgate/client'), { recursive: true, encoding: 'utf8' });
    expect(files).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'dist/esm/index.js', 'dist/cjs/index.js']));
    expect(files.filter((file) => /\.test\.|testing|^src|generate\/|esm\/cli\//.test(file))).toEqual([]);
  });

  it('compiles in strict mode as an ES module and as CommonJS', async () => {
    const source = join(ROOT, 'tests/clients/programs/own-client/main-job.mts');
    copyFileSync(source, join(folder, 'main-job.mts'));
    copyFileSync(source, join(folder, 'main-job.cts'));
    const compilerOptions = {
      ...{ strict: true, noUncheckedIndexedAccess: true, exactOptionalPropertyTypes: true, skipLibCheck: false },
      ...{
        target: 'es2022',
        lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
        module: 'nodenext',
        types: [],
      },
    };
    const files = ['main-job.mts', 'main-job.cts'];
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    await runTool(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder]);
  });

  it('finds the hooks with the older resolution of modules', async () => {
    const text =
      "import { TollgateProvider, useUsage } from '@tollgate/client/react';\nexport const used = [TollgateProvider, useUsage];\n";
    mkdirSync(join(folder, 'older'));
    writeFileSync(join(folder, 'older/app.ts'), text);
    const compilerOptions = {
      ...{ strict: true, skipLibCheck: true, noEmit: true, target: 'es2022', lib: ['es2022', 'dom'], types: [] },
      ...{ module: 'commonjs', moduleResolution: 'node10', ignoreDeprecations: '6.0' },
    };
    writeFileSync(join(folder, 'older/tsconfig.json'), JSON.stringify({ compilerOptions, files: ['app.ts'] }));
    // The last version that has this resolution.
    const tsc = join(CLIENT_PACKAGE, 'node_modules/typescript/bin/tsc');
    await runTool(process.execPath, [tsc, '-p', join(folder, 'older')]);
  });

  it('builds the package before it is packed', async () => {
    const copy = join(folder, 'checkout/packages/client');
    const isSource = (path: string) => !/client\/(dist|node_modules)$/.test(path);
    cpSync(CLIENT_PACKAGE, copy, { recursive: true, filter: isSource });
    symlinkSync(join(CLIENT_PACKAGE, 'node_modules'), join(copy, 'node_modules'));
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'checkout/node_modules'));
    copyFileSync(join(CLIENT_PACKAGE, '../tsconfig.base.json'), join(copy, '../tsconfig.base.json'));
    const env = { npm_config_cache: join(folder, 'npm-cache'), npm_config_update_notifier: 'false' };
    const args = ['pack', '--dry-run', '--json', '--foreground-scripts=false'];
    const [{ files }] = JSON.parse(await runTool('npm', args, { cwd: copy, env, timeoutMs: COMMAND_MS_MAX }));
    const paths = files.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(
      expect.arrayContaining(['dist/cli/main.js', 'dist/esm/index.js', 'dist/cjs/react/index.d.ts']),
    );
  });

  it.each(['main-job.mjs', 'main-job.cjs'])('does the main job: %s', async (file) => {
    expectMainJob(await runJob(file));
  });

  async function runJob(file: string): Promise<Json> {
    const env = {
      BASE_URL: new URL(system.baseUrl).origin,
      ACCESS_TOKEN: project.ownerToken,
      SECRET_KEY: project.secretKey,
      PROJECT_ID: project.id,
      TIER_CODE: uniqueCode('own'),
    };
    return JSON.parse(await runTool(process.execPath, [join(folder, file)], { env, timeoutMs: COMMAND_MS_MAX }));
  }

  function expectMainJob(result: Json): void {
    expect(result.text.length).toBeGreaterThan(0);
    expect(result).toMatchObject({ minted: 1, requests: 1, tokens: result.answered, streamed: result.text });
    const { seqs, last, connections } = result.run;
    expect(seqs).toEqual(seqs.map((_: number, index: number) => index + 1));
    expect({ last, connections }).toEqual({ last: 'run_completed', connections: 4 });
    expect(result.emails).toEqual(['ada@example.com', 'grace@example.com']);
    expect(result.refusal).toMatchObject({ status: 400, retryable: false, hasRequestId: true });
  }
});

describe('the command line', () => {
  const children: ChildProcess[] = [];
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL');
  });

  const env = () => ({
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, 'config'),
    TOLLGATE_URL: new URL(system.baseUrl).origin,
    TOLLGATE_API_KEY: project.ownerToken,
    TOLLGATE_PROJECT: project.id,
  });
  const bin = () => join(folder, 'node_modules/.bin/tollgate');
  const run = async (...args: string[]) => runTool(bin(), args, { env: env(), timeoutMs: COMMAND_MS_MAX });
  const runJson = async (...args: string[]) => JSON.parse(await run(...args, '--json'));

  it('lists projects, keys, customers, usage and the balance', async () => {
    const customer = await project.customerOn('free');
    expect((await runJson('projects')).map(({ id }: Json) => id)).toEqual([project.id]);
    expect((await runJson('keys')).length).toBe(2);
    expect((await runJson('customers', '--search', customer.externalId))[0].customer.id).toBe(customer.id);
    expect((await runJson('usage')).totals).toHaveProperty('revenue_microcents');
    expect((await runJson('balance')).balance_microcents).toBeGreaterThan(0);
    expect(await run('customers', 'get', customer.id)).toContain(customer.externalId);
    await expect(run('customers', 'get', project.id)).rejects.toThrow(/: 4\n.*NOT_FOUND/s);
  });

  it('writes tiers that a push finds unchanged, and updates a changed one', async () => {
    const code = uniqueCode('cli');
    const tier = { tier_code: code, display_name: 'Pro', models: [{ model_id: 'sandbox/echo-1', is_default: true }] };
    const tiers = join(folder, 'tiers');
    mkdirSync(tiers);
    writeFileSync(join(tiers, 'new.json'), JSON.stringify(tier));
    expect(await run('tiers', 'push', tiers, '--dry-run')).toContain(`+ ${code}`);
    expect((await runJson('tiers')).map(({ tier_code }: Json) => tier_code)).not.toContain(code);
    await run('tiers', 'push', tiers);
    rmSync(tiers, { recursive: true });
    await run('tiers', 'pull', tiers);
    const kinds = (await runJson('tiers', 'push', tiers, '--dry-run')).map(({ kind }: Json) => kind);
    expect([...new Set(kinds)]).toEqual(['unchanged']);
    writeFileSync(join(tiers, `${code}.json`), JSON.stringify({ ...tier, spend_limit_cents: 700 }));
    await run('tiers', 'push', tiers);
    const changed = (await runJson('tiers')).find(({ tier_code }: Json) => tier_code === code);
    expect(changed.spend_limit_cents).toBe(700);
  });

  it('follows a run and prints the requests of a customer', async () => {
    const { api, id } = await project.customerOn('free');
    const node = {
      id: 'step',
      type: 'llm.responses',
      input: { input: [{ type: 'message', role: 'user', content: [{ type: 'text', text: 'hi' }] }] },
    };
    const spec = { kind: 'workflow.v0', name: 'cli', nodes: [node], outputs: [{ name: 'answer', from: 'step' }] };
    const { run_id } = must(await api.post('/runs', { spec }), 200);
    expect(await run('runs', 'watch', run_id)).toMatch(/1 run_compiled[\s\S]* run_completed/);
    const lines = await waitUntil(() => run('logs', 'tail', '--no-follow', '--customer', id, '--json'), {
      what: 'the request of the run in the log',
      timeoutMs: 60_000,
    });
    expect(JSON.parse(lines.split('\n')[0] as string)).toMatchObject({ status: 'succeeded', customer_id: id });
  });

  it('signs a customer in by the device flow, and keeps the token for its user alone', async () => {
    const customer = await project.customerOn('free');
    const child = start(['login', '--device', project.publishableKey], {
      TOLLGATE_API_KEY: '',
      TOLLGATE_PROJECT: '',
    });
    const [, code] = await waitUntil(() => /user_code=(\S+)/.exec(child.output()), {
      what: 'the code',
      timeoutMs: 60_000,
    });
    must(await project.api.post('/auth/device/approve', { user_code: code, customer_id: customer.id }), 204);
    expect(await child.ended).toBe(0);
    expect(statSync(join(folder, 'config/tollgate/credentials.json')).mode & 0o777).toBe(0o600);
    const signedIn = { ...env(), TOLLGATE_API_KEY: '', TOLLGATE_PROJECT: '' };
    expect(await runTool(bin(), ['whoami'], { env: signedIn })).toContain(customer.externalId);
    expect(JSON.parse(await runTool(bin(), ['usage', '--json'], { env: signedIn }))).toMatchObject({ requests: 0 });
  });

  it('signs an owner in by the device flow, until the owner ends it', async () => {
    const config = { TOLLGATE_API_KEY: '', TOLLGATE_PROJECT: '', XDG_CONFIG_HOME: join(folder, 'owner') };
    const child = start(['login'], config);
    const [, code] = await waitUntil(() => /\/console\/device\?user_code=(\S+)/.exec(child.output()), {
      what: 'the code',
      timeoutMs: 60_000,
    });
    must(await project.owner.post('/auth/owner-device/approve', { user_code: code, decision: 'approve' }), 204);
    expect(await child.ended).toBe(0);
    const signedIn = { env: { ...env(), ...config } };
    const listed = JSON.parse(await runTool(bin(), ['projects', '--json'], signedIn));
    expect(listed.map(({ id }: Json) => id)).toEqual([project.id]);
    const { sign_ins } = must(await project.owner.get('/auth/sign-ins'), 200);
    expect(sign_ins[0].client_name).toMatch(/^tollgate CLI on \S/);
    must(await project.owner.delete(`/auth/sign-ins/${sign_ins[0].id}`), 204);
    await expect(runTool(bin(), ['projects'], signedIn)).rejects.toThrow(/: 3\n/);
  });

  describe('webhooks listen', () => {
    let remote: WebhookReceiver;
    let local: WebhookReceiver;
    beforeAll(async () => {
      [remote, local] = await Promise.all([startWebhookReceiver(), startWebhookReceiver()]);
    });
    afterAll(async () => {
      await remote?.stop();
      await local?.stop();
    });

    it('forwards from a temporary endpoint in a project that has none, and removes it', async () => {
      const server = await startWebhookReceiver();
      const child = start(['webhooks', 'listen', '--forward-to', server.url, '--event-type', 'customer.created']);
      await waitUntil(() => child.output().includes('Waiting for events'), {
        what: 'the listener',
        timeoutMs: 60_000,
      });
      expect(must(await project.owner.get(`/projects/${project.id}/webhooks`), 200).webhooks).toHaveLength(1);
      const body = { external_id: uniqueCode('hook'), email: 'b@example.com' };
      must(await project.api.post('/customers', body), 201);
      const [forwarded] = await server.waitForCount(1, 60_000);
      expect(String(forwarded?.rawBody)).toContain(body.external_id);
      child.interrupt();
      expect(await child.ended).toBe(130);
      expect(must(await project.owner.get(`/projects/${project.id}/webhooks`), 200).webhooks).toEqual([]);
      await server.stop();
    });

    it('forwards deliveries to a local server, signed so that the client verifies them', async () => {
      const hook = webhookBody(remote.url, { events: ['customer.created'], signature_form: 'standard' });
      must(await project.owner.post(`/projects/${project.id}/webhooks`, hook), 201);
      const child = start(['webhooks', 'listen', '--forward-to', local.url]);
      await waitUntil(() => child.output().includes('Waiting for events'), {
        what: 'the listener',
        timeoutMs: 60_000,
      });
      const body = { external_id: uniqueCode('hook'), email: 'a@example.com' };
      const { customer } = must(await project.api.post('/customers', body), 201);
      await local.waitForCount(1, 60_000);
      const secret = /with (whsec_\S+)/.exec(child.output())?.[1];
      const [forwarded] = local.deliveries;
      const verifier = `import { verifyWebhook } from '@tollgate/client';
const [payload, headers, secret] = process.argv.slice(1);
console.log(JSON.stringify(await verifyWebhook({ payload, headers: JSON.parse(headers), secret })));`;
      const received = [String(forwarded?.rawBody), JSON.stringify(forwarded?.headers), String(secret)];
      const args = ['--input-type=module', '-e', verifier, '--', ...received];
      const event = JSON.parse(await runTool(process.execPath, args, { cwd: folder }));
      expect(event).toMatchObject({ event_type: 'customer.created', data: { customer: { id: customer.id } } });
      child.interrupt();
      expect(await child.ended).toBe(130);
    });
  });

  /** Starts a command that waits. */
  function start(args: string[], change: NodeJS.ProcessEnv = {}) {
    const child = spawn(bin(), args, {
      env: { ...process.env, NODE_OPTIONS: '', ...env(), ...change },
      timeout: COMMAND_MS_MAX,
    });
    children.push(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString('utf8');
      });
    }
    const ended = new Promise<number | null>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => resolve(code));
    });
    return { output: () => output, ended, interrupt: () => child.kill('SIGINT') };
  }
});
