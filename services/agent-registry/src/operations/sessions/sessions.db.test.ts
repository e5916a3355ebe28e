import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sessionLimits } from '@tollgate/api/state';
import { SessionService } from '@tollgate/contracts/agents/v1/sessions_pb.js';
import { ToolStateService } from '@tollgate/contracts/agents/v1/tool_state_pb.js';
import type { Call, Client } from '@tollgate/rpc';
import { collectRejections, waitUntil } from '@tollgate/testkit';
import { newCallers, startTestService, type TestService } from '../../testing/test-service.js';

let service: TestService;
let sessions: Client<typeof SessionService>;

beforeAll(async () => {
  service = await startTestService(import.meta.url);
  sessions = service.network.client(SessionService);
});

afterAll(() => service.stop());

async function make(call: Call, metadata: object = {}, customerId = '') {
  const request = { metadataJson: JSON.stringify(metadata), customerId };
  return (await sessions.createSession(request, call)).session!;
}

async function say(call: Call, id: string, content: unknown = 'hello', role = 'user', runId = '') {
  const request = { id, role, contentJson: JSON.stringify(content), runId };
  return (await sessions.appendSessionMessage(request, call)).message!;
}

async function patch(call: Call, id: string, metadata: object) {
  const { session } = await sessions.updateSession({ id, metadataJson: JSON.stringify(metadata) }, call);
  return JSON.parse(session!.metadataJson);
}

async function read(call: Call, id: string) {
  const { session, messages } = await sessions.getSession({ id }, call);
  return { ...session!, metadata: JSON.parse(session!.metadataJson), messages };
}

async function keep(call: Call, id: string) {
  const operations = [
    { name: 'kv_write', argumentsJson: '{"key":"a/b","value":"1"}' },
    { name: 'tasks_write', argumentsJson: '{"tasks":[{"content":"c","status":"pending"}]}' },
  ];
  await service.network
    .client(ToolStateService)
    .applyToolOperations({ scope: { case: 'sessionId', value: id }, operations }, call);
}

const kept = { 'modelrelay.kv': { 'a/b': '1' }, 'modelrelay.tasks': [{ content: 'c', status: 'pending' }] };

