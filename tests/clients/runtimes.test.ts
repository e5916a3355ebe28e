// @tollgate/client as npm packs it, in each runtime that its README names, against a running system.
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Json, startWebhookReceiver, uniqueCode, webhookBody } from '@tollgate/testkit';
import { describeWith } from '@tollgate/testkit/describe-with';
import { build, type Format } from 'esbuild';
import { openChromium } from '../console/console-page.js';
import { must } from '../system/start-system.js';
import { useProject, useSystem } from '../system/use-system.js';
import { installClient } from './install-client.js';
import { runTool } from './run-tool.js';

const PROGRAMS = fileURLToPath(new URL('./programs/runtimes/', import.meta.url));
const JOB_MS_MAX = 100_000;

describe('the packed client', () => {
  const system = useSystem();
  const project = useProject(system);
  let folder: string;
  let delivery: Json;

  beforeAll(async () => {
    delivery = await receiveDelivery();
    folder = mkdtempSync(join(tmpdir(), 'tollgate-clients-'));
    cpSync(PROGRAMS, join(folder, 'programs'), { recursive: true });
    await installClient(folder);
  }, 300_000);
  afterAll(async () => {
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  /** A signed delivery of the system itself. */
  async function receiveDelivery(): Promise<Json> {
    const receiver = await startWebhookReceiver();
    const hook = webhookBody(receiver.url, { events: ['customer.created'], signature_form: 'standard' });
    const { webhook } = must(await project.owner.post(`/projects/${project.id}/webhooks`, hook), 201);
    must(await project.api.post('/customers', { external_id: uniqueCode('hook'), email: 'a@example.com' }), 201);
    await receiver.waitForCount(1, 60_000);
    const { rawBody, headers } = receiver.deliveries[0]!;
    await receiver.stop();
    return { payload: String(rawBody), headers, secret: webhook.signing_secret };
  }

  async function makeJob(): Promise<Json> {
    const { token } = await project.customerOn('free');
    const input = [{ type: 'message', role: 'user', content: [{ type: 'text', text: 'What is a tollgate?' }] }];
    return { baseUrl: new URL(system.baseUrl).origin, token, input, delivery };
  }

  function expectDone(result: Json, agent: RegExp): void {
    expect(result.agent).toMatch(agent);
    expect(result.text.length).toBeGreaterThan(0);
    expect(result).toMatchObject({ streamed: result.text, requests: 1, tokens: result.answered, runs: 1 });
    expect(result.seqs).toEqual(result.seqs.map((_: number, i: number) => i + 1));
    expect(result).toMatchObject({ event: 'customer.created', refusal: { status: 400, hasId: true } });
  }

  async function bundle(program: string, format: Format): Promise<string> {
    const outfile = join(folder, `${program}.${format}.js`);
    const entryPoints = [join(folder, 'programs', program)];
    await build({ entryPoints, outfile, bundle: true, format, platform: 'browser', globalName: 'app' });
    return outfile;
  }

  async function run(file: string, args: string[]): Promise<Json> {
    const env = { JOB: JSON.stringify(await makeJob()), HOME: folder, DENO_NO_UPDATE_CHECK: '1' };
    return JSON.parse(await runTool(file, args, { cwd: folder, env, timeoutMs: JOB_MS_MAX }));
  }

  describeWith('CLIENT_TOOLS', 'with other runtimes', (tools) => {
    const packages = join(tools, 'runtimes/node_modules');
    const program = () => join(folder, 'programs/as-program.mjs');
    beforeAll(() => symlinkSync(packages, join(folder, 'programs/node_modules')));

    it('works in Node 18', async () => {
      const node18 = join(tools, 'node-18/package/bin/node');
      expectDone(await run(node18, [program()]), /^Node\.js\/v18\./);
    });

    it('works in Bun', async () => {
      expectDone(await run(findBinary('@oven/bun-', 'bin/bun'), [program()]), /^Bun\//);
    });

    it('works in Deno', async () => {
      const permissions = ['--allow-env', '--allow-net', '--allow-read'];
      const deno = findBinary('@deno/', 'deno');
      expectDone(await run(deno, ['run', '--cached-only', ...permissions, program()]), /^Deno\//);
    });

    /** Returns the program in the package for this platform; npm installs one of them. */
    function findBinary(prefix: string, path: string): string {
      const [scope = '', start = ''] = prefix.split('/');
      const platforms = readdirSync(join(packages, scope)).filter((name) => name.startsWith(start));
      const found = platforms.map((name) => join(packages, scope, name, path)).find((file) => existsSync(file));
      if (found === undefined) throw new Error(`${packages} has no ${prefix}*/${path}`);
      return found;
    }

    it('works in workerd', async () => {
      const program = join(folder, 'programs/in-workerd.mjs');
      const result = await run(process.execPath, [program, await bundle('worker.mjs', 'esm')]);
      expectDone(result, /Cloudflare-Workers/);
    });

    it('works in the edge runtime of Vercel', async () => {
      const program = join(folder, 'programs/in-edge-runtime.mjs');
      const result = await run(process.execPath, [program, await bundle('edge-function.mjs', 'iife')]);
      expectDone(result, /edge-runtime/);
    });
  });

  describeWith('CHROMIUM_PATH', 'with a browser', (chromiumPath) => {
    it('works on a page of another origin', async () => {
      const script = readFileSync(await bundle('app-job.mjs', 'iife'));
      const pages = createServer((req, res) => {
        const isScript = req.url === '/app.js';
        res.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
        res.end(isScript ? script : '<!doctype html><title>app</title><script src="/app.js"></script>');
      });
      await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
      const browser = await openChromium(chromiumPath);
      try {
        const page = await browser.newPage();
        await page.goto(`http://127.0.0.1:${(pages.address() as AddressInfo).port}/`);
        const job = JSON.stringify(await makeJob());
        const result = await page.evaluate<Json>(
          `app.doAppJob(${job}).then((result) => ({ agent: navigator.userAgent, ...result }))`,
        );
        expectDone(result, /Chrome/);
      } finally {
        await browser.close();
        await new Promise((resolve) => pages.close(resolve));
      }
    }, 200_000);
  });
});
