// No tenant can access another. Each operation of the OpenAPI document is called without a credential and with each
// credential of another kind or of another account, on existing resources: it is refused, and no data is shown or changed.
// Wrong and expired credentials are tried with three operations, because one check is in front of all. Operations and credentials come from the document; add new kinds of resources to `makeTenant`.
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { ApiClient, ApiResponse, WebhookReceiver } from '@tollgate/testkit';
import {
  ask,
  CREDENTIAL_KINDS,
  type CredentialKind,
  keyOperation,
  listOperations,
  type Operation,
  pathOwners,
} from '../system/api-document.js';
import { bodyFor, unusedBodies } from '../system/request-bodies.js';
import { must, type System } from '../system/start-system.js';
import { makeTenant, type Tenant } from '../system/tenant.js';
import { startTenantSystem, type TenantSystem } from '../system/tenant-system.js';
import { badCredentials } from './isolation-credentials.js';
import { refusalFaults, takeReadings } from './isolation-judges.js';
import { signingKey } from './token-signer.js';

const key = await signingKey();

/** An operation of the native data plane, of a vendor's dialect, and of the control plane. All are behind one check. */
const EACH_FORM = ['POST /api/v1/responses', 'POST /v1/chat/completions', 'GET /api/v1/projects'];

// Each hook and test calls every operation of the API, some of them several times.
jest.setTimeout(600_000);

let harness: TenantSystem;
let system: System;
let receiver: WebhookReceiver;
let operations: Operation[];
/** Operations that require a credential. */
let guarded: Operation[];
let victim: Tenant;
let stranger: Tenant;
/** Another customer of the victim's project; the key of another project of the victim's account. */
let neighbor: ApiClient;
let sibling: ApiClient;
let bad: Record<string, ApiClient>;
/** Everything that the victim can read, before the attempts. */
let before: Record<string, unknown>;

beforeAll(async () => {
  harness = await startTenantSystem({ JWT_PRIVATE_KEYS: JSON.stringify([key]) });
  ({ system, receiver } = harness);
  operations = listOperations(must(await system.anonymous.get('/openapi.json'), 200));
  guarded = operations.filter(({ accepts }) => accepts.length > 0);
  victim = await makeTenant(system, receiver);
  stranger = await makeTenant(system, receiver);
  neighbor = (await victim.project.customerOn('free')).api;
  sibling = await createSibling(victim);
  bad = await badCredentials(system, victim, key);
  before = await takeReadings(victim, operations);
});
afterAll(() => harness?.stop());

async function createSibling({ project: { owner } }: Tenant): Promise<ApiClient> {
  const { project } = must(await owner.post('/projects', { name: 'the other one' }), 201);
  const { api_key } = must(await owner.post('/api-keys', { label: 'x', project_id: project.id }), 201);
  return owner.as(api_key.secret_key);
}

