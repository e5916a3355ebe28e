// The hooks of @tollgate/client/react as npm packs them, in an app in a browser, against a running system.
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Json } from '@tollgate/testkit';
import { describeWith } from '@tollgate/testkit/describe-with';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { openChromium } from '../console/console-page.js';
import { must, type TestProject } from '../system/start-system.js';
import { useProject, useSystem } from '../system/use-system.js';
import { CLIENT_PACKAGE, installClient } from './install-client.js';
import { runTool } from './run-tool.js';

const APP = fileURLToPath(new URL('./programs/react/app.tsx', import.meta.url));
const TSC = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
const TIMEOUT_MS = 60_000;

describeWith('CHROMIUM_PATH', 'an app with the hooks in a browser', (chromium) => {
  const system = useSystem();
  const project = useProject(system);
  let folder: string;
  let backend: Server;
  let browser: Browser;
  let page: Page;
  /** Paths of the gateway that the page has asked for. */
  let asked: string[];
  let customer: Awaited<ReturnType<TestProject['customerOn']>>;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-clients-'));
    await installClient(folder);
    linkReact();
    copyFileSync(APP, join(folder, 'app.tsx'));
    const options = { bundle: true, format: 'iife', globalName: 'app', jsx: 'automatic', platform: 'browser' } as const;
    const define = { 'process.env.NODE_ENV': '"production"' };
    await build({ ...options, define, entryPoints: [join(folder, 'app.tsx')], outfile: join(folder, 'app.js') });
    backend = await startBackend();
    browser = await openChromium(chromium);
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    backend?.closeAllConnections();
    await new Promise<void>((resolve) => (backend ? backend.close(() => resolve()) : resolve()));
    if (folder) rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    customer = await project.customerOn('paygo', { walletMicrocents: 100_000_000n });
    page = await browser.newPage();
    page.setDefaultTimeout(TIMEOUT_MS);
    asked = [];
    page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await page.goto(backendUrl());
    await page.evaluate(`app.showApp(${JSON.stringify(new URL(system.baseUrl).origin)})`);
  });
  afterEach(() => page?.close());

  function linkReact(): void {
    for (const name of ['react', 'react-dom', '@types/react', '@types/react-dom']) {
      mkdirSync(join(folder, 'node_modules', name, '..'), { recursive: true });
      symlinkSync(join(CLIENT_PACKAGE, 'node_modules', name), join(folder, 'node_modules', name));
    }
  }

  /** The app's page, and what its backend does with the secret key. */
  async function startBackend(): Promise<Server> {
    const script = readFileSync(join(folder, 'app.js'));
    const answers: Record<string, () => Promise<Json>> = {
      '/token': async () => ({ token: customer.token }),
      '/portal-link': async () => must(await project.api.post(`/customers/${customer.id}/portal-session`, {}), 201),
    };
    const server = createServer(async (req, res) => {
      const answer = answers[req.url ?? ''];
      if (answer) return res.setHeader('content-type', 'application/json').end(JSON.stringify(await answer()));
      if (req.url === '/app.js') return res.setHeader('content-type', 'text/javascript').end(script);
      res
        .setHeader('content-type', 'text/html')
        .end('<!doctype html><title>app</title><script src="/app.js"></script>');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  const backendUrl = () => `http://127.0.0.1:${(backend.address() as AddressInfo).port}/`;
  const see = (selector: string, text: string | RegExp) =>
    page.locator(selector).filter({ hasText: text }).first().waitFor();
  const press = (section: string, name: string) => page.locator(section).getByRole('button', { name }).click();
  const count = (path: string) => asked.filter((each) => each === `GET /api/v1/customers/me${path}`).length;

  it('compiles the app in strict mode with the types of the package', async () => {
    const modules = { module: 'preserve', moduleResolution: 'bundler', target: 'es2022', jsx: 'react-jsx', types: [] };
    const lib = ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'];
    const strict = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true };
    const config = { compilerOptions: { ...modules, ...strict, lib }, files: ['app.tsx'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    await runTool(process.execPath, [TSC, '-p', folder]);
  });

  it('shows the usage in two places with one request, and in both after a charge', async () => {
    await see('#first', '0 requests');
    await see('#second', '0 requests');
    expect(count('/usage')).toBe(1);
    await press('#first', 'Ask');
    await see('#first', '1 requests');
    await see('#second', '1 requests');
    expect(count('/usage')).toBe(2);
  });

  it('shows the balance again and again, as a charge changes it', async () => {
    await see('#customer', customer.externalId);
    await see('#balance', /^\d+$/);
    const before = Number(await page.locator('#balance').textContent());
    await press('#first', 'Ask');
    await page.waitForFunction(`Number(document.querySelector('#balance').textContent) < ${before}`);
    const { balance_microcents: balance } = must(await customer.api.get('/customers/me/balance'), 200);
    expect(Number(await page.locator('#balance').textContent())).toBe(balance);
    expect(count('/balance')).toBeGreaterThan(1);
    expect(count('')).toBe(1);
  });

  it('follows a run to its end, and reports an unknown run', async () => {
    await see('#status', 'idle');
    await press('#run', 'Start');
    await see('#status', 'ended');
    const shown = (await page.locator('#events').textContent()) ?? '';
    const seqs = shown.split(', ').map((each) => Number.parseInt(each, 10));
    expect(seqs).toEqual(seqs.map((_, index) => index + 1));
    expect(shown).toMatch(/^1 run_compiled.* run_completed$/);
    await press('#run', 'Unknown');
    await see('#status', 'failed');
    expect(await page.locator('#run-error').textContent()).toBe('NOT_FOUND');
    expect(await page.locator('#events').textContent()).toBe('');
  });

  it('opens the portal of the customer', async () => {
    await press('#account', 'Manage');
    await page.getByRole('heading', { name: 'Your account' }).waitFor();
    expect(new URL(page.url()).origin).toBe(new URL(system.baseUrl).origin);
  });
});
