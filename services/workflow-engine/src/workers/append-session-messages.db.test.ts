import { describe, expect, it } from '@jest/globals';
import { AppError } from '@tollgate/errors';
import { CUSTOMER, customerToken, SESSION } from '../testing/engine-fixture.js';
import { awaitEnd, createRun, say, TEXT, until } from '../testing/run-client.js';
import { useEngine } from '../testing/use-engine.js';

const { database, peers, engine } = useEngine(import.meta.url);

const chain = {
  kind: 'workflow.v0',
  nodes: [
    say('a', 'first'),
    say('b', '{{x}} second', { bindings: [{ from: 'a', pointer: TEXT, to_placeholder: 'x' }] }),
  ],
  outputs: [{ name: 'answer', from: 'b' }],
};

async function queued(runId: string): Promise<number> {
  const { rows } = await database.pool.query('SELECT FROM run_session_messages WHERE run_id = $1', [runId]);
  return rows.length;
}

const start = (sessionId = SESSION) => createRun(engine.client, chain, customerToken(), { sessionId });

describe('a run with a session', () => {
  it('appends its final answer with its id, as the principal that started it', async () => {
    const runId = await start();
    await awaitEnd(engine.client, runId);
    await until(async () => (await queued(runId)) === 0);
    expect(peers.sessions.appends).toMatchObject([
      { req: { id: SESSION, role: 'assistant', contentJson: '"first second"', runId }, customerId: CUSTOMER },
    ]);
  });

  it('appends once although the answer to the append was lost', async () => {
    let losses = 2;
    peers.sessions.answer = () => {
      if (losses-- > 0) throw new AppError('SERVICE_UNAVAILABLE', 'lost');
    };
    const runId = await start();
    await awaitEnd(engine.client, runId);
    await until(async () => peers.sessions.appends.length === 3 && (await queued(runId)) === 0);
    expect(peers.sessions.messages.size).toBe(1);
  });

  it('appends after a crash of the engine that ended it', async () => {
    peers.sessions.answer = () => {
      throw new AppError('SERVICE_UNAVAILABLE', 'unavailable');
    };
    const runId = await start();
    await awaitEnd(engine.client, runId);
    await until(() => peers.sessions.appends.length > 0);
    await engine.stop();
    peers.sessions.answer = () => undefined;
    await peers.engine();
    await until(async () => (await queued(runId)) === 0);
    expect(peers.sessions.messages.size).toBe(1);
  });

  it('gives up on a session that was deleted', async () => {
    const runId = await start();
    await database.pool.query('UPDATE runs SET session_id = gen_random_uuid() WHERE run_id = $1', [runId]);
    await awaitEnd(engine.client, runId);
    await until(async () => peers.sessions.appends.length === 1 && (await queued(runId)) === 0);
    expect(peers.sessions.messages.size).toBe(0);
  });

  it('appends nothing when it fails', async () => {
    peers.inference.reply = () => ({ error: new AppError('PROVIDER_ERROR', 'no', { upstreamStatus: 400 }) });
    const runId = await start();
    expect((await awaitEnd(engine.client, runId)).status).toBe('failed');
    expect(await queued(runId)).toBe(0);
    expect(peers.sessions.appends).toEqual([]);
  });
});

it('appends nothing for a run without a session', async () => {
  const runId = await createRun(engine.client, chain);
  expect((await awaitEnd(engine.client, runId)).status).toBe('succeeded');
  expect(peers.sessions.appends).toEqual([]);
});