describe('what is open', () => {
  it('permits calls without a credential only where SPEC and DECISIONS say so', () => {
    const open = operations.filter(({ accepts }) => accepts.length === 0).map(({ name }) => name);
    expect(open.sort()).toEqual([
      // Acts by a cookie, for pages of this origin alone.
      'DELETE /api/v1/auth/browser-session',
      'GET /.well-known/jwks.json',
      'GET /.well-known/oauth-protected-resource/v1/mcp',
      'GET /api/v1/auth/device',
      'GET /api/v1/auth/oauth/authorize',
      'GET /api/v1/auth/oauth/callback',
      'GET /api/v1/auth/sign-in-options',
      'GET /api/v1/billing/checkout-return',
      'GET /api/v1/images/{id}/file',
      // Exchanges nothing: leads the browser to the page whose session completes the connection.
      'GET /api/v1/mcp-servers/oauth/callback',
      'GET /api/v1/models',
      'GET /api/v1/openapi.json',
      'GET /api/v1/schemas/run_event.schema.json',
      'GET /api/v1/schemas/workflow.schema.json',
      'GET /status',
      'POST /api/v1/auth/browser-session',
      'POST /api/v1/auth/browser-session/sign-up',
      'POST /api/v1/auth/dev-login',
      'POST /api/v1/auth/device',
      'POST /api/v1/auth/login',
      'POST /api/v1/auth/logout',
      'POST /api/v1/auth/oauth/start',
      ...['start', 'token'].map((name) => `POST /api/v1/auth/owner-device/${name}`),
      // The answers are the same for every address; the code of a mail is the credential.
      'POST /api/v1/auth/password-reset',
      'POST /api/v1/auth/password-reset/complete',
      'POST /api/v1/auth/refresh',
      'POST /api/v1/auth/register',
      'POST /api/v1/billing/webhooks/stripe',
      // Shows what the one-time code of an invitation is for.
      'POST /api/v1/invitations/preview',
      // Exchanges the one-time code of a link to the portal.
      'POST /api/v1/portal/session',
      'PUT /api/v1/auth/browser-session',
    ]);
  });

  it('opens to a publishable key only the tiers, the claim and the sign-in of devices', () => {
    const open = operations.filter(({ accepts }) => accepts.includes('publishableKey')).map(({ name }) => name);
    expect(open.sort()).toEqual([
      'GET /api/v1/tiers',
      'GET /api/v1/tiers/{id}',
      'POST /api/v1/auth/device/start',
      'POST /api/v1/auth/device/token',
      'POST /api/v1/customers/claim',
    ]);
  });

  it("opens to a customer's token only the data plane and the approval of a device", () => {
    const open = operations.filter(({ accepts }) => accepts.includes('customerToken')).map(({ path }) => path);
    const dataPlane =
      /^\/v1(beta)?\/|^\/api\/v1\/(responses|images|runs|messages|mailboxes|state-handles|sessions|customers\/me|sql\/validate|auth\/device\/approve)\b|\/agents\/\{slug\}\/run$/;
    expect(open.filter((path) => !dataPlane.test(path))).toEqual([]);
  });
});

it('gives the victim one of everything that a path can name, and lets it read each', () => {
  expect(unusedBodies(operations)).toEqual([]);
  const unread = Object.entries(before).filter(([, reading]) => typeof reading === 'number');
  expect(Object.fromEntries(unread)).toEqual({
    'GET /api/v1/customers/me/change-tier as customerToken': 404, // names a tier
    'GET /api/v1/messages as accessToken': 400, // names a mailbox
    'GET /api/v1/messages as customerToken': 400,
    'GET /api/v1/messages as secretKey': 400,
    'GET /api/v1/projects/{id}/messages as accessToken': 400,
    'GET /v1/realtime as customerToken': 400, // is no upgrade
    'GET /v1/realtime as secretKey': 400,
  });
});

describe('an invalid credential', () => {
  it('returns 401 from every guarded operation when it is missing', async () => {
    expect(await faults(guarded, bad['no credential']!, () => [401])).toEqual([]);
  });

  it('returns 401 for each way in which it is invalid, in each form of error', async () => {
    expect(Object.keys(bad).length).toBeGreaterThan(20);
    const asked = guarded.filter(({ name }) => EACH_FORM.includes(name));
    expect(asked).toHaveLength(EACH_FORM.length);
    for (const [name, api] of Object.entries(bad))
      expect([name, await faults(asked, api, () => [401])]).toEqual([name, []]);
  });

  it('shows nothing of the victim where no credential is required', async () => {
    const open = operations.filter(({ accepts }) => accepts.length === 0);
    expect(await faults(open, system.anonymous, () => 'no data')).toEqual([]);
    const image = new URL(victim.imageUrl);
    expect((await fetch(image)).status).toBe(200);
    image.searchParams.set('token', String(new URL(stranger.imageUrl).searchParams.get('token')));
    expect((await fetch(image)).status).toBe(404);
  });
});

