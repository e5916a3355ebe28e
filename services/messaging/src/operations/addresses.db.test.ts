// The rules of the specification as tables: which caller may use which address, and which messages a list leaves out.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { Call } from '@tollgate/rpc';
import { callFor, newProject, startTestMessaging, type TestMessaging } from '../testing/test-messaging.js';

let harness: TestMessaging;

beforeAll(async () => {
  harness = await startTestMessaging(import.meta.url);
});
afterAll(() => harness.stop());

type Project = ReturnType<typeof newProject> & { ownRun: { runId: string; customerId: string }; stranger: string };
/** `ok`, or the code of the error. */
type Outcome = 'ok' | 'NOT_FOUND' | 'VALIDATION_ERROR';

async function readOutcome(request: Promise<unknown>): Promise<string> {
  return await request.then(
    () => 'ok',
    (error: { code: string }) => error.code,
  );
}

/** Adds a run of the project itself and the id of another project. */
function wider(): Project {
  return { ...newProject(), ownRun: { runId: randomUUID(), customerId: '' }, stranger: randomUUID() };
}

const callers: Record<string, (w: Project) => Call> = {
  project: (w) => w.byProject,
  owner: (w) => callFor(w.projectId, '', PrincipalKind.OWNER),
  customer: (w) => w.byAnn,
  'project for the customer': (w) => callFor(w.projectId, w.annRun.customerId, PrincipalKind.SECRET_KEY),
};
const addresses: Record<string, (w: Project) => string> = {
  'an agent of the project': (w) => w.agent('helper'),
  'an agent of another project': (w) => `agent:helper@${w.stranger}`,
  "the customer's run": (w) => `run:${w.annRun.runId}`,
  "another customer's run": (w) => `run:${w.bobRun.runId}`,
  "the project's run": (w) => `run:${w.ownRun.runId}`,
  'a topic of the project': (w) => `topic:news@${w.projectId}`,
  'a bare topic': () => 'topic:news',
  nonsense: () => 'helper',
};

/** All ways to use an address have the same outcome. */
const rows = Object.keys(callers).flatMap((caller) => {
  const isCustomer = caller.includes('customer');
  const outcomes: Record<string, Outcome> = {
    'an agent of the project': 'ok',
    'an agent of another project': 'NOT_FOUND',
    "the customer's run": 'ok',
    "another customer's run": isCustomer ? 'NOT_FOUND' : 'ok',
    "the project's run": isCustomer ? 'NOT_FOUND' : 'ok',
    'a topic of the project': 'VALIDATION_ERROR',
    'a bare topic': 'VALIDATION_ERROR',
    nonsense: 'VALIDATION_ERROR',
  };
  return Object.entries(outcomes).map(([address, outcome]) => [caller, address, outcome] as const);
});

describe('an address', () => {
  it.each(rows)('treats for the %s %s as recipient, sender, mailbox and inbox as %s', async (caller, name, outcome) => {
    const w = wider();
    const call = callers[caller]!(w);
    const address = addresses[name]!(w);
    const runs = [w.annRun, w.bobRun, w.ownRun];
    expect(await readOutcome(harness.send(call, address, { runs }))).toBe(outcome);
    expect(await readOutcome(harness.send(call, w.agent('helper'), { from: address, runs }))).toBe(outcome);
    expect(await readOutcome(harness.idsIn(call, { to: address, runs }))).toBe(outcome);
    expect(await readOutcome(harness.client.readInbox({ address, limit: 10, runs }, call))).toBe(outcome);
  });

  it.each(Object.keys(callers))('defaults to the API of the project for a sender that the %s omits', async (caller) => {
    const w = wider();
    expect((await harness.send(callers[caller]!(w), w.agent('helper'))).from).toBe(w.agent('api'));
  });
});

describe('a thread', () => {
  it.each<[string, (w: Project, ids: { first: string; foreign: string }) => string, Outcome]>([
    ['of the caller', (_w, { first }) => first, 'ok'],
    ['without messages', () => randomUUID(), 'NOT_FOUND'],
    ['of another customer', (_w, { foreign }) => foreign, 'NOT_FOUND'],
    ['whose id is not a UUID', () => 'soon', 'NOT_FOUND'],
  ])('accepts or rejects %s, to continue and to read', async (_name, threadOf, outcome) => {
    const w = wider();
    const first = await harness.send(w.byAnn, w.agent('helper'));
    const foreign = await harness.send(w.byBob, w.agent('helper'));
    const threadId = threadOf(w, { first: first.id, foreign: foreign.id });
    expect(await readOutcome(harness.send(w.byAnn, w.agent('helper'), { threadId }))).toBe(outcome);
    expect(await readOutcome(harness.idsIn(w.byAnn, { threadId }))).toBe(outcome);
  });
});

describe('a list', () => {
  it.each<[string, (w: Project, id: string) => Promise<unknown>, { unread: boolean; all: boolean }]>([
    ['a new message', async () => {}, { unread: true, all: true }],
    [
      'a message that was read by id',
      (w, id) => harness.client.getMessage({ id }, w.byAnn),
      { unread: true, all: true },
    ],
    [
      'a message that was listed',
      (w) => harness.idsIn(w.byAnn, { to: w.agent('helper') }),
      { unread: true, all: true },
    ],
    [
      'a message that was marked as read',
      (w, id) => harness.client.markMessageRead({ id }, w.byAnn),
      { unread: false, all: true },
    ],
    [
      'a message that an inbox call returned',
      (w) => harness.client.readInbox({ address: w.agent('helper'), limit: 1 }, w.byAnn),
      { unread: false, all: true },
    ],
    [
      "a message that another customer's inbox call skipped",
      (w) => harness.client.readInbox({ address: w.agent('helper'), limit: 1 }, w.byBob),
      { unread: true, all: true },
    ],
  ])('shows or leaves out %s', async (_name, happens, shown) => {
    const w = wider();
    const { id, threadId } = await harness.send(w.byAnn, w.agent('helper'));
    await happens(w, id);
    for (const query of [{ to: w.agent('helper') }, { threadId }]) {
      const seen = {
        unread: await harness.idsIn(w.byAnn, query),
        all: await harness.idsIn(w.byAnn, { ...query, unread: false }),
      };
      expect(seen).toEqual({ unread: shown.unread ? [id] : [], all: shown.all ? [id] : [] });
    }
  });
});
