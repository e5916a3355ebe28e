import { describe, expect, it } from '@jest/globals';
import { routes } from '../../routes/index.js';
import { turnRoutes } from '../../turns/index.js';
import type { RouteDoc } from '../route-doc.js';
import { chooseBodyClass } from './read-body.js';

const withBody = [...routes, ...turnRoutes].filter(({ method }) => method !== 'GET');
const listPaths = (wanted: string) =>
  withBody.filter((route) => chooseBodyClass(route) === wanted).map(({ method, path }) => `${method} ${path}`);

describe('chooseBodyClass', () => {
  const route = (doc: Partial<RouteDoc>) => chooseBodyClass({ auth: ['secret_key'], ...doc });

  it('returns the declared class, else the class of the route’s credentials', () => {
    expect(route({})).toBe('standard');
    expect(route({ auth: 'none' })).toBe('open');
    expect(route({ bodyClass: 'documents' })).toBe('documents');
  });
});

describe('the class of every route', () => {
  it('assigns generating to the routes that take a prompt or a recording', () => {
    expect(listPaths('generating').sort()).toEqual([
      'POST /images/generate',
      'POST /projects/:id/images/generate',
      'POST /projects/:id/responses',
      'POST /projects/:id/responses/batch',
      'POST /responses',
      'POST /responses/batch',
      'POST /v1/audio/speech',
      'POST /v1/audio/transcriptions',
      'POST /v1/audio/translations',
      'POST /v1/chat/completions',
      'POST /v1/completions',
      'POST /v1/conversations',
      'POST /v1/conversations/:conversation_id/items',
      'POST /v1/decisions',
      'POST /v1/embeddings',
      'POST /v1/images/edits',
      'POST /v1/images/generations',
      'POST /v1/messages',
      'POST /v1/messages/count_tokens',
      'POST /v1/moderations',
      'POST /v1/responses',
      'POST /v1/responses/input_tokens',
      'POST /v1beta/models/:model:batchEmbedContents',
      'POST /v1beta/models/:model:countTokens',
      'POST /v1beta/models/:model:embedContent',
      'POST /v1beta/models/:model:generateContent',
      'POST /v1beta/models/:model:streamGenerateContent',
    ]);
  });

  it('assigns documents only to routes of runs, agents, sessions, workflows, plugins and skills', () => {
    const found = listPaths('documents');
    expect(found).toHaveLength(23);
    for (const path of found) expect(path).toMatch(/\/(runs|agents|sessions|workflows|plugins|skills)\b/);
  });

  it('assigns open to every route without a credential except the signed Stripe webhook', () => {
    const open = withBody.filter(({ auth }) => auth === 'none');
    const others = open.filter((route) => chooseBodyClass(route) !== 'open').map(({ path }) => path);
    expect(others).toEqual(['/billing/webhooks/stripe']);
    expect(open.length).toBeGreaterThan(others.length);
  });
});
