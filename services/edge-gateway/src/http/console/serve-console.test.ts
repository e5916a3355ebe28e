import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { readConsoleFiles } from './console-files.js';
import { consoleHandler } from './serve-console.js';

const PAGE = '<!doctype html><title>Tollgate</title>';
const PORTAL = '<!doctype html><title>Your account</title>';
const SCRIPT = 'console.log(1);';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-console-'));
const servers: Server[] = [];
let base: string;

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), PAGE);
  writeFileSync(join(folder, 'portal.html'), PORTAL);
  writeFileSync(join(folder, 'assets/index-abc.js'), SCRIPT);
  writeFileSync(join(folder, 'assets/index-abc.js.gz'), gzipSync(SCRIPT));
  writeFileSync(join(folder, 'secret.txt'), 'not a type of the console');
  base = await serve(consoleHandler(() => readConsoleFiles(folder)));
});
afterAll(() => {
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true });
});

function serve(handler: ReturnType<typeof consoleHandler>): Promise<string> {
  const server = createServer((req, res) => {
    handler(req, res, () => res.writeHead(418).end());
  });
  servers.push(server);
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}

const get = (path: string, headers: Record<string, string> = {}) => request(base).get(path).set(headers);

describe('consoleHandler', () => {
  it.each(['/console', '/console/', '/console?x=1', '/console/p/1/customers/2', '/console/sign-in?to=%2F'])(
    'answers %s with the page of the console',
    async (path) => {
      const res = await get(path);
      expect([res.status, res.text]).toEqual([200, PAGE]);
      expect(res.headers['cache-control']).toBe('no-cache');
    },
  );

  it.each(['/consoles', '/', '/api/v1/models', '/console.js'])('leaves %s to the API', async (path) => {
    expect((await get(path)).status).toBe(418);
  });

  it('leaves other methods to the API', async () => {
    expect((await request(base).post('/console')).status).toBe(418);
  });

  it('allows no scripts and styles but its own, and no frame', async () => {
    const { headers } = await get('/console/');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("style-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it('answers files with a hash in their name for a year, in the best coding that the client accepts', async () => {
    const path = '/console/assets/index-abc.js';
    const packed = await get(path, { 'Accept-Encoding': 'br, gzip' });
    expect(packed.headers).toMatchObject({
      'content-encoding': 'gzip',
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    });
    expect(packed.text).toBe(gunzipSync(gzipSync(SCRIPT)).toString());
    const plain = await get(path, { 'Accept-Encoding': 'gzip;q=0, br;q=0' });
    expect([plain.text, plain.headers['content-encoding']]).toEqual([SCRIPT, undefined]);
    expect(plain.headers.etag).not.toBe(packed.headers.etag);
  });

  it('answers 304 for what the browser has', async () => {
    const { headers } = await get('/console/');
    const again = await get('/console/', { 'If-None-Match': `"other", W/${headers.etag}` });
    expect([again.status, again.text]).toEqual([304, '']);
    expect((await get('/console/', { 'If-None-Match': '"other"' })).status).toBe(200);
  });

  it('answers HEAD without a body', async () => {
    const res = await request(base).head('/console/');
    expect([res.status, res.text, res.headers['content-length']]).toEqual([200, undefined, String(PAGE.length)]);
  });

  it.each([
    '/console/assets/index-old.js',
    '/console/missing.svg',
    '/console/secret.txt',
    '/console/../secret.txt',
    '/console/..%2fsecret.txt',
    '/console/assets/../../../../../../etc/passwd',
  ])('answers 404 for %s', async (path) => {
    expect(await fetchRaw(path)).toMatch(/^HTTP\/1\.1 404 .*\r\n\r\nThe console has no such file\.\n$/s);
  });

  it('explains where the console is not built', async () => {
    const bare = await serve(consoleHandler(() => readConsoleFiles(join(folder, 'assets'))));
    const res = await request(bare).get('/console');
    expect([res.status, res.text]).toEqual([404, 'The console is not built: npm run build.\n']);
  });

  it('reads the files again after a failure', async () => {
    let isBroken = true;
    const flaky = await serve(
      consoleHandler(async () => {
        if (isBroken) throw new Error('EIO');
        return readConsoleFiles(folder);
      }),
    );
    expect((await request(flaky).get('/console')).status).toBe(503);
    isBroken = false;
    expect((await request(flaky).get('/console')).status).toBe(200);
  });
});

describe('the portal', () => {
  const PROJECT = '5f0c7a4e-8d3b-4c1f-9a52-6b7e1d2c3f40';
  let asked: string[] = [];
  let portal: string;
  let isFailing = false;

  beforeAll(async () => {
    const findFrames = async (_req: unknown, projectId: string) => {
      if (isFailing) throw new Error('database');
      asked.push(projectId);
      return projectId === PROJECT ? ['https://app.example.com', 'http://localhost:3000'] : [];
    };
    portal = await serve(consoleHandler(() => readConsoleFiles(folder), findFrames));
  });

  it('allows frames of the origins that the project names, and no others', async () => {
    asked = [];
    const { status, text, headers } = await request(portal).get(`/portal/${PROJECT}?x=1`);
    expect([status, text, asked]).toEqual([200, PORTAL, [PROJECT]]);
    const policy = String(headers['content-security-policy']);
    expect(policy).toMatch(/frame-ancestors https:\/\/app\.example\.com http:\/\/localhost:3000$/);
    expect(policy).toContain("script-src 'self'");
    const other = await request(portal).get(`/portal/${PROJECT.replace('5', '6')}`);
    expect([other.status, other.headers['content-security-policy']]).toEqual([
      200,
      expect.stringMatching(/frame-ancestors 'none'$/),
    ]);
  });

  it.each(['/portal', '/portal/', '/portal/x', `/portal/${PROJECT}/x`])('asks for no project at %s', async (path) => {
    asked = [];
    const { text, headers } = await request(portal).get(path);
    expect([text, asked]).toEqual([PORTAL, []]);
    expect(headers['content-security-policy']).toMatch(/frame-ancestors 'none'$/);
  });

  it('answers 503 when the setting cannot be read, instead of a page for no frame', async () => {
    isFailing = true;
    expect((await request(portal).get(`/portal/${PROJECT}`)).status).toBe(503);
    isFailing = false;
  });

  it.each(['/portals', '/portal.html'])('leaves %s to the API', async (path) => {
    expect((await request(portal).get(path)).status).toBe(418);
  });
});

/** Clients of higher levels remove `..` before they send. */
function fetchRaw(path: string): Promise<string> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(`GET ${path} HTTP/1.0\r\n\r\n`));
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes;
    });
    socket.on('end', () => resolve(text));
    socket.on('error', reject);
  });
}