describe('a valid credential of the wrong kind', () => {
  it.each(CREDENTIAL_KINDS)('returns 403 to a %s', async (kind) => {
    expect(await faults(refusing(kind), victim.as[kind], () => [403])).toEqual([]);
  });
});

describe('a valid credential without access to the victim', () => {
  it.each(CREDENTIAL_KINDS)("hides the victim's resources from a %s of another owner", async (kind) => {
    expect(await faults(guarded, stranger.as[kind], expectedAnswer(kind, ['project', 'customer']))).toEqual([]);
  });

  it("hides the victim's resources from a secret key of another project of the same owner", async () => {
    // Without operations that spend: both projects share the account's money.
    const namesOwned = (one: Operation) => [...pathOwners(one, victim.values)].some((owner) => owner !== 'public');
    const asked = guarded.filter((one) => one.method === 'GET' || namesOwned(one));
    expect(await faults(asked, sibling, expectedAnswer('secretKey', ['project', 'customer']))).toEqual([]);
  });

  it("hides the victim's resources from another customer of the same project", async () => {
    const theirs = guarded.filter((operation) => pathOwners(operation, victim.values).has('customer'));
    expect(theirs.filter(({ accepts }) => accepts.includes('customerToken')).length).toBeGreaterThan(15);
    expect(await faults(theirs, neighbor, expectedAnswer('customerToken', ['customer']))).toEqual([]);
  });

  it("returns 404 to a foreign secret key that names the victim's customer", async () => {
    const takesKey = guarded.filter(({ accepts }) => accepts.includes('secretKey'));
    const header = { 'x-service-customer-id': victim.customer.id };
    expect(await faults(takesKey, stranger.as.secretKey, () => [404], header)).toEqual([]);
  });

  /** 403 if the kind is not accepted, 404 if the path names a foreign resource, otherwise none of the victim's data. */
  function expectedAnswer(kind: CredentialKind, foreign: ('project' | 'customer')[]): Expected {
    return (operation) => {
      if (!operation.accepts.includes(kind)) return [403];
      const owners = pathOwners(operation, victim.values);
      return foreign.some((owner) => owners.has(owner)) ? [404] : 'no data';
    };
  }
});

it('leaves everything that the victim can read unchanged', async () => {
  const now = await takeReadings(victim, operations);
  for (const [name, reading] of Object.entries(before)) expect([name, now[name]]).toEqual([name, reading]);
});

describe('a session of the portal', () => {
  it('opens only what is under /customers/me, for the very customer whose token opens more', async () => {
    const { project, customer } = victim;
    const link = must(await project.api.post(`/customers/${customer.id}/portal-session`, {}), 201);
    const body = { project_id: project.id, code: new URL(link.url).hash.slice(1) };
    const session = must(await system.anonymous.post('/portal/session', body), 200);
    const portal = system.anonymous.as(session.token);
    const isOwn = ({ path }: Operation) => /^\/api\/v1\/customers\/me(\/|$)/.test(path);
    const others = guarded.filter((operation) => !isOwn(operation));
    expect(
      guarded
        .filter(isOwn)
        .map(({ name }) => name)
        .sort(),
    ).toEqual([
      'DELETE /api/v1/customers/me/devices/{id}',
      'GET /api/v1/customers/me',
      'GET /api/v1/customers/me/balance',
      'GET /api/v1/customers/me/balance/history',
      'GET /api/v1/customers/me/change-tier',
      'GET /api/v1/customers/me/devices',
      'GET /api/v1/customers/me/payments',
      'GET /api/v1/customers/me/subscription',
      'GET /api/v1/customers/me/tiers',
      'GET /api/v1/customers/me/usage',
      'POST /api/v1/customers/me/billing-portal',
      'POST /api/v1/customers/me/change-tier',
      'POST /api/v1/customers/me/checkout',
      'POST /api/v1/customers/me/subscription/resume',
      'POST /api/v1/customers/me/topup',
    ]);
    expect(others.length).toBeGreaterThan(150);
    expect(await faults(others, portal, () => [403])).toEqual([]);
    const refusal = await portal.post('/responses', {});
    expect([refusal.body.code, refusal.body.message]).toEqual(['FORBIDDEN', expect.stringContaining('/customers/me')]);
    for (const path of ['', '/usage', '/tiers', '/devices']) must(await portal.get(`/customers/me${path}`), 200);
  }, 600_000);
});

