import type { get } from '../../api/client.js';
import type { ApiKey, CustomerEnvelope, RequestRow, Tier } from '../../api/types.js';

/** A thing of the project, and the path of its page below the project's. */
export interface Found {
  kind: string;
  title: string;
  path: string;
}

interface Asked {
  get: typeof get;
  /** `/projects/{id}` */
  base: string;
  text: string;
  signal: AbortSignal | undefined;
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
/** Ids that clients see: a response has that of its request. */
const PREFIX = /^resp_/;
const CUSTOMERS_MAX = 5;
const REQUESTS_MAX = 5;
const REQUEST_DAYS = 31;

/** The kinds of things that a UUID may name, with the endpoint that answers 404 when it does not. All pages have the endpoint's path. */
const BY_UUID = [
  ['requests', 'Request'],
  ['runs', 'Run'],
  ['messages', 'Message'],
  ['sessions', 'Session'],
  ['webhooks', 'Webhook'],
  ['tool-hooks', 'Tool hook'],
] as const;

/** Returns the customers, tiers, keys, agents and requests that the text names, and the things that have it as id. */
export async function findByText(
  getJson: typeof get,
  projectId: string,
  text: string,
  signal?: AbortSignal,
): Promise<Found[]> {
  const asked: Asked = { get: getJson, base: `/projects/${projectId}`, text: text.replace(PREFIX, ''), signal };
  const lookups = UUID.test(asked.text)
    ? [
        findCustomer,
        findTiers,
        findKeys,
        findPayment,
        ...BY_UUID.map(
          ([path, kind]) =>
            (it: Asked) =>
              findOne(it, path, kind),
        ),
      ]
    : [findCustomers, findTiers, findKeys, findAgent];
  // A part that is unavailable, or that the user may not read, hides none of the others.
  const found = await Promise.all([...lookups, findRequests].map((lookup) => lookup(asked).catch(() => [])));
  const unique = new Map(found.flat().map((one) => [`${one.kind} ${one.title} ${one.path}`, one]));
  return [...unique.values()];
}

async function findOne({ get, base, text, signal }: Asked, path: string, kind: string): Promise<Found[]> {
  await get(`${base}/${path}/${text}`, {}, signal);
  return [{ kind, title: text, path: `${path}/${text}` }];
}

async function findPayment({ get, base, text, signal }: Asked): Promise<Found[]> {
  await get(`${base}/payments/${text}`, {}, signal);
  return [{ kind: 'Payment', title: text, path: 'payments' }];
}

async function findCustomer({ get, base, text, signal }: Asked): Promise<Found[]> {
  return [toCustomer(await get<CustomerEnvelope>(`${base}/customers/${text}`, {}, signal))];
}

async function findCustomers({ get, base, text, signal }: Asked): Promise<Found[]> {
  const query = { q: text, sort: '-created_at', limit: CUSTOMERS_MAX };
  const { customers } = await get<{ customers: CustomerEnvelope[] }>(`${base}/customers`, query, signal);
  return customers.map(toCustomer);
}

function toCustomer({ customer: { id, external_id, email } }: CustomerEnvelope): Found {
  return { kind: 'Customer', title: [external_id, email].filter(Boolean).join(' · '), path: `customers/${id}` };
}

async function findTiers({ get, base, text, signal }: Asked): Promise<Found[]> {
  const { tiers } = await get<{ tiers: Tier[] }>(`${base}/tiers`, {}, signal);
  return tiers
    .filter(
      ({ id, tier_code, display_name }) =>
        id === text.toLowerCase() || begins(tier_code, text) || begins(display_name, text),
    )
    .map(({ id, display_name }) => ({ kind: 'Tier', title: display_name, path: `tiers/${id}` }));
}

async function findKeys({ get, base, text, signal }: Asked): Promise<Found[]> {
  const { api_keys } = await get<{ api_keys: ApiKey[] }>(`${base}/api-keys`, {}, signal);
  return api_keys
    .filter(({ id, label }) => id === text.toLowerCase() || begins(label ?? '', text))
    .map(({ id, label }) => ({ kind: 'Key', title: label || id, path: 'keys' }));
}

async function findAgent({ get, base, text, signal }: Asked): Promise<Found[]> {
  const slug = text.toLowerCase();
  await get(`${base}/agents/${encodeURIComponent(slug)}`, {}, signal);
  return [{ kind: 'Agent', title: slug, path: `agents/${slug}` }];
}

/** By the id that a client chose for the request, too. */
async function findRequests({ get, base, text, signal }: Asked): Promise<Found[]> {
  const from = new Date(Date.now() - REQUEST_DAYS * 86_400_000).toISOString();
  const query = { request_id: text, from, limit: REQUESTS_MAX };
  const { requests } = await get<{ requests: RequestRow[] }>(`${base}/requests`, query, signal);
  return requests.map(({ id, request_id }) => ({ kind: 'Request', title: request_id, path: `requests/${id}` }));
}

function begins(name: string, text: string): boolean {
  return name.toLowerCase().startsWith(text.toLowerCase());
}
