// Sends requests made from the OpenAPI document, valid and damaged, to every operation of the system: no answer is
// a fault of the service, and every answer conforms to the document.
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiResponse, Json, WebhookReceiver } from '@tollgate/testkit';
import fc from 'fast-check';
import { buildPath, listOperations, type Operation, type PathValues } from '../system/api-document.js';
import { bodyFor } from '../system/request-bodies.js';
import { must, type System } from '../system/start-system.js';
import { makeTenant, type Tenant } from '../system/tenant.js';
import { startTenantSystem, type TenantSystem } from '../system/tenant-system.js';
import { START_MS } from '../system/use-system.js';
import { type AnswerJudge, answerJudge, NDJSON, SSE } from './answer-judge.js';
import { bodyTexts, toArbitrary, urlTexts } from './arbitraries.js';
import { findDocumentFaults } from './document-faults.js';

const SEED = Number(process.env.FUZZ_SEED ?? 20_261_120);
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 20);

let harness: TenantSystem;
let system: System;
let receiver: WebhookReceiver;
let document: Json;
let judge: AnswerJudge;
let tenant: Tenant;
/** Literal segments such as `me`: used as a parameter's value, they lead to another operation. */
let literals: Set<string>;

beforeAll(async () => {
  harness = await startTenantSystem();
  ({ system, receiver } = harness);
  document = must(await system.anonymous.get('/openapi.json'), 200);
  literals = new Set(Object.keys(document.paths).flatMap((path) => path.split('/')));
  judge = answerJudge(document);
  tenant = await makeTenant(system, receiver);
}, START_MS);
afterAll(() => harness?.stop());