describe('sessions', () => {
  it('refuses to return metadata that is stored in an invalid form', async () => {
    const { byProject } = newCallers();
    const { id } = await make(byProject);
    await service.database.pool.query(`UPDATE sessions SET metadata = '["a"]' WHERE id = $1`, [id]);
    await expect(read(byProject, id)).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
  });

  it('keeps the digits of numbers that JavaScript rounds, also when other metadata changes', async () => {
    const { byProject } = newCallers();
    const { session } = await sessions.createSession({ metadataJson: '{"n":12345678901234567890}' }, byProject);
    await patch(byProject, session!.id, { other: 1 });
    const read = await sessions.getSession({ id: session!.id }, byProject);
    expect(read.session?.metadataJson).toBe('{"n":12345678901234567890,"other":1}');
  });

  it('creates a session with the given values and reads it with its messages', async () => {
    const { byProject, projectId } = newCallers();
    const made = await make(byProject, { topic: 'rain', deep: { a: [1, null] } });
    expect(made).toMatchObject({ projectId, customerId: '', messageCount: 0 });
    const runId = randomUUID();
    const parts = [{ type: 'text', text: 'hi \0 \ud800' }];
    await say(byProject, made.id, 'hello');
    await say(byProject, made.id, parts, 'assistant', runId);
    const { metadata, messages, messageCount } = await read(byProject, made.id);
    expect(metadata).toEqual({ topic: 'rain', deep: { a: [1, null] } });
    expect(messageCount).toBe(2);
    expect(messages.map(({ seq, role, contentJson, runId: run }) => [seq, role, JSON.parse(contentJson), run])).toEqual(
      [
        [1, 'user', 'hello', ''],
        [2, 'assistant', parts, runId],
      ],
    );
  });

  it('lists sessions newest first, page by page', async () => {
    const { byProject } = newCallers();
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.unshift((await make(byProject)).id);
    const first = await sessions.listSessions({ limit: 2 }, byProject);
    const second = await sessions.listSessions({ limit: 2, offset: 2 }, byProject);
    expect([...first.sessions, ...second.sessions].map(({ id }) => id)).toEqual(ids);
    expect([first.hasMore, second.hasMore]).toEqual([true, false]);
  });

  it('deletes a session with its messages', async () => {
    const { byProject } = newCallers();
    const { id } = await make(byProject);
    await say(byProject, id);
    await sessions.deleteSession({ id }, byProject);
    await expect(sessions.getSession({ id }, byProject)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(sessions.deleteSession({ id }, byProject)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const { rows } = await service.database.pool.query('SELECT 1 FROM session_messages WHERE session_id = $1', [id]);
    expect(rows).toEqual([]);
  });
});

describe('messages', () => {
  it('numbers the messages of a session without gaps under concurrent appends', async () => {
    const { byProject } = newCallers();
    const { id } = await make(byProject);
    const seqs = await Promise.all(Array.from({ length: 60 }, async (_, i) => (await say(byProject, id, `m${i}`)).seq));
    const expected = Array.from({ length: 60 }, (_, i) => i + 1);
    expect(seqs.toSorted((a, b) => a - b)).toEqual(expected);
    const { messages, messageCount } = await read(byProject, id);
    expect(messages.map(({ seq }) => seq)).toEqual(expected);
    expect(messageCount).toBe(60);
  });

  it('appends a message id once, however many calls repeat it concurrently', async () => {
    const { byProject } = newCallers();
    const { byProject: foreign } = newCallers();
    const { id } = await make(byProject);
    const request = { id, role: 'assistant', contentJson: '"hello"', messageId: randomUUID() };
    const append = () => sessions.appendSessionMessage(request, byProject);
    const answers = [...(await Promise.all(Array.from({ length: 8 }, append))), await append()];
    for (const { message } of answers) expect(message).toEqual(answers[0]?.message);
    expect(answers[0]?.message).toMatchObject({ id: request.messageId, seq: 1 });
    const { messages, messageCount } = await read(byProject, id);
    expect([messages.length, messageCount]).toEqual([1, 1]);
    expect((await say(byProject, id)).seq).toBe(2);
    await expect(sessions.appendSessionMessage(request, foreign)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(sessions.appendSessionMessage({ ...request, messageId: 'x' }, byProject)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  });

  it('leaves no gap, duplicate number or wrong count under concurrent appends and clears', async () => {
    const { byProject } = newCallers();
    const { id } = await make(byProject);
    const work = Array.from({ length: 40 }, (_, i) =>
      i % 8 === 5 ? sessions.clearSession({ id }, byProject) : say(byProject, id),
    );
    await Promise.all(work);
    const { messages, messageCount } = await read(byProject, id);
    expect(messages.map(({ seq }) => seq)).toEqual(Array.from({ length: messageCount }, (_, i) => i + 1));
  });

  it('clears messages that are being appended during the clear', async () => {
    const { byProject } = newCallers();
    const { id } = await make(byProject);
    const { pool } = service.database;
    const appending = await pool.connect();
    await appending.query('BEGIN');
    await appending.query('UPDATE sessions SET message_count = 1, message_bytes = 4 WHERE id = $1', [id]);
    await appending.query(
      `INSERT INTO session_messages (session_id, seq, id, role, content, created_at)
       VALUES ($1, 1, gen_random_uuid(), 'user', '"hi"', now())`,
      [id],
    );
    const clearing = sessions.clearSession({ id }, byProject);
    await waitUntil(() => service.database.countLockWaits('sessions'), { what: 'the clearing to wait' });
    await appending.query('COMMIT');
    appending.release();
    await clearing;
    expect(await read(byProject, id)).toMatchObject({ messages: [], messageCount: 0 });
  });

  it('clears messages and nothing else', async () => {
    const { byProject } = newCallers();
    const { id } = await make(byProject, { topic: 'rain' });
    await say(byProject, id);
    await keep(byProject, id);
    const { session } = await sessions.clearSession({ id }, byProject);
    expect(session).toMatchObject({ id, messageCount: 0 });
    expect(await read(byProject, id)).toMatchObject({ messages: [], metadata: { topic: 'rain', ...kept } });
    expect((await say(byProject, id)).seq).toBe(1);
  });

  it.each([
    ['an unknown role', 'robot', 'hi'],
    ['no content', 'user', ''],
    ['no parts', 'user', []],
    ['a number', 'user', 5],
  ])('rejects a message with %s', async (_, role, content) => {
    const { byProject } = newCallers();
    const { id } = await make(byProject);
    await expect(say(byProject, id, content, role)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect((await read(byProject, id)).messageCount).toBe(0);
  });

  it('rejects messages beyond the limits of a session', async () => {
    const { byProject } = newCallers();
    const { id } = await make(byProject);
    const tooBig = 'x'.repeat(sessionLimits.contentBytes);
    await expect(say(byProject, id, tooBig)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    for (const [column, full] of [
      ['message_count', sessionLimits.messages],
      ['message_bytes', sessionLimits.messageBytes],
    ]) {
      await service.database.pool.query(`UPDATE sessions SET ${column} = $2 WHERE id = $1`, [id, full]);
      const refusal = { code: 'INVALID_INPUT', message: expect.stringMatching(/full/) };
      await expect(say(byProject, id)).rejects.toMatchObject(refusal);
      await service.database.pool.query('UPDATE sessions SET message_count = 0, message_bytes = 0 WHERE id = $1', [id]);
    }
    expect((await say(byProject, id)).seq).toBe(1);
  });
});

describe('metadata', () => {
  it('merges metadata, keeps omitted keys and removes keys set to null', async () => {
    const { byProject } = newCallers();
    const { id } = await make(byProject, { a: 1, b: { c: 2 } });
    expect(await patch(byProject, id, { b: { d: 3 }, e: 'x' })).toEqual({ a: 1, b: { d: 3 }, e: 'x' });
    expect(await patch(byProject, id, { a: null, never: null })).toEqual({ b: { d: 3 }, e: 'x' });
    expect(await patch(byProject, id, {})).toEqual({ b: { d: 3 }, e: 'x' });
  });

  it('loses no key of concurrent changes', async () => {
    const { byProject } = newCallers();
    const { id } = await make(byProject);
    const keys = Array.from({ length: 20 }, (_, i) => `k${i}`);
    await Promise.all(keys.map((key) => patch(byProject, id, { [key]: true })));
    expect(Object.keys((await read(byProject, id)).metadata).toSorted()).toEqual(keys.toSorted());
  });

  it("shows the tools' state, which clients can remove but not write", async () => {
    const { byProject } = newCallers();
    const { id } = await make(byProject, { mine: 1 });
    await keep(byProject, id);
    expect((await read(byProject, id)).metadata).toEqual({ mine: 1, ...kept });
    for (const key of ['modelrelay.kv', 'modelrelay.tasks', 'modelrelay.other']) {
      await expect(patch(byProject, id, { [key]: {} })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
      await expect(make(byProject, { [key]: {} })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    }
    const { 'modelrelay.kv': _, ...tasks } = kept;
    expect(await patch(byProject, id, { 'modelrelay.kv': null })).toEqual({ mine: 1, ...tasks });
    expect(await patch(byProject, id, { 'modelrelay.tasks': null })).toEqual({ mine: 1 });
  });

  it('rejects metadata over 10 KB', async () => {
    const { byProject } = newCallers();
    const fits = { a: 'x'.repeat(sessionLimits.metadataBytes - '{"a":""}'.length) };
    const { id } = await make(byProject, fits);
    await expect(patch(byProject, id, { b: 1 })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect((await read(byProject, id)).metadata).toEqual(fits);
  });

  it.each(['[]', '"text"', 'null', '{'])('rejects %s as metadata', async (metadataJson) => {
    const refused = sessions.createSession({ metadataJson }, newCallers().byProject);
    await expect(refused).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});

describe('scope', () => {
  it('shows a customer its own sessions, and the project all of them', async () => {
    const { byAnn, byBob, byProject } = newCallers();
    const annId = byAnn.principal!.customerId;
    const ofAnn = await make(byAnn);
    const named = await make(byProject, {}, annId);
    const ofProject = await make(byProject);
    expect([ofAnn.customerId, named.customerId, ofProject.customerId]).toEqual([annId, annId, '']);
    const idsFor = async (call: Call) =>
      (await sessions.listSessions({ limit: 10 }, call)).sessions.map(({ id }) => id);
    expect(await idsFor(byAnn)).toEqual([named.id, ofAnn.id]);
    expect(await idsFor(byBob)).toEqual([]);
    expect(await idsFor(byProject)).toEqual([ofProject.id, named.id, ofAnn.id]);
  });

  it('lets a customer create a session only for itself', async () => {
    const { byAnn, byBob } = newCallers();
    await expect(make(byAnn, {}, byBob.principal!.customerId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await make(byAnn, {}, byAnn.principal!.customerId)).customerId).toBe(byAnn.principal!.customerId);
  });

  it("hides another customer's and another project's session from every call", async () => {
    const { byAnn, byBob, byStranger, byProject } = newCallers();
    const { id } = await make(byAnn);
    const ofProject = await make(byProject);
    for (const [session, call] of [
      [id, byBob],
      [id, byStranger],
      [ofProject.id, byAnn],
      [randomUUID(), byProject],
      ['nothing', byProject],
    ] as const) {
      const attempts = [
        read(call, session),
        patch(call, session, { a: 1 }),
        say(call, session),
        sessions.clearSession({ id: session }, call),
        sessions.deleteSession({ id: session }, call),
      ];
      for (const error of await collectRejections(attempts)) expect(error).toMatchObject({ code: 'NOT_FOUND' });
    }
    expect(await read(byAnn, id)).toMatchObject({ messageCount: 0, metadata: {} });
  });
});
