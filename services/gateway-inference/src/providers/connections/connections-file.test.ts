import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { silentLogger } from '@tollgate/runtime';
import { reloadConnections } from '../../workers/reload-connections.js';
import { Connections } from './connections.js';
import { ConnectionsFileState, type ConnectionsSource, readConnectionsFile } from './connections-file.js';

let folder: string;
let source: ConnectionsSource;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-connections-'));
  const variables: Record<string, string> = { EU_KEY: 'key-of-eu' };
  source = { file: join(folder, 'c.json'), readVariable: (name) => variables[name], allowPrivate: false };
});
afterAll(() => rmSync(folder, { recursive: true }));

function write(content: unknown): string {
  writeFileSync(source.file, typeof content === 'string' ? content : JSON.stringify(content));
  return source.file;
}

function read(content: unknown, more: Partial<ConnectionsSource> = {}) {
  write(content);
  return readConnectionsFile({ ...source, ...more });
}

const relay = { id: 'relay', wire: 'openai-chat', base_url: 'https://relay.example/v1' };

describe('CONNECTIONS_FILE', () => {
  it('takes secrets from variables and from files without their last line break', () => {
    const secret = join(folder, 'secret');
    writeFileSync(secret, 'key of a file\n');
    const keys = [{ secret: { env: 'EU_KEY' }, weight: 3 }, { secret: { file: secret } }];
    const headers = { 'x-team': { env: 'EU_KEY' }, 'x-app': 'tollgate' };
    const [made] = read({ connections: [{ ...relay, preset: 'vllm', keys, headers }] });
    expect(made).toMatchObject({ provider: 'custom', auth: { type: 'bearer' }, quirks: { tokenize: 'vllm' } });
    expect(made!.keys).toEqual([
      { secret: 'key-of-eu', weight: 3 },
      { secret: 'key of a file', weight: 1 },
    ]);
    expect(made!.headers).toEqual({ 'x-team': 'key-of-eu', 'x-app': 'tollgate' });
  });

  it.each<[string, unknown, string]>([
    ['no JSON', '{"secret": "sk-very-secret', 'is not JSON'],
    ['another form', [relay], 'expected {"connections": [entry, …]}'],
    ['a misspelled member', { connections: [{ ...relay, secret: 'sk-very-secret' }] }, 'connection relay: Unrec'],
    ['an unknown wire', { connections: [{ ...relay, wire: 'x' }] }, 'connection relay: wire: '],
    ['no address', { connections: [{ id: 'a', wire: 'gemini' }] }, 'connection a: base_url: required'],
    ['a variable that is not set', { connections: [{ ...relay, keys: [{ secret: { env: 'NO' } }] }] }, 'NO is not set'],
    ['a missing secret', { connections: [{ ...relay, keys: [{ secret: { file: '/no/such' } }] }] }, 'ENOENT'],
    [
      'a secret without an end',
      { connections: [{ ...relay, keys: [{ secret: { file: '/dev/zero' } }] }] },
      'not a file',
    ],
    ['an empty secret', { connections: [{ ...relay, keys: [{ secret: '' }] }] }, 'keys: a secret must be'],
    [
      'a secret that no header can carry',
      { connections: [{ ...relay, keys: [{ secret: 'sk-very-secret\n' }] }] },
      'connection relay: keys: a secret must be printable ASCII, without a line break',
    ],
    ['the id of the sandbox', { connections: [{ ...relay, id: 'sandbox' }] }, 'connection sandbox: id: is reserved'],
    ['a repeated id', { connections: [relay, relay] }, 'connection relay: repeated'],
    ['a private address', { connections: [{ ...relay, base_url: 'http://10.0.0.1/v1' }] }, 'ALLOW_PRIVATE_ENDPOINTS'],
    ['a wire without its adapter', { connections: [{ ...relay, wire: undefined }] }, 'wire: required'],
  ])('rejects a file with %s, naming the entry and no secret', (_, content, message) => {
    expect(() => read(content)).toThrow(message);
    expect(() => read(content)).not.toThrow('sk-very-secret');
  });

  it('rejects a file that is larger than 1 MiB without reading all of it', () => {
    truncateSync(write(''), 8 * 1024 ** 3);
    expect(() => readConnectionsFile(source)).toThrow('is larger than 1048576 bytes');
  });

  it('follows links, which is how platforms mount files, and rejects a pipe without waiting for a writer', () => {
    const link = join(folder, 'link.json');
    symlinkSync(write({ connections: [relay] }), link);
    expect(readConnectionsFile({ ...source, file: link })).toHaveLength(1);
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(() => readConnectionsFile({ ...source, file: pipe })).toThrow('is not a file');
  });

  it('accepts a private address where private ones are allowed', () => {
    const entry = { ...relay, base_url: 'http://10.0.0.1/v1' };
    expect(read({ connections: [entry] }, { allowPrivate: true })).toHaveLength(1);
  });
});

describe('reloading', () => {
  function scene() {
    const limits = { connections: 1, inFlightMax: 1, connectTimeoutMs: 1, responseTimeoutMs: 1, idleTimeoutMs: 1 };
    const connections = new Connections([], { limits, standstill: { over: () => undefined } });
    const config = { connectionsSource: source, defaultConnections: [] } as never;
    const ctx = { config, connections, connectionsFile: new ConnectionsFileState(), logger: silentLogger };
    return { ctx, reload: () => reloadConnections(ctx), ids: () => connections.list().map(({ id }) => id) };
  }

  it('adds and removes connections, changes others, and keeps the sockets of the others', async () => {
    const { ctx, reload, ids } = scene();
    write({ connections: [relay, { ...relay, id: 'second' }] });
    await reload();
    expect(ids()).toEqual(['relay', 'second']);
    const before = ctx.connections.find('relay');
    write({ connections: [{ ...relay, id: 'third' }, relay] });
    await reload();
    expect(ids()).toEqual(['third', 'relay']);
    expect(ctx.connections.find('relay')).toBe(before);
    write({ connections: [{ ...relay, base_url: 'https://other.example' }] });
    await reload();
    expect(ctx.connections.find('relay')).not.toBe(before);
  });

  it('keeps the last good connections while the file is bad, and says so', async () => {
    const { ctx, reload, ids } = scene();
    write({ connections: [relay] });
    await reload();
    write('{');
    await reload();
    expect([ids(), ctx.connectionsFile.problem]).toEqual([['relay'], expect.stringContaining(': is not JSON')]);
    write({ connections: [] });
    await reload();
    expect([ids(), ctx.connectionsFile.problem]).toEqual([[], '']);
  });
});
