import { randomUUID } from 'node:crypto';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { Call } from '@tollgate/rpc';
import { callFor, newProject, startTestMessaging, type TestMessaging } from '../testing/test-messaging.js';

let harness: TestMessaging;
let client: TestMessaging['client'];
let send: TestMessaging['send'];

beforeAll(async () => {
  harness = await startTestMessaging(import.meta.url);
  ({ client, send } = harness);
});

afterAll(() => harness.stop());

async function search(call: Call, query: object = {}) {
  const { messages, nextCursor } = await client.searchMessages({ limit: 50, ...query }, call);
  return { ids: messages.map(({ id }) => id), nextCursor };
}

async function readMailboxes(call: Call, query: object = {}) {
  const { mailboxes, nextCursor } = await client.listMailboxes({ limit: 50, ...query }, call);
  return { addresses: mailboxes.map(({ address }) => address), mailboxes, nextCursor };
}

describe('searchMessages', () => {
  it('returns the messages of all mailboxes, newest first, page by page while others arrive', async () => {
    const { agent, byProject } = newProject();
    const sent: string[] = [];
    for (const slug of ['a', 'b', 'a', 'c', 'b']) sent.unshift((await send(byProject, agent(slug))).id);
    const first = await search(byProject, { limit: 2 });
    expect(first.ids).toEqual(sent.slice(0, 2));
    await send(byProject, agent('late'));
    const second = await search(byProject, { limit: 2, cursor: first.nextCursor });
    const third = await search(byProject, { limit: 2, cursor: second.nextCursor });
    expect([...second.ids, ...third.ids]).toEqual(sent.slice(2));
    expect(third.nextCursor).toBe('');
  });

  it('filters by mailbox, sender, thread, customer and unread', async () => {
    const { agent, annRun, byProject, byAnn } = newProject();
    const first = await send(byProject, agent('a'), { from: agent('b') });
    const reply = await send(byProject, agent('b'), { from: agent('a'), threadId: first.id });
    const ofAnn = await send(byAnn, agent('a'));
    await client.markMessageRead({ id: first.id }, byProject);
    expect((await search(byProject, { to: agent('a') })).ids).toEqual([ofAnn.id, first.id]);
    expect((await search(byProject, { from: agent('a') })).ids).toEqual([reply.id]);
    expect((await search(byProject, { threadId: first.id })).ids).toEqual([reply.id, first.id]);
    expect((await search(byProject, { customerId: annRun.customerId })).ids).toEqual([ofAnn.id]);
    expect((await search(byProject, { unread: true })).ids).toEqual([ofAnn.id, reply.id]);
  });

  it('shows no message of another project or customer, whatever is asked for', async () => {
    const { agent, annRun, bobRun, byProject, byAnn, byBob } = newProject();
    const own = await send(byProject, agent('a'));
    const ofAnn = await send(byAnn, `run:${annRun.runId}`, { runs: [annRun] });
    expect((await search(byBob)).ids).toEqual([]);
    expect((await search(byBob, { customerId: annRun.customerId })).ids).toEqual([]);
    expect((await search(byAnn)).ids).toEqual([ofAnn.id]);
    expect((await search(callFor(randomUUID()))).ids).toEqual([]);
    await expect(search(byBob, { cursor: ofAnn.id })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await expect(search(byBob, { threadId: own.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const foreign = { to: `run:${annRun.runId}`, runs: [annRun] };
    await expect(search(byBob, foreign)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await search(byProject, { customerId: bobRun.customerId })).ids).toEqual([]);
  });

  it("hides the mail between a customer's agents from the customer's client", async () => {
    const { agent, byAnn } = newProject();
    await send(byAnn, agent('b'), { from: agent('a') });
    const toApi = await send(byAnn, agent('api'), { from: agent('a') });
    expect((await search(byAnn, { fromClient: true })).ids).toEqual([toApi.id]);
    expect((await readMailboxes(byAnn, { fromClient: true })).addresses).toEqual([agent('api')]);
  });

  it.each([
    ['a number', '2'],
    ['an unknown message', randomUUID()],
  ])('rejects %s as a cursor', async (_, cursor) => {
    const { byProject } = newProject();
    await expect(search(byProject, { cursor })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await expect(readMailboxes(byProject, { cursor })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('rejects a page without a bound, and a publishable key', async () => {
    const { projectId, byProject } = newProject();
    const byKey = callFor(projectId, '', PrincipalKind.PUBLISHABLE_KEY);
    for (const limit of [0, 201]) {
      await expect(search(byProject, { limit })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
      await expect(readMailboxes(byProject, { limit })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    }
    await expect(search(byKey)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(readMailboxes(byKey)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('listMailboxes', () => {
  it('returns each mailbox once with its unread count and its newest message, page by page', async () => {
    const { agent, byProject } = newProject();
    for (const slug of ['b', 'a', 'c', 'a']) await send(byProject, agent(slug));
    const newest = await send(byProject, agent('a'), { subject: 'newest' });
    await client.markMessageRead({ id: newest.id }, byProject);
    const first = await readMailboxes(byProject, { limit: 2 });
    expect(first.addresses).toEqual([agent('a'), agent('b')]);
    const [a] = first.mailboxes;
    expect([a?.unreadCount, a?.lastSubject]).toEqual([2, 'newest']);
    expect(timestampDate(a!.lastMessageAt!)).toEqual(timestampDate(newest.createdAt!));
    const second = await readMailboxes(byProject, { limit: 2, cursor: first.nextCursor });
    expect([second.addresses, second.nextCursor]).toEqual([[agent('c')], '']);
  });

  it('leaves out mailboxes whose messages are read', async () => {
    const { agent, byProject } = newProject();
    const read = await send(byProject, agent('a'));
    await send(byProject, agent('b'));
    await client.markMessageRead({ id: read.id }, byProject);
    expect((await readMailboxes(byProject, { unread: true })).addresses).toEqual([agent('b')]);
  });

  it("shows a customer the customer's own mailboxes, and counts no others' messages", async () => {
    const { agent, annRun, byProject, byAnn, byBob } = newProject();
    await send(byProject, agent('a'));
    await send(byBob, agent('a'));
    await send(byAnn, agent('a'));
    await send(byAnn, `run:${annRun.runId}`, { runs: [annRun] });
    const { addresses, mailboxes } = await readMailboxes(byAnn);
    expect(addresses).toEqual([agent('a'), `run:${annRun.runId}`]);
    expect(mailboxes.map(({ unreadCount }) => unreadCount)).toEqual([1, 1]);
    expect((await readMailboxes(callFor(randomUUID()))).addresses).toEqual([]);
  });
});
