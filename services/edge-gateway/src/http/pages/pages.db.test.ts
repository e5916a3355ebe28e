import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { errorCatalog } from '@tollgate/errors';
import request from 'supertest';
import { type RouteTest, startRouteTest } from '../../testing/route-test.js';

let harness: RouteTest;

beforeAll(async () => {
  harness = await startRouteTest(import.meta.url, [], []);
});
afterAll(() => harness.stop());

describe('GET /', () => {
  it('returns links as JSON', async () => {
    const { status, body } = await request(harness.app).get('/');
    expect(status).toBe(200);
    expect(body).toEqual({
      name: 'Tollgate',
      console: '/console',
      docs: '/docs',
      openapi: '/api/v1/openapi.json',
      status: '/status',
    });
  });

  it('redirects browsers to the console', async () => {
    const { status, headers } = await request(harness.app).get('/?utm_source=x').set('Accept', 'text/html,*/*;q=0.8');
    expect([status, headers.location, headers.vary]).toEqual([303, '/console', 'Accept']);
  });
});

describe('GET /docs', () => {
  it('loads scripts and styles from this server only, and none inline', async () => {
    const { status, text, headers } = await request(harness.app).get('/docs');
    expect(status).toBe(200);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).not.toContain('unsafe');
    expect(text).not.toMatch(/<script(?![^>]*src=)|<style|https?:/);
    for (const [, file = ''] of text.matchAll(/(?:src|href)="(\/[^"]+)"/g)) {
      const answer = await request(harness.app).get(file).set('Accept-Encoding', 'identity');
      expect([file, answer.status]).toEqual([file, 200]);
      expect(answer.headers['content-type']).toMatch(/^text\/(javascript|css); charset=utf-8$/);
    }
  });

  it('sends compressed files to clients that accept them', async () => {
    const plain = await request(harness.app).get('/docs/swagger-ui.css').set('Accept-Encoding', 'identity');
    const zipped = await request(harness.app).get('/docs/swagger-ui.css').set('Accept-Encoding', 'gzip, br');
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(zipped.text).toBe(plain.text);
    expect(plain.headers['content-encoding']).toBeUndefined();
  });

  it.each(['package.json', '..%2Fpackage.json', 'constructor', 'swagger-ui.js.map'])(
    'answers 404 for %s',
    async (file) => {
      expect((await request(harness.app).get(`/docs/${file}`)).status).toBe(404);
    },
  );
});

describe('GET /docs/errors', () => {
  it('links to a page for every code', async () => {
    const { status, text } = await request(harness.app).get('/docs/errors');
    expect(status).toBe(200);
    const links = [...text.matchAll(/href="(\/docs\/errors\/[^"]+)"/g)].map(([, link]) => link!);
    expect(links).toHaveLength(Object.keys(errorCatalog).length);
    for (const link of links) {
      const { status, text } = await request(harness.app).get(link);
      expect([link, status]).toEqual([link, 200]);
      expect(text).toMatch(/<h2>Causes<\/h2>\n<ul><li>.*<h2>What to do<\/h2>\n<ul><li>/s);
    }
  });

  it('answers 404 for an unknown code', async () => {
    expect((await request(harness.app).get('/docs/errors/constructor')).status).toBe(404);
  });

  it('answers with a link to it in errors of every form', async () => {
    for (const path of ['/api/v1/models/x/y', '/v1/messages', '/api/v1/projects']) {
      const { status, headers } = await request(harness.app).post(path).send({});
      expect(status).toBeGreaterThanOrEqual(400);
      expect(headers.link).toMatch(/^<\/docs\/errors\/[A-Z_]+>; rel="help"$/);
    }
  });
});
