// The package tollgate-client as a wheel, installed in a new virtual environment, against a running system.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  type Json,
  startWebhookReceiver,
  tierBody,
  uniqueCode,
  type WebhookReceiver,
  webhookBody,
} from '@tollgate/testkit';
import { describeWith } from '@tollgate/testkit/describe-with';
import { must } from '../system/start-system.js';
import { useProject, useSystem } from '../system/use-system.js';
import { runTool } from './run-tool.js';

const PACKAGE = fileURLToPath(new URL('../../packages/client-python/', import.meta.url));
const PROGRAMS = fileURLToPath(new URL('./programs/own-python/', import.meta.url));

describeWith('CLIENT_TOOLS', 'the Python client', (tools) => {
  const builder = join(tools, 'python/client/bin/python');
  const system = useSystem();
  const project = useProject(system);
  let receiver: WebhookReceiver;
  let folder: string;

  beforeAll(async () => {
    receiver = await startWebhookReceiver();
    folder = mkdtempSync(join(tmpdir(), 'tollgate-clients-'));
    for (const source of [PACKAGE, PROGRAMS]) cpSync(source, folder, { recursive: true });
    await install();
  }, 300_000);
  afterAll(async () => {
    await receiver?.stop();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  /** Builds the wheel and installs it without a registry. */
  async function install(): Promise<void> {
    await runTool(builder, ['-m', 'hatchling', 'build', '--target', 'wheel', '-d', 'wheels'], { cwd: folder });
    const [wheel = ''] = readdirSync(join(folder, 'wheels'));
    await runTool(builder, ['-m', 'venv', join(folder, 'venv')]);
    const offline = ['--no-index', '--find-links', join(tools, 'wheels'), '--disable-pip-version-check', '--quiet'];
    await runTool(join(folder, 'venv/bin/pip'), ['install', ...offline, join(folder, 'wheels', wheel)]);
    // Only what is installed can be imported.
    rmSync(join(folder, 'src'), { recursive: true });
  }

  function python(args: string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
    return runTool(join(folder, 'venv/bin/python'), args, { cwd: folder, env, timeoutMs: 170_000 });
  }

  it('installs the package, its types and its license with one dependency', async () => {
    const installed = await python(['-m', 'pip', 'list', '--format', 'freeze', '--disable-pip-version-check']);
    expect(installed).toMatch(/^tollgate-client==\d/m);
    const requires = "import importlib.metadata as m; print(m.requires('tollgate-client'))";
    expect((await python(['-c', requires])).trim()).toBe("['httpx<1,>=0.27']");
    const files = "import importlib.metadata as m; print(*m.files('tollgate-client'), sep='\\n')";
    const names = (await python(['-c', files])).split('\n');
    expect(names).toEqual(expect.arrayContaining(['tollgate/py.typed', 'tollgate/types.py']));
    expect(names).toContainEqual(expect.stringMatching(/LICENSE$/));
    expect(names.filter((name) => name.includes('test'))).toEqual([]);
  });

  it('passes its own tests', async () => {
    await python(['-m', 'unittest', 'discover', '-s', 'tests']);
  });

  it('has types with which the programs and the samples of its README check in strict mode', async () => {
    const options = ['--strict', '--python-executable', join(folder, 'venv/bin/python'), '--cache-dir', 'mypy-cache'];
    writeFileSync(join(folder, 'readme_samples.py'), readSamples(readFileSync(join(PACKAGE, 'README.md'), 'utf8')));
    const programs = ['main_job.py', 'async_job.py', 'readme_samples.py', 'tests'];
    await runTool(builder, ['-m', 'mypy', ...options, ...programs], {
      cwd: folder,
      env: { MYPYPATH: join(folder, 'tests') },
    });
  });

  async function runJob(file: string, env: NodeJS.ProcessEnv): Promise<Json> {
    const base = { BASE_URL: new URL(system.baseUrl).origin, SECRET_KEY: project.secretKey };
    return JSON.parse(await python([file], { ...base, ...env }));
  }

  it('does the main job', async () => {
    const owner = { ACCESS_TOKEN: project.ownerToken, PROJECT_ID: project.id };
    const result = await runJob('main_job.py', { ...owner, TIER_CODE: uniqueCode('python') });
    expect(result.text.length).toBeGreaterThan(0);
    expect(result).toMatchObject({ requests: 1, tokens: result.answered, streamed: result.text });
    expect(result.emails).toEqual(['ada@example.com', 'grace@example.com']);
    expect(result.refusal).toEqual({ status: 400, retryable: false, has_request_id: true });
  });

  it('does the job of an app with asyncio, whose token is renewed', async () => {
    const tier = tierBody({ tier_code: uniqueCode('asyncio') });
    must(await project.owner.post(`/projects/${project.id}/tiers`, tier), 201);
    const result = await runJob('async_job.py', { TIER_CODE: tier.tier_code });
    expect(result).toMatchObject({ minted: 1, tokens: result.answered, last: 'run_completed', runs: true });
    expect(result.streamed.length).toBeGreaterThan(0);
    expect(result.seqs).toEqual(result.seqs.map((_: number, index: number) => index + 1));
    expect(result.refusal).toBe(400);
  });

  it.each(['body', 'timestamped', 'standard'])('verifies deliveries that are signed in the form %s', async (form) => {
    const hook = webhookBody(receiver.url, { events: ['customer.created'], signature_form: form });
    const { webhook } = must(await project.owner.post(`/projects/${project.id}/webhooks`, hook), 201);
    const body = { external_id: uniqueCode('hook'), email: 'a@example.com' };
    const { customer } = must(await project.api.post('/customers', body), 201);
    const { rawBody, headers } = await receiver.waitFor((each) => String(each.rawBody).includes(customer.id));
    must(await project.owner.delete(`/projects/${project.id}/webhooks/${webhook.id}`), 204);
    const delivery = { payload: String(rawBody), headers, form };
    const verify = (change: Json) => python(['-c', VERIFY], { DELIVERY: JSON.stringify({ ...delivery, ...change }) });
    const event = JSON.parse(await verify({ secret: webhook.signing_secret }));
    expect(event).toMatchObject({ event_type: 'customer.created', data: { customer: { id: customer.id } } });
    await expect(verify({ secret: 'whsec_b3RoZXI=' })).rejects.toThrow('INVALID_SIGNATURE');
  });
});

/** Names that a sample uses and that a sample before it, or the reader's own code, defines. */
const READER_NAMES: Readonly<Record<string, string>> = {
  backend: 'Tollgate',
  app: 'Tollgate',
  question: 'InputMessage',
  base_url: 'str',
  token: 'str',
  run_id: 'str',
  secret: 'str',
  request: 'Any',
  record: 'Callable[..., None]',
  show_top_up: 'Callable[[], None]',
};

/** Returns a program with a function for each Python sample. */
function readSamples(readme: string): string {
  const samples = [...readme.matchAll(/^```py\n(.*?)^```$/gms)].map(([, sample = '']) => sample);
  expect(samples.length).toBeGreaterThan(5);
  const functions = samples.map((sample, i) => {
    const isDefined = (name: string) => new RegExp(`\\b${name}(: \\w+)? = |\\bas ${name}\\b`).test(sample);
    const names = Object.entries(READER_NAMES).filter(([name]) => !isDefined(name));
    const parameters = names.map(([name, type]) => `${name}: ${type}`).join(', ');
    return `async def sample_${i}(${parameters}) -> None:\n${sample.replace(/^(?=.)/gm, '    ')}`;
  });
  const imports = [
    'from collections.abc import Callable',
    'from typing import Any',
    'import httpx',
    'from tollgate import Tollgate',
    'from tollgate.types import InputMessage',
  ];
  return [...imports, ...functions].join('\n\n');
}

const VERIFY = `
import json, os
from tollgate import verify_webhook
delivery = json.loads(os.environ["DELIVERY"])
print(json.dumps(verify_webhook(delivery["payload"], delivery["headers"], delivery["secret"], form=delivery["form"])))
`;