interface Sent {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

describe('the OpenAPI document', () => {
  it('contains all that the authors of clients need', () => {
    expect(findDocumentFaults(document)).toEqual([]);
  });
});

describe('every operation', () => {
  it('answers every request as the document says', async () => {
    const faults: string[] = [];
    for (const operation of listOperations(document)) {
      const fault = await findFault(operation);
      if (fault) faults.push(fault);
    }
    expect(faults).toEqual([]);
  }, 1_200_000);

  it('answers HEAD like GET, without a body, and lists its methods for any other method', async () => {
    const wrong: string[] = [];
    for (const operation of listOperations(document)) {
      const { name, method, accepts } = operation;
      const api = accepts[0] === undefined ? system.anonymous : tenant.as[accepts[0]];
      const url = buildPath(operation, tenant.values);
      const other = await api.at('/').send('TRACE', url);
      if (other.status !== 405 || !String(other.headers.allow).includes(method)) wrong.push(`TRACE ${name}`);
      if (method !== 'GET') continue;
      const [got, head] = [await api.at('/').send('GET', url), await api.at('/').send('HEAD', url)];
      if (got.status !== head.status || head.text !== '') wrong.push(`HEAD ${name}: ${head.status}, ${got.status}`);
    }
    expect(wrong).toEqual([]);
  });
});

/** The smallest request found with a wrong answer, and the faults of that answer. */
async function findFault(operation: Operation): Promise<string | undefined> {
  let last = '';
  const property = fc.asyncProperty(requestsTo(operation), async (request) => {
    const answer = await send(operation, request);
    const wrong = judge(operation, answer);
    if (wrong.length > 0) last = `${wrong.join('; ')} <- ${JSON.stringify(request).slice(0, 600)}`;
    return wrong.length === 0;
  });
  const limits = { numRuns: REQUESTS, seed: SEED, interruptAfterTimeLimit: 20_000, markInterruptAsFailure: false };
  const { failed } = await fc.check(property, limits);
  return failed ? `${operation.name}: ${last}` : undefined;
}

function send({ accepts }: Operation, { method, url, headers, body }: Sent): Promise<ApiResponse> {
  const kind = accepts[0];
  const api = kind === undefined ? system.anonymous : tenant.as[kind];
  return api.at('/').send(method, url, body, headers);
}

function requestsTo(operation: Operation): fc.Arbitrary<Sent> {
  return fc
    .record({
      path: anyPath(operation),
      query: anyQuery(operation),
      headers: anyHeaders(operation),
      body: anyBody(operation),
    })
    .map(({ path, query, headers, body }) => ({ method: operation.method, url: `${path}${query}`, headers, body }));
}

/** Mostly names existing resources; deletions name only missing ones, so that the resources remain. */
function anyPath({ path, method, pathSchemas }: Operation): fc.Arbitrary<string> {
  const values: PathValues = tenant.values;
  const segments = path.split('/').map((segment, at, all): fc.Arbitrary<string> => {
    const [, name, end = ''] = /^\{(\w+)\}(.*)$/.exec(segment) ?? [];
    if (name === undefined) return fc.constant(segment);
    const real = values[`${all[at - 1]}.${name}`] ?? values[name];
    const made = urlTexts(toArbitrary(document, pathSchemas[name])).filter((text) => !literals.has(text));
    if (method === 'DELETE' && !path.includes('/{id}/')) return made;
    return fc
      .oneof(
        { weight: 5, arbitrary: fc.constant(encodeURIComponent(String(real?.value))) },
        { weight: 1, arbitrary: made },
      )
      .map((value) => `${value}${end}`);
  });
  return fc.tuple(...segments).map((parts) => parts.join('/'));
}

function anyQuery({ querySchemas, requiredQuery }: Operation): fc.Arbitrary<string> {
  const parameters = Object.entries(querySchemas).map(([name, schema]) => {
    const value = urlTexts(toArbitrary(document, schema)).map((text) => `${name}=${text}`);
    const twice = fc.tuple(value, value).map((pair) => pair.join('&'));
    const odd = fc.constantFrom(`${name}[]=1`, `${name}[a]=1`, `${name}`, `${name}=&${name}=`, `${name}.x=1`);
    const forms = [
      { weight: 6, arbitrary: value },
      { weight: 1, arbitrary: twice },
      { weight: 1, arbitrary: odd },
      { weight: requiredQuery.includes(name) ? 1 : 6, arbitrary: fc.constant('') },
    ];
    return fc.oneof(...forms);
  });
  return fc.tuple(...parameters).map((parts) => {
    const given = parts.filter((part) => part !== '');
    return given.length > 0 ? `?${given.join('&')}` : '';
  });
}

function anyHeaders({ takesForm, responses }: Operation): fc.Arbitrary<Record<string, string>> {
  const usual = { 'content-type': takesForm ? 'multipart/form-data; boundary=x' : 'application/json' };
  const odd: Record<string, string>[] = [
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/json; charset=utf-16' },
    { 'content-type': 'multipart/form-data' },
    { 'content-type': '\u00e9' },
    { 'content-encoding': 'gzip' },
    { accept: 'application/xml;q=0' },
    { 'idempotency-key': 'x'.repeat(300) },
    { 'x-service-customer-id': '%00' },
    { 'x-service-request-id': 'a"b\\c' },
    { 'x-service-request-id': 'a,b' },
    { traceparent: '00-0-0-0' },
    { 'last-event-id': '99999999999999999999' },
    { 'anthropic-version': '2023-06-01' },
    { range: 'bytes=0-0' },
    { 'x-forwarded-host': 'evil.example' },
  ];
  const streamed = [NDJSON, SSE].filter((type) => type in (responses[200]?.content ?? {}));
  return fc
    .oneof(
      { weight: 4, arbitrary: fc.constant({}) },
      { weight: 1, arbitrary: fc.constantFrom(...odd) },
      ...streamed.map((accept) => ({ weight: 2, arbitrary: fc.constant({ accept }) })),
    )
    .map((more): Record<string, string> => ({ ...usual, ...more }));
}

function anyBody(operation: Operation): fc.Arbitrary<string | undefined> {
  const { method, bodySchema, takesForm } = operation;
  if (method === 'GET') return fc.constant(undefined);
  if (takesForm)
    return fc.constantFrom('', '--x--', '--x\r\n\r\n--x--', FORM, FORM.slice(0, -20), FORM.replaceAll('a', '\0'));
  if (!bodySchema) return fc.constantFrom(undefined, '', '{}', '[');
  // Requests that are known to work are also damaged: they get further than requests that only conform to the schema.
  return bodyTexts(fc.oneof(toArbitrary(document, bodySchema), fc.constant(bodyFor(operation))));
}

const FORM = [
  '--x\r\nContent-Disposition: form-data; name="model"\r\n\r\nsandbox/echo-1',
  '--x\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\nContent-Type: audio/wav\r\n\r\nRIFF',
  '--x--\r\n',
].join('\r\n');
