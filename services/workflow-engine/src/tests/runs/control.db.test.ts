import { describe, expect, it } from '@jest/globals';
import { checkLog } from '../../testing/check-log.js';
import { callAs } from '../../testing/engine-fixture.js';
import { awaitEnd, createRun, getSnapshot, parseJson, readEvents, say, TEXT, until } from '../../testing/run-client.js';
import { useEngine } from '../../testing/use-engine.js';

const { peers, engine } = useEngine(import.meta.url);

const never = new Promise<void>(() => undefined);

describe('cancel', () => {
  const spec = {
    kind: 'workflow.v0',
    nodes: [say('a', 'hello there'), say('b', '{{x}}', { bindings: [{ from: 'a', to_placeholder: 'x' }] })],
  };

  it('returns the run canceled, and no event follows', async () => {
    peers.inference.reply = () => ({ gateAfterFirst: never });
    const runId = await createRun(engine.client, spec);
    await until(async () =>
      (await readEvents(engine.client, runId, false)).some((event) => event.type === 'node_output_delta'),
    );
    const { run } = await engine.client.cancelRun({ runId }, callAs());
    expect(run).toMatchObject({ status: 'canceled', nodes: [{ status: 'canceled' }, { status: 'canceled' }] });
    const head = await readEvents(engine.client, runId, false);
    expect(head.at(-1)?.type).toBe('run_canceled');
    await until(() => peers.inference.calls[0]?.isAborted === true);
    expect(await readEvents(engine.client, runId, false)).toEqual(head);
    await checkLog(engine.client, runId);
  });

  it('aborts a call of another process without a heartbeat, and its usage is settled', async () => {
    const holder = await peers.engine({ work: { leaseMs: 600_000, heartbeatMs: 300_000, drainMs: 50 } });
    peers.inference.reply = () => ({ gateAfterFirst: never });
    const runId = await createRun(holder.client, spec);
    await until(() => peers.inference.calls.length === 1);
    await engine.client.cancelRun({ runId }, callAs());
    await until(() => peers.inference.calls[0]?.isAborted === true);
    await until(() => peers.billing.open.size === 0);
    expect(peers.billing.settled.get(peers.inference.calls[0]!.holdId)?.usage?.outputTokens).toBe(1n);
  });

  it('returns the same answer when repeated, and CONFLICT after the end', async () => {
    peers.inference.reply = () => ({ gate: never });
    const canceled = await createRun(engine.client, spec);
    const first = await engine.client.cancelRun({ runId: canceled }, callAs());
    expect(await engine.client.cancelRun({ runId: canceled }, callAs())).toEqual(first);
    peers.inference.reply = () => ({});
    const succeeded = await createRun(engine.client, spec);
    await awaitEnd(engine.client, succeeded);
    await expect(engine.client.cancelRun({ runId: succeeded }, callAs())).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  it('releases the hold of an unsent call', async () => {
    let runId = '';
    peers.billing.decide = async () => {
      await until(() => runId !== '');
      await engine.client.cancelRun({ runId }, callAs());
      return undefined;
    };
    runId = await createRun(engine.client, { kind: 'workflow.v0', nodes: [say('a', 'x')] });
    await until(() => peers.billing.released.size === 1);
    expect(peers.billing.open.size).toBe(0);
    expect(peers.billing.customerMicrocents()).toBe(0n);
    expect(peers.inference.calls).toEqual([]);
    await checkLog(engine.client, runId);
  });
});

describe('client tools', () => {
  const spec = {
    kind: 'workflow.v0',
    nodes: [
      say('ask', 'what is the weather', { tool_execution: { mode: 'client' } }),
      say('then', '{{x}}', { bindings: [{ from: 'ask', pointer: TEXT, to_placeholder: 'x' }] }),
    ],
    outputs: [{ name: 'o', from: 'then', pointer: TEXT }],
  };
  const calls = [
    { id: 't1', name: 'weather', arguments: '{"at":"here"}' },
    { id: 't2', name: 'weather', arguments: '{"at":"there"}' },
  ];
  const results = [
    { toolCallId: 't1', name: 'weather', output: '"sunny"' },
    { toolCallId: 't2', name: 'weather', output: '"rain"' },
  ];

  async function waitingRun(options: object = {}): Promise<{ runId: string; holdId: string }> {
    peers.inference.reply = ({ body }) =>
      body.input.some((message) => message.role === 'tool')
        ? { text: 'sunny and rain' }
        : body.input.length === 1 &&
            body.input[0]?.content?.some((part) => part.type === 'text' && part.text.startsWith('what'))
          ? { toolCalls: calls }
          : {};
    const runId = await createRun(engine.client, { ...spec, ...options });
    await until(async () => (await getSnapshot(engine.client, runId)).status === 'waiting');
    const { pending } = await engine.client.listPendingTools({ runId }, callAs());
    return { runId, holdId: pending[0]!.holdId };
  }

  it('keeps the node waiting until all calls are answered', async () => {
    const { runId, holdId } = await waitingRun();
    const { pending } = await engine.client.listPendingTools({ runId }, callAs());
    expect(pending).toMatchObject([
      { nodeId: 'ask', step: 0, toolCalls: calls.map((call) => ({ toolCallId: call.id, arguments: call.arguments })) },
    ]);
    const answer = await engine.client.submitToolResults({ runId, nodeId: 'ask', step: 0, holdId, results }, callAs());
    expect(answer).toMatchObject({ accepted: 2, status: 'running' });
    const run = await awaitEnd(engine.client, runId);
    expect(parseJson(run.outputsJson)).toEqual({ o: 'sunny and rain' });
    const second = peers.inference.calls[1]!.body.input;
    expect(second.map((message) => message.role)).toEqual(['user', 'assistant', 'tool', 'tool']);
    expect(second[1]?.tool_calls?.map((call) => call.id)).toEqual(['t1', 't2']);
    const events = await checkLog(engine.client, runId);
    const types = events.filter((event) => event.node_id === 'ask').map((event) => event.type);
    expect(types.filter((type) => type.startsWith('node_tool') || type === 'node_waiting')).toEqual([
      'node_tool_call',
      'node_tool_call',
      'node_waiting',
      'node_tool_result',
      'node_tool_result',
    ]);
    expect(run.costSummary?.lineItems.find((line) => line.nodeId === 'ask')?.requests).toBe(2);
  });

  it('accepts repeated results with the same answer, even after the end, and rejects changed results', async () => {
    const { runId, holdId } = await waitingRun();
    const submit = () => engine.client.submitToolResults({ runId, nodeId: 'ask', step: 0, holdId, results }, callAs());
    const [first, second] = await Promise.all([submit(), submit()]);
    expect(second).toEqual(first);
    await awaitEnd(engine.client, runId);
    expect(await submit()).toEqual(first);
    const changed = [results[0]!, { ...results[1]!, output: '"snow"' }];
    const other = engine.client.submitToolResults(
      { runId, nodeId: 'ask', step: 0, holdId, results: changed },
      callAs(),
    );
    await expect(other).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(peers.inference.calls).toHaveLength(3);
  });

  it('rejects results for another step, request, node or set of calls without consuming them', async () => {
    const { runId, holdId } = await waitingRun();
    const good = { runId, nodeId: 'ask', step: 0, holdId, results };
    const wrong = [
      { ...good, step: 1 },
      { ...good, holdId: runId },
      { ...good, nodeId: 'then' },
      { ...good, results: results.slice(0, 1) },
      { ...good, results: [...results, { toolCallId: 'x', name: 'weather', output: '1' }] },
      { ...good, results: [results[0]!, results[0]!] },
    ];
    for (const req of wrong) {
      await expect(engine.client.submitToolResults(req, callAs())).rejects.toMatchObject({ code: 'CONFLICT' });
    }
    expect((await getSnapshot(engine.client, runId)).status).toBe('waiting');
    await engine.client.submitToolResults(good, callAs());
    expect((await awaitEnd(engine.client, runId)).status).toBe('succeeded');
  });

  it('rejects a result with another tool name and accepts both spellings of a name', async () => {
    peers.inference.reply = ({ body }) =>
      body.input.some((message) => message.role === 'tool')
        ? { text: 'done' }
        : { toolCalls: [{ id: 't1', name: 'weather_at', arguments: '{}' }] };
    const nodes = [say('ask', 'what is it', { tool_execution: { mode: 'client' } })];
    const runId = await createRun(engine.client, { kind: 'workflow.v0', nodes });
    await until(async () => (await getSnapshot(engine.client, runId)).status === 'waiting');
    const { pending } = await engine.client.listPendingTools({ runId }, callAs());
    const submit = (name: string) => {
      const results = [{ toolCallId: 't1', name, output: '1' }];
      return engine.client.submitToolResults(
        { runId, nodeId: 'ask', step: 0, holdId: pending[0]!.holdId, results },
        callAs(),
      );
    };
    await expect(submit('other')).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      fields: [{ field: 'results[0].name' }],
    });
    expect((await getSnapshot(engine.client, runId)).status).toBe('waiting');
    expect(await submit('weather.at')).toMatchObject({ accepted: 1 });
    expect((await awaitEnd(engine.client, runId)).status).toBe('succeeded');
  });

  it('fails the run when no results arrive in time', async () => {
    const nodes = [say('ask', 'what is it', { tool_execution: { mode: 'client' }, tool_limits: { wait_ttl_ms: 100 } })];
    peers.inference.reply = () => ({ toolCalls: calls });
    const runId = await createRun(engine.client, { kind: 'workflow.v0', nodes });
    const run = await awaitEnd(engine.client, runId);
    expect(run).toMatchObject({ status: 'failed', error: { code: 'TOOL_WAIT_TIMEOUT' } });
    await checkLog(engine.client, runId);
  });

  it('ends a conversation at its call limit', async () => {
    const nodes = [say('ask', 'what is it', { tool_execution: { mode: 'client' }, tool_limits: { max_llm_calls: 2 } })];
    peers.inference.reply = () => ({ toolCalls: calls });
    const runId = await createRun(engine.client, { kind: 'workflow.v0', nodes });
    await until(async () => (await getSnapshot(engine.client, runId)).status === 'waiting');
    const { pending } = await engine.client.listPendingTools({ runId }, callAs());
    const { holdId } = pending[0]!;
    await engine.client.submitToolResults({ runId, nodeId: 'ask', step: 0, holdId, results }, callAs());
    // The last allowed model call requests tools again, but no further call may read their results.
    const run = await awaitEnd(engine.client, runId);
    expect(run).toMatchObject({ status: 'failed', error: { code: 'TOOL_LOOP_LIMIT' } });
    expect(peers.inference.calls).toHaveLength(2);
  });
});