describe('a credential of the tenant itself', () => {
  it.each(CREDENTIAL_KINDS)('permits a %s every operation that the document says it may call', async (kind) => {
    const own = await makeTenant(system, receiver);
    const refused: string[] = [];
    // A deletion finds its resource only before the deletion by its twin operation.
    const deleted = new Set<string>();
    for (const operation of inOrder(guarded.filter(({ accepts }) => accepts.includes(kind)))) {
      const { status } = await ask(own.as[kind], operation, own.values, { body: bodyFor(operation) });
      const ofKey = keyOperation(operation.name);
      const isMissing = [operation.name, ofKey].some((name) => MISSING_ANYWAY.has(name)) || deleted.has(ofKey);
      if (operation.method === 'DELETE') deleted.add(ofKey);
      const isThere = ![401, 403, 404].includes(status) || isMissing;
      if (!isThere || status >= 500) refused.push(`${operation.name}: ${status}`);
    }
    expect(refused).toEqual([]);
  });

  /** Resources that the bodies name and a new tenant lacks, although the path is valid. */
  const MISSING_ANYWAY = new Set([
    'POST /api/v1/auth/device/approve',
    ...['preview', 'approve'].map((name) => `POST /api/v1/auth/owner-device/${name}`),
    'POST /api/v1/auth/customer-token',
    'POST /api/v1/customers/claim',
    'PUT /api/v1/customers/{id}/subscription',
    'POST /api/v1/customers/{id}/subscribe',
    'GET /api/v1/customers/me/change-tier',
    'POST /api/v1/customers/me/change-tier',
    'POST /api/v1/customers/me/checkout',
    'POST /api/v1/invitations/accept',
    'POST /api/v1/account/billing/auto-topup/confirm',
    'POST /api/v1/account/card-verification/confirm',
    'DELETE /api/v1/projects/{id}/mcp-servers/{mcp_server_id}/authorization',
    'POST /v1/embeddings',
    'POST /v1/moderations',
    'POST /v1/audio/speech',
  ]);

  /** Sorts deletions last, those of contained resources first. */
  function inOrder(list: Operation[]): Operation[] {
    const weight = ({ method, path }: Operation) => {
      if (method !== 'DELETE') return 0;
      return /\/(customers\/\{\w+\}|projects\/\{id\})$/.test(path)
        ? 200 - path.split('/').length
        : 100 - path.split('/').length;
    };
    return [...list].sort((a, b) => weight(a) - weight(b));
  }
});

function refusing(kind: CredentialKind): Operation[] {
  return guarded.filter(({ accepts }) => !accepts.includes(kind));
}

type Expected = (operation: Operation) => readonly number[] | 'no data';

/** Returns one line per answer that is not the expected refusal, for all operations. */
async function faults(
  asked: readonly Operation[],
  api: ApiClient,
  expected: Expected,
  headers: Record<string, string> = {},
): Promise<string[]> {
  const found: string[] = [];
  for (const operation of asked) {
    const answer: ApiResponse = await ask(api, operation, victim.values, { body: bodyFor(operation), headers });
    for (const fault of refusalFaults(operation, answer, expected(operation)))
      found.push(`${operation.name}: ${fault}`);
    const shown = victim.secrets.find((secret) => answer.text.includes(secret));
    if (shown) found.push(`${operation.name}: shows ${shown}`);
  }
  return found;
}
