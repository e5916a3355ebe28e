import { randomUUID } from 'node:crypto';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newProject, startTestMessaging, type TestMessaging } from '../testing/test-messaging.js';

let harness: TestMessaging;
let client: TestMessaging['client'];
let send: TestMessaging['send'];
let idsIn: TestMessaging['idsIn'];

beforeAll(async () => {
  harness = await startTestMessaging(import.meta.url);
  ({ client, send, idsIn } = harness);
});

afterAll(() => harness.stop());

describe('sending', () => {
  it('stores the message, from the project’s API when no sender is given', async () => {
    const { projectId, agent, byProject } = newProject();
    const bodyJson = '{"z":1,"a":{"text":"\\u0000 é"},"2":[],"1":null}';
    const sent = await send(byProject, agent('helper'), { bodyJson });
    expect(sent).toMatchObject({ projectId, from: agent('api'), to: agent('helper'), subject: 'hello', bodyJson });
    expect(sent.threadId).toBe(sent.id);
    expect(sent.readAt).toBeUndefined();
    const { message } = await client.getMessage({ id: sent.id }, byProject);
    expect(message).toEqual(sent);
  });

  it('keeps a reply in the thread of its message', async () => {
    const { agent, byProject } = newProject();
    const first = await send(byProject, agent('a'));
    const second = await send(byProject, agent('b'), { threadId: first.id });
    const third = await send(byProject, agent('a'), { threadId: first.threadId });
    expect([second.threadId, third.threadId]).toEqual([first.id, first.id]);
    expect(await idsIn(byProject, { threadId: first.id })).toEqual([first.id, second.id, third.id]);
  });

  it.each([
    ['an unknown thread', { threadId: randomUUID() }],
    ['a thread id that is not a UUID', { threadId: 'soon' }],
    ['a sender of another project', { from: `agent:api@${randomUUID()}` }],
    ['a recipient of another project', { to: `agent:api@${randomUUID()}` }],
  ])('answers NOT_FOUND for %s', async (_, more) => {
    const { agent, byProject } = newProject();
    await expect(send(byProject, agent('a'), more)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('rejects the id of a reply as a thread id', async () => {
    const { agent, byProject } = newProject();
    const first = await send(byProject, agent('a'));
    const reply = await send(byProject, agent('a'), { threadId: first.id });
    await expect(send(byProject, agent('a'), { threadId: reply.id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it.each([
    ['a reserved topic', { to: 'topic:news' }, 'VALIDATION_ERROR'],
    ['a malformed recipient', { to: 'helper' }, 'VALIDATION_ERROR'],
    ['a malformed sender', { from: 'helper' }, 'VALIDATION_ERROR'],
    ['no subject', { subject: '' }, 'VALIDATION_ERROR'],
    ['a body that is not an object', { bodyJson: '[]' }, 'VALIDATION_ERROR'],
    ['too large a body', { bodyJson: JSON.stringify({ t: 'x'.repeat(300_000) }) }, 'PAYLOAD_TOO_LARGE'],
  ])('refuses %s', async (_, more, code) => {
    const { agent, byProject } = newProject();
    await expect(send(byProject, agent('a'), more)).rejects.toMatchObject({ code });
  });

  it('sends once per dedupe key, even for concurrent calls', async () => {
    const { agent, byProject } = newProject();
    const tries = Array.from({ length: 5 }, () => send(byProject, agent('a'), { dedupeKey: 'call-1' }));
    const ids = new Set((await Promise.all(tries)).map((message) => message.id));
    expect(ids.size).toBe(1);
    expect(await idsIn(byProject, { to: agent('a') })).toEqual([...ids]);
  });

  it('sends again under a dedupe key that is a day old', async () => {
    const { agent, byProject } = newProject();
    const first = await send(byProject, agent('a'), { dedupeKey: 'call-2' });
    harness.clock.ms += 86_000_000;
    expect((await send(byProject, agent('a'), { dedupeKey: 'call-2' })).id).toBe(first.id);
    harness.clock.ms += 1_000_000;
    const second = await send(byProject, agent('a'), { dedupeKey: 'call-2' });
    expect(await idsIn(byProject, { to: agent('a') })).toEqual([first.id, second.id]);
  });

  it('rejects a dedupe key of another scope without showing its message', async () => {
    const { agent, byAnn, byBob } = newProject();
    await send(byAnn, agent('a'), { dedupeKey: 'call-1' });
    await expect(send(byBob, agent('a'), { dedupeKey: 'call-1' })).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});

describe('listing', () => {
  it('pages through a mailbox, oldest first, without gaps or repetitions', async () => {
    const { agent, byProject } = newProject();
    const sent: string[] = [];
    for (let i = 0; i < 5; i++) sent.push((await send(byProject, agent('a'))).id);
    const seen: string[] = [];
    for (const offset of [0, 2, 4]) {
      const page = await client.listMessages({ to: agent('a'), limit: 2, offset }, byProject);
      expect(page.hasMore).toBe(offset < 4);
      seen.push(...page.messages.map((message) => message.id));
    }
    expect(seen).toEqual(sent);
  });

  it('pages through unread messages that are read between two pages', async () => {
    const { agent, byProject } = newProject();
    const sent: string[] = [];
    for (let i = 0; i < 10; i++) sent.push((await send(byProject, agent('a'))).id);
    const seen: string[] = [];
    let cursor = '';
    do {
      const page = await client.listMessages({ to: agent('a'), unread: true, limit: 3, cursor }, byProject);
      for (const { id } of page.messages) await client.markMessageRead({ id }, byProject);
      seen.push(...page.messages.map(({ id }) => id));
      cursor = page.nextCursor;
    } while (cursor !== '');
    expect(seen).toEqual(sent);
  });

  it('refuses a cursor of another mailbox that the caller cannot see', async () => {
    const [own, other] = [newProject(), newProject()];
    const { id: cursor } = await send(other.byProject, other.agent('a'));
    const listing = client.listMessages({ to: own.agent('a'), limit: 3, cursor }, own.byProject);
    await expect(listing).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('leaves out read messages only when `unread` is set', async () => {
    const { agent, byProject } = newProject();
    const read = await send(byProject, agent('a'));
    const unread = await send(byProject, agent('a'));
    await client.markMessageRead({ id: read.id }, byProject);
    expect(await idsIn(byProject, { to: agent('a') })).toEqual([unread.id]);
    expect(await idsIn(byProject, { to: agent('a'), unread: false })).toEqual([read.id, unread.id]);
  });

  it('narrows a thread to one mailbox when both are given', async () => {
    const { agent, byProject } = newProject();
    const first = await send(byProject, agent('a'));
    const reply = await send(byProject, agent('b'), { threadId: first.id });
    expect(await idsIn(byProject, { to: agent('b'), threadId: first.id })).toEqual([reply.id]);
  });

  it('ignores the case of the ids in an address', async () => {
    const { projectId, agent, byProject } = newProject();
    const { id } = await send(byProject, agent('a'));
    expect(await idsIn(byProject, { to: `agent:a@${projectId.toUpperCase()}` })).toEqual([id]);
  });

  it('requires a mailbox or a thread', async () => {
    const { byProject } = newProject();
    await expect(idsIn(byProject, {})).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('finds nothing under a thread or a mailbox of another project', async () => {
    const { agent, byProject } = newProject();
    const { id } = await send(byProject, agent('a'));
    const other = newProject();
    await expect(idsIn(other.byProject, { threadId: id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(idsIn(other.byProject, { to: agent('a') })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('reading', () => {
  it('keeps the time of the first reading', async () => {
    const { agent, byProject } = newProject();
    const { id } = await send(byProject, agent('a'));
    await client.markMessageRead({ id }, byProject);
    const first = (await client.getMessage({ id }, byProject)).message!.readAt!;
    await client.markMessageRead({ id }, byProject);
    const again = (await client.getMessage({ id }, byProject)).message!.readAt!;
    expect(timestampDate(again)).toEqual(timestampDate(first));
  });

  it.each([randomUUID(), 'nothing'])('finds no message %s', async (id) => {
    const { byProject } = newProject();
    await expect(client.getMessage({ id }, byProject)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(client.markMessageRead({ id }, byProject)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('returns every message of an inbox to exactly one of several readers, oldest first', async () => {
    const { agent, byProject } = newProject();
    const sent: string[] = [];
    for (let i = 0; i < 12; i++) sent.push((await send(byProject, agent('a'))).id);
    const readers = Array.from({ length: 4 }, () => client.readInbox({ address: agent('a'), limit: 3 }, byProject));
    const batches = (await Promise.all(readers)).map((answer) => answer.messages.map((message) => message.id));
    for (const batch of batches) expect(batch).toEqual([...batch].sort((x, y) => sent.indexOf(x) - sent.indexOf(y)));
    const rest = await client.readInbox({ address: agent('a'), limit: 200 }, byProject);
    const all = [...batches.flat(), ...rest.messages.map((message) => message.id)];
    expect(all.toSorted()).toEqual(sent.toSorted());
    expect(await idsIn(byProject, { to: agent('a') })).toEqual([]);
  });

  it('returns the same messages to a repeated inbox call', async () => {
    const { agent, byProject } = newProject();
    const { id } = await send(byProject, agent('a'));
    const take = { address: agent('a'), limit: 10, dedupeKey: 'step-1' };
    const first = await client.readInbox(take, byProject);
    await send(byProject, agent('a'));
    const again = await client.readInbox(take, byProject);
    expect(first.messages.map((message) => message.id)).toEqual([id]);
    expect(again).toEqual(first);
    expect(first.messages[0]?.readAt).toBeDefined();
  });

  it('returns the same messages to concurrent repeats of an inbox call', async () => {
    const { agent, byProject } = newProject();
    await Promise.all(Array.from({ length: 12 }, () => send(byProject, agent('a'))));
    for (const left of [10, 8, 6]) {
      const take = { address: agent('a'), limit: 2, dedupeKey: `step-of-${left}` };
      const answers = await Promise.all(Array.from({ length: 6 }, () => client.readInbox(take, byProject)));
      expect(answers[0]?.messages).toHaveLength(2);
      for (const answer of answers) expect(answer).toEqual(answers[0]);
      expect(await idsIn(byProject, { to: agent('a') })).toHaveLength(left);
    }
  });

  it.each([0, 201])('rejects an inbox limit of %i', async (limit) => {
    const { agent, byProject } = newProject();
    const reading = client.readInbox({ address: agent('a'), limit }, byProject);
    await expect(reading).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});
