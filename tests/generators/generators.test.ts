import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { newEndpoint } from './endpoint.js';
import { newMigration } from './migration.js';
import { newProvider } from './provider.js';
import { newRpc } from './rpc.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => (existsSync(`${root}${path}`) ? readFileSync(`${root}${path}`, 'utf8') : undefined);

describe('newEndpoint', () => {
  it('writes the endpoint and its test, and lists it in the router of the folder', () => {
    const [endpoint, test, index] = newEndpoint(['tiers', 'get-tier-history', 'GET', '/tiers/:id/history'], read);
    expect(endpoint?.path).toBe('services/edge-gateway/src/http/routes/tiers/get-tier-history.ts');
    expect(endpoint?.text).toContain("path: '/tiers/:id/history'");
    expect(endpoint?.text).toContain('params: z.object({ id: z.string() })');
    expect(test?.text).toContain('[tierRouter]');
    expect(index?.text).toMatch(/endpoints\(\s*listTiers,[^)]*, getTierHistory\)/);
    expect(index?.text).toContain("import { getTierHistory } from './get-tier-history.js';");
  });

  it.each([
    [['customers', 'block-customer', 'POST', '/customers/:id/block'], /block-customer\.ts exists already/],
    [['nowhere', 'get-it', 'GET', '/it'], /nowhere\/index\.ts does not exist/],
    [['tiers', 'GetTier', 'GET', '/tiers'], /kebab-case/],
    [['tiers', 'get-x', 'FETCH', '/x'], /the method must be/],
    [['tiers', 'get-x', 'GET', 'x'], /must start with \//],
  ])('refuses %j', (args, message) => expect(() => newEndpoint(args, read)).toThrow(message));
});

describe('newRpc', () => {
  it('writes proto, operation and test, and adds the RPC to the table of its service', () => {
    const args = ['messaging', 'messaging/v1/messaging', 'MessagingService', 'ReadMailbox'];
    const [proto, operation, test, table] = newRpc(args, read);
    expect(proto?.text).toMatch(/rpc ReadMailbox\(ReadMailboxRequest\) returns \(ReadMailboxResponse\);\n\}/);
    expect(proto?.text).toContain('message ReadMailboxRequest {}');
    expect(operation?.path).toBe('services/messaging/src/operations/read-mailbox.ts');
    expect(test?.path).toBe('services/messaging/src/operations/read-mailbox.test.ts');
    expect(table?.text).toMatch(/readMailbox\(ctx, call\.requirePrincipal\(\), req\),\n {2}\}\);/);
  });

  it.each([
    [['messaging', 'messaging', 'MessagingService', 'X1'], /such as messaging\/v1\/messaging/],
    [['messaging', 'messaging/v1/messaging', 'MessagingService', 'readIt'], /PascalCase/],
    [['messaging', 'messaging/v1/messaging', 'OtherService', 'ReadIt'], /other-service\.ts does not exist/],
  ])('refuses %j', (args, message) => expect(() => newRpc(args, read)).toThrow(message));
});

describe('newProvider', () => {
  it('writes the vendor with the test of its answers, and lists its wire and its line in the README', () => {
    const changes = newProvider(['acme-labs'], read);
    const textAt = (end: string) => changes.find(({ path }) => path.endsWith(end))?.text;
    const folder = 'services/gateway-inference/src/providers/acme-labs/';
    expect(changes.filter(({ path }) => path.startsWith(folder)).map(({ path }) => path.slice(folder.length))).toEqual([
      'acme-labs-provider.ts',
      'acme-labs-request.ts',
      'acme-labs-wire.ts',
      'acme-labs-wire.test.ts',
      'upstream-error.ts',
      '__fixtures__/README.md',
      '__fixtures__/text.json',
      '__fixtures__/text.chunks.txt',
      '__fixtures__/error.json',
    ]);
    expect(textAt('acme-labs-wire.test.ts')).toContain("new AcmeLabsWire('custom')");
    expect(textAt('connection.ts')).toContain("'bedrock', 'acme-labs'] as const");
    expect(textAt('open-connection.ts')).toContain("case 'acme-labs':\n      return openAcmeLabs(parts);");
    expect(textAt('providers/README.md')).toMatch(/\| Vertex AI, .*\|\n\| Acme labs \| ✓ .*\|\n\n/);
  });

  it.each([
    [['AcmeLabs'], /kebab-case/],
    [['google'], /google-provider\.ts exists already/],
  ])('refuses %j', (args, message) => expect(() => newProvider(args, read)).toThrow(message));
});

it.each([
  [['messaging'], /snake_case/],
  [['nothing-here', 'notes'], /has no tables/],
])('refuses a migration %j', async (args, message) => {
  await expect(newMigration(args, read, { root, now: new Date(0) })).rejects.toThrow(message);
});
