import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { startCall } from '@tollgate/rpc';
import { callFor, newProject, startTestMessaging, type TestMessaging } from '../testing/test-messaging.js';

let harness: TestMessaging;
let client: TestMessaging['client'];
let send: TestMessaging['send'];
let idsIn: TestMessaging['idsIn'];

beforeAll(async () => {
  harness = await startTestMessaging(import.meta.url);
  ({ client, send, idsIn } = harness);
});

afterAll(() => harness.stop());

describe('scope of a customer', () => {
  it('shows a customer only its own messages of an agent’s mailbox', async () => {
    const { agent, byProject, byAnn, byBob } = newProject();
    const ofAnn = await send(byAnn, agent('helper'));
    const ofBob = await send(byBob, agent('helper'));
    const ofProject = await send(byProject, agent('helper'));
    expect(await idsIn(byAnn, { to: agent('helper') })).toEqual([ofAnn.id]);
    expect(await idsIn(byBob, { to: agent('helper') })).toEqual([ofBob.id]);
    expect(await idsIn(byProject, { to: agent('helper') })).toEqual([ofAnn.id, ofBob.id, ofProject.id]);
  });

  it('answers NOT_FOUND for another customer’s message, as for an unknown one', async () => {
    const { agent, byAnn, byBob } = newProject();
    const { id, threadId } = await send(byBob, agent('helper'));
    await expect(client.getMessage({ id }, byAnn)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(client.markMessageRead({ id }, byAnn)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(idsIn(byAnn, { threadId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(send(byAnn, agent('helper'), { threadId })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await client.getMessage({ id }, byBob)).message?.readAt).toBeUndefined();
  });

  it('takes only the customer’s own messages from a shared inbox', async () => {
    const { agent, byAnn, byBob } = newProject();
    const ofAnn = await send(byAnn, agent('helper'));
    const ofBob = await send(byBob, agent('helper'));
    const taken = await client.readInbox({ address: agent('helper'), limit: 10 }, byAnn);
    expect(taken.messages.map((message) => message.id)).toEqual([ofAnn.id]);
    expect(await idsIn(byBob, { to: agent('helper') })).toEqual([ofBob.id]);
  });

  it('rejects writing to and reading of another customer’s run', async () => {
    const { agent, annRun, bobRun, byAnn } = newProject();
    const runs = [annRun, bobRun];
    const toBob = send(byAnn, `run:${bobRun.runId}`, { runs });
    await expect(toBob).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const asBob = send(byAnn, agent('helper'), { from: `run:${bobRun.runId}`, runs });
    await expect(asBob).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(idsIn(byAnn, { to: `run:${bobRun.runId}`, runs })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('shows a customer what the project sends to its run', async () => {
    const { annRun, byProject, byAnn } = newProject();
    const { id } = await send(byProject, `run:${annRun.runId}`, { runs: [annRun] });
    expect(await idsIn(byAnn, { to: `run:${annRun.runId}`, runs: [annRun] })).toEqual([id]);
  });

  it('shows it also when the run’s customer was unknown at the time of sending', async () => {
    const { annRun, byProject, byAnn } = newProject();
    const { id } = await send(byProject, `run:${annRun.runId}`);
    expect(await idsIn(byAnn, { to: `run:${annRun.runId}`, runs: [annRun] })).toEqual([id]);
  });

  it('hides from a customer what another customer sent to its run', async () => {
    const { annRun, byAnn, byBob } = newProject();
    await send(byBob, `run:${annRun.runId}`); // from inside a run, where no caller lists the recipient's run
    expect(await idsIn(byAnn, { to: `run:${annRun.runId}`, runs: [annRun] })).toEqual([]);
  });

  it('shows a customer the project’s answer in its thread', async () => {
    const { agent, byProject, byAnn } = newProject();
    const question = await send(byAnn, agent('helper'), { from: agent('customer') });
    const answer = await send(byProject, agent('customer'), { threadId: question.id });
    expect(await idsIn(byAnn, { threadId: question.id })).toEqual([question.id, answer.id]);
  });
});

describe('the client of a customer', () => {
  const fromClient = true;

  it('sends only from the customer’s runs and the API', async () => {
    const { agent, annRun, byAnn, byProject } = newProject();
    for (const from of ['', agent('api'), `run:${annRun.runId}`]) {
      await send(byAnn, agent('helper'), { from, runs: [annRun], fromClient });
    }
    for (const from of [agent('boss'), agent('API')]) {
      const refused = send(byAnn, agent('helper'), { from, fromClient });
      await expect(refused).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    await send(byAnn, agent('helper'), { from: agent('boss') }); // a tool in the run of an agent
    await send(byProject, agent('helper'), { from: agent('boss'), fromClient });
  });

  it('reads only mail to and from the customer', async () => {
    const { agent, annRun, byAnn, byProject } = newProject();
    const between = await send(byAnn, agent('helper'), { from: agent('boss') });
    const question = await send(byAnn, agent('helper'), { fromClient });
    const answer = await send(byAnn, agent('api'), { from: agent('helper'), threadId: question.id });
    const ofRun = await send(byAnn, agent('helper'), { from: `run:${annRun.runId}`, runs: [annRun] });
    expect(await idsIn(byAnn, { to: agent('helper'), fromClient })).toEqual([question.id, ofRun.id]);
    expect(await idsIn(byAnn, { threadId: question.id, fromClient })).toEqual([question.id, answer.id]);
    const { id } = between;
    await expect(client.getMessage({ id, fromClient }, byAnn)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(client.markMessageRead({ id, fromClient }, byAnn)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(idsIn(byAnn, { threadId: id, fromClient })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await idsIn(byProject, { to: agent('helper'), fromClient })).toEqual([id, question.id, ofRun.id]);
    expect((await client.getMessage({ id }, byAnn)).message).toMatchObject({ id, customerId: annRun.customerId });
  });
});

describe('credentials', () => {
  it.each([
    ['a call without a principal', startCall(), 'UNAUTHORIZED'],
    ['a publishable key', callFor(randomUUID(), '', PrincipalKind.PUBLISHABLE_KEY), 'FORBIDDEN'],
    ['a customer token without a customer', callFor(randomUUID(), '', PrincipalKind.CUSTOMER), 'UNAUTHORIZED'],
    ['an owner without a project', callFor('', '', PrincipalKind.OWNER), 'UNAUTHORIZED'],
  ])('rejects %s', async (_, call, code) => {
    await expect(client.listMessages({ to: 'agent:a@b', limit: 1 }, call)).rejects.toMatchObject({ code });
  });
});
