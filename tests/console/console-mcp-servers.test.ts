// What an owner does in the console with MCP servers.
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type McpTestServer, startAuthorizationServer, startMcpServer, waitUntil } from '@tollgate/testkit';
import { describeWith } from '@tollgate/testkit/describe-with';
import type { Browser, Page } from 'playwright-core';
import { must, type System, type TestProject } from '../system/start-system.js';
import { type ConsolePage, openChromium, openConsole } from './console-page.js';
import { startWithLocalOwner } from './local-owner.js';
import { pageActions } from './page-actions.js';

const FIRST = 'Bearer first-credential-4711';
const SECOND = 'Bearer second-credential-4712';

describeWith('CHROMIUM_PATH', 'MCP servers in the console', (chromium) => {
  let system: System;
  let browser: Browser;
  let project: TestProject;
  let server: McpTestServer;
  let shown: ConsolePage;
  let page: Page;

  beforeAll(async () => {
    ({ system, project } = await startWithLocalOwner());
    const tools = ['find', 'store'].map((name) => ({ name, inputSchema: { type: 'object' as const } }));
    server = await startMcpServer({ tools, authorization: FIRST });
    browser = await openChromium(chromium);
    shown = await openConsole(browser, system.stack.httpUrl);
    page = shown.page;
    await shown.open('');
    await enterAsLocalOwner();
  });
  afterAll(async () => {
    await shown?.close();
    await browser?.close();
    await server?.stop();
    await system?.stop();
  });

  const { press, see, enterAsLocalOwner } = pageActions(() => page);
  const list = async () => must(await project.owner.get(`/projects/${project.id}/mcp-servers`), 200).servers;

  it('registers a server, and never shows the value of a header again', async () => {
    await shown.open(`/p/${project.id}/mcp-servers`);
    await press('New MCP server');
    await page.getByLabel('Name', { exact: true }).fill('Not A Name');
    await page.getByLabel('Endpoint').fill(server.url);
    await page.getByLabel('Name of header 1').fill('Authorization');
    await page.getByLabel('Value of header 1').fill(FIRST);
    await press('Create');
    await page.locator('[aria-invalid="true"]').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('notes');
    await press('Create');
    await page.getByRole('heading', { name: 'notes' }).waitFor();
    await see('Authorization');
    expect(await page.content()).not.toContain('4711');
    await shown.keepPicture('mcp-server');
    expect([...shown.faults, ...(await shown.findBarriers())]).toEqual([]);
  });

  it('refreshes the list of tools, and shows why it fails', async () => {
    await press('Refresh the tools');
    await see('mcp__notes__find');
    await see('mcp__notes__store');
    expect(server.methods).toContain('tools/list');
    expect(await shown.findBarriers()).toEqual([]);
    server.options.authorization = SECOND;
    await press('Refresh the tools');
    await see('the server answered 401');
  });

  it('changes the settings, and the headers only on request', async () => {
    await press('Edit');
    expect(await page.getByLabel('Value of header 1').count()).toBe(0);
    await page.getByLabel('Timeout in seconds').fill('12.5');
    await page.getByLabel('Tools').fill('find');
    await press('Save');
    await see('12.5');
    expect(await list()).toMatchObject([
      { timeout_ms: 12_500, tools_allowlist: ['find'], header_names: ['Authorization'] },
    ]);
    await press('Edit');
    await page.getByLabel('Replace the headers').check();
    await page.getByLabel('Name of header 1').fill('Authorization');
    await page.getByLabel('Value of header 1').fill(SECOND);
    await press('Add a header');
    await page.getByLabel('Name of header 2').fill('X-Team');
    await page.getByLabel('Value of header 2').fill('reports');
    await press('Save');
    await see('Authorization, X-Team');
    await press('Refresh the tools');
    await see('mcp__notes__find');
    expect(await page.getByText('mcp__notes__store').count()).toBe(0);
    expect(shown.faults).toEqual([]);
  });

  it('disables a server, and deletes it after a question', async () => {
    await press('More');
    await page.getByRole('menuitem', { name: 'Disable' }).click();
    await see('Server disabled');
    expect(await list()).toMatchObject([{ enabled: false }]);
    await press('More');
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await see('No MCP servers yet');
    await waitUntil(async () => (await list()).length === 0, { what: 'the deletion' });
    expect(shown.faults).toEqual([]);
  });

  it('connects a server to an account, uses its access, and disconnects it', async () => {
    const provider = await startAuthorizationServer();
    const { issuer, accepts } = provider;
    const guarded = await startMcpServer({
      tools: [{ name: 'find', inputSchema: { type: 'object' } }],
      oauth: { issuer, accepts },
    });
    try {
      const body = { name: 'linked', endpoint_url: guarded.url };
      const { id } = must(await project.owner.post(`/projects/${project.id}/mcp-servers`, body), 201).server;
      const address = `/p/${project.id}/mcp-servers/${id}`;
      await shown.open(address);
      await see('Not connected to an account.');
      await press('Connect');
      await page.getByLabel('Client id').waitFor();
      await shown.keepPicture('mcp-server-connect');
      await press('Continue');
      await see('Connected. Tools are called');
      expect(new URL(page.url()).hash).toBe('');
      await press('Refresh the tools');
      await see('mcp__linked__find');
      await shown.keepPicture('mcp-server-connected');
      // The browser has left the console for the authorization server, once.
      const [left, ...faults] = shown.faults;
      expect(left).toContain(`request to ${issuer}/authorize?`);
      expect([...faults, ...(await shown.findBarriers())]).toEqual([]);
      provider.revoke();
      await press('Refresh the tools');
      await see('has to connect it again');
      await shown.open(address);
      await see('Connect the server again');
      await press('Disconnect');
      await page.getByRole('dialog').getByRole('button', { name: 'Disconnect', exact: true }).click();
      await see('Not connected to an account.');
    } finally {
      await guarded.stop();
      await provider.stop();
    }
  });

  it('connects a server with client credentials, and shows why they are refused', async () => {
    const provider = await startAuthorizationServer({ expiresInSeconds: 3_600, clientSecrets: { robot: 'right' } });
    const { issuer, accepts } = provider;
    const tools = [{ name: 'find', inputSchema: { type: 'object' as const } }];
    const guarded = await startMcpServer({ tools, oauth: { issuer, accepts } });
    try {
      const body = { name: 'robots', endpoint_url: guarded.url };
      const { id } = must(await project.owner.post(`/projects/${project.id}/mcp-servers`, body), 201).server;
      await shown.open(`/p/${project.id}/mcp-servers/${id}`);
      await press('Connect');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Access').selectOption('client');
      await dialog.getByLabel('Client id').fill('robot');
      await dialog.getByLabel('Client secret').fill('wrong');
      await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
      await see('invalid_client');
      await shown.keepPicture('mcp-server-client');
      await dialog.getByLabel('Client secret').fill('right');
      await dialog.getByRole('button', { name: 'Connect', exact: true }).click();
      await see('Connected. Tools are called');
      await press('Refresh the tools');
      await see('mcp__robots__find');
      expect(await shown.findBarriers()).toEqual([]);
    } finally {
      await guarded.stop();
      await provider.stop();
    }
  });
});
