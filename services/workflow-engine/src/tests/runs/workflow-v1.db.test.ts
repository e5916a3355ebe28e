import { describe, expect, it } from '@jest/globals';
import { AppError } from '@tollgate/errors';
import { checkLog } from '../../testing/check-log.js';
import { callAs } from '../../testing/engine-fixture.js';
import { awaitEnd, createRun, gate, getSnapshot, parseJson, say, TEXT, until } from '../../testing/run-client.js';
import { useEngine } from '../../testing/use-engine.js';

const { database, peers, engine } = useEngine(import.meta.url);

const spec = (nodes: object[], more: object = {}) => ({ kind: 'workflow.v1', nodes, ...more });
const pick = (id: string, input: object) => ({ id, type: 'transform.json', input });
const failing = () => ({ error: new AppError('PROVIDER_ERROR', 'no', { upstreamStatus: 400 }) });

async function runToEnd(value: object, input?: object) {
  const runId = await createRun(engine.client, value, undefined, input && { input });
  const run = await awaitEnd(engine.client, runId);
  const events = await checkLog(engine.client, runId);
  const statuses = Object.fromEntries(run.nodes.map(({ id, status }) => [id, status]));
  return { runId, run, events, statuses, outputs: run.outputsJson.length > 0 ? parseJson(run.outputsJson) : undefined };
}

describe('declared inputs', () => {
  const value = spec(
    [
      say('a', '{{topic}}!', { bindings: [{ from_input: 'topic', to_placeholder: 'topic' }] }),
      pick('b', { object: { said: { from: 'a', pointer: TEXT }, n: { from_input: 'n' } } }),
    ],
    {
      inputs: [
        { name: 'topic', type: 'string', required: true },
        { name: 'n', default: [1] },
      ],
      outputs: [{ name: 'o', from: 'b' }],
    },
  );

  it('supplies declared inputs to nodes, with defaults for missing values', async () => {
    expect((await runToEnd(value, { topic: 'bees' })).outputs).toEqual({ o: { said: 'bees!', n: [1] } });
  });

  it('keeps the digits of numbers that JavaScript rounds, from inputs through nodes and bindings to outputs', async () => {
    const nodes = [
      pick('order', { object: { id: { from_input: 'id' }, list: { from_input: 'list' } } }),
      pick('id', { from: 'order', pointer: '/id' }),
      say('said', 'order {{id}}', { bindings: [{ from: 'id', to_placeholder: 'id' }] }),
    ];
    const inputs = [{ name: 'id', type: 'integer' }, { name: 'list' }];
    const outputs = ['order', 'id'].map((from) => ({ name: from, from }));
    const specJson = Buffer.from(
      JSON.stringify(spec(nodes, { inputs, outputs: [...outputs, { name: 'text', from: 'said', pointer: TEXT }] })),
    );
    const values = '"id":12345678901234567890,"list":[1,0.12345678901234567890]';
    const inputJson = Buffer.from(`{${values}}`);
    const { runId } = await engine.client.createRun({ specJson, inputJson }, callAs());
    const run = await awaitEnd(engine.client, runId);
    expect(Buffer.from(run.outputsJson).toString()).toBe(
      `{"order":{${values}},"id":12345678901234567890,"text":"order 12345678901234567890"}`,
    );
    expect(Buffer.from(run.inputJson).toString()).toBe(`{${values}}`);
  });

  it('keeps the digits of constants in a spec: of defaults, conditions and requests', async () => {
    const parameters = '{"type":"object","properties":{"id":{"const":9007199254740993}}}';
    const specJson = (routed: string) =>
      Buffer.from(`{"kind":"workflow.v1","inputs":[{"name":"id","type":"integer","default":9007199254740993}],"nodes":[
        {"id":"route","type":"route.switch","input":{"from_input":"id","cases":[
          {"route":"near","op":"equals","value":9007199254740992},{"route":"same","op":"equals","value":${routed}}]}},
        {"id":"asked","type":"llm.responses","input":{"request":{"model":"m","temperature":0.12345678901234567890,
          "input":[{"type":"message","role":"user","content":[{"type":"text","text":"x"}]}],
          "tools":[{"type":"function","function":{"name":"f","parameters":${parameters}}}]}}}],
        "outputs":[{"name":"route","from":"route"}]}`);
    const plans = await Promise.all(
      ['9007199254740993', '9007199254740994'].map((value) =>
        engine.client.compileWorkflow({ specJson: specJson(value) }, callAs()),
      ),
    );
    expect(new Set(plans.map(({ planHash }) => planHash)).size).toBe(2);
    const { runId } = await engine.client.createRun({ planHash: plans[0]!.planHash }, callAs());
    const run = await awaitEnd(engine.client, runId);
    expect(Buffer.from(run.outputsJson).toString()).toBe('{"route":{"route":"same","value":9007199254740993}}');
    const { steps } = await engine.client.listRunSteps({ runId, limit: 10, offset: 0 }, callAs());
    const request = Buffer.from(steps[0]!.llmRequestJson).toString();
    expect(request).toContain(`"parameters":${parameters}`);
    expect(JSON.parse(request).temperature).toBe(0.12345678901234568);
  });

  it('rejects a run with a declared input that is missing or of another type', async () => {
    const refused = createRun(engine.client, value, undefined, { input: { topic: 1 } });
    await expect(refused).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{ code: 'INVALID_VALUE', path: '/input/topic' }],
    });
    await expect(createRun(engine.client, value)).rejects.toMatchObject({ issues: [{ path: '/input/topic' }] });
  });

  it('checks the inputs of a stored plan', async () => {
    const compiled = await engine.client.compileWorkflow({ specJson: Buffer.from(JSON.stringify(value)) }, callAs());
    const { planHash } = compiled;
    await expect(engine.client.createRun({ planHash }, callAs())).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    const inputJson = Buffer.from('{"topic":"x","n":2}');
    const { runId } = await engine.client.createRun({ planHash, inputJson }, callAs());
    expect(parseJson((await awaitEnd(engine.client, runId)).outputsJson)).toEqual({ o: { said: 'x!', n: 2 } });
  });
});

describe('routes', () => {
  const handlers = (route: object) =>
    spec(
      [
        route,
        say('billing', 'bill'),
        say('support', 'help'),
        { id: 'first', type: 'join.any' },
        { id: 'each', type: 'join.collect' },
        { id: 'all', type: 'join.all' },
      ],
      {
        inputs: [{ name: 'q' }],
        edges: ['billing', 'support'].flatMap((id) => [
          { from: 'route', to: id, when: { source: 'node_output', op: 'equals', path: '$.route', value: id } },
          { from: id, to: 'first' },
          { from: id, to: 'each' },
          { from: id, to: 'all' },
        ]),
        outputs: [
          { name: 'first', from: 'first', pointer: TEXT },
          { name: 'each', from: 'each', pointer: `/support${TEXT}` },
          { name: 'all', from: 'all' },
        ],
      },
    );
  const skipped = { billing: 'canceled', support: 'succeeded', first: 'succeeded', each: 'succeeded', all: 'canceled' };

  it('names for each node those that it waits for', async () => {
    const cases = [{ route: 'billing', op: 'exists', path: '/text' }];
    const value = handlers({ id: 'route', type: 'route.switch', input: { from_input: 'q', cases } });
    const { run } = await runToEnd(value, { q: { text: 'x' } });
    const both = ['billing', 'support'];
    expect(Object.fromEntries(run.nodes.map(({ id, after }) => [id, after]))).toEqual({
      route: [],
      billing: ['route'],
      support: ['route'],
      first: both,
      each: both,
      all: both,
    });
  });

  it('skips the other branch of a case switch; joins continue with the taken one', async () => {
    const cases = [
      { route: 'billing', op: 'matches', path: '/text', value: 'invoice|bill' },
      { route: 'support', op: 'exists', path: '/text' },
    ];
    const value = handlers({ id: 'route', type: 'route.switch', input: { from_input: 'q', cases } });
    const { outputs, statuses, events } = await runToEnd(value, { q: { text: 'it is broken' } });
    expect(outputs).toEqual({ first: 'help', each: 'help' });
    expect(statuses).toEqual({ route: 'succeeded', ...skipped });
    expect(events.find((event) => event.canceled_nodes)).toMatchObject({
      type: 'node_succeeded',
      node_id: 'route',
      canceled_nodes: ['billing', 'all'],
    });
    expect(peers.inference.calls.map((call) => call.prompt)).toEqual(['help']);
  });

  it('reads the route from the model’s JSON or text', async () => {
    for (const text of ['{"route":"support","why":1}', ' support ']) {
      peers.inference.reply = ({ prompt }) => (prompt === 'which' ? { text } : {});
      const value = handlers({ ...say('route', 'which'), type: 'route.switch' });
      expect((await runToEnd(value)).statuses).toEqual({ route: 'succeeded', ...skipped });
    }
  });

  it('lets the run succeed without the outputs of skipped nodes', async () => {
    const input = { from_input: 'q', cases: [{ route: 'none', op: 'exists' }] };
    const { outputs, run } = await runToEnd(handlers({ id: 'route', type: 'route.switch', input }), { q: 1 });
    expect([run.status, outputs]).toEqual(['succeeded', {}]);
  });
});

describe('a failure that an edge handles', () => {
  it('lets the run continue with the downstream nodes', async () => {
    peers.inference.reply = ({ prompt }) => (prompt === 'bad' ? failing() : {});
    const { run, statuses, outputs } = await runToEnd(
      spec([say('bad', 'bad'), say('after', '-'), say('rescue', 'saved')], {
        edges: [
          { from: 'bad', to: 'after' },
          {
            from: 'bad',
            to: 'rescue',
            when: { source: 'node_status', op: 'equals', path: '$.status', value: 'failed' },
          },
        ],
        outputs: [
          { name: 'o', from: 'rescue', pointer: TEXT },
          { name: 'n', from: 'after' },
        ],
      }),
    );
    expect(run.status).toBe('succeeded');
    expect(statuses).toEqual({ bad: 'failed', after: 'canceled', rescue: 'succeeded' });
    expect(outputs).toEqual({ o: 'saved' });
  });
});

describe('a join.collect with a time limit', () => {
  const collecting = (nodes: object[], timeout_ms: number) =>
    spec([...nodes, { id: 'some', type: 'join.collect', input: { timeout_ms } }, pick('after', { from: 'some' })], {
      edges: nodes.map((node) => ({ from: (node as { id: string }).id, to: 'some' })),
      outputs: [{ name: 'o', from: 'after' }],
    });
  const isOver = async (runId: string, id: string) =>
    (await getSnapshot(engine.client, runId)).nodes.some((node) => node.id === id && node.status === 'succeeded');

  it.each([
    ['with the outputs by then and ignores later ones', [say('quick', 'quick')], ['quick']],
    ['without outputs when none has arrived', [], []],
  ])('continues %s', async (_what, more, came) => {
    const { promise, open } = gate();
    peers.inference.reply = ({ prompt }) => (prompt === 'slow' ? { gate: promise } : {});
    const runId = await createRun(engine.client, collecting([say('slow', 'slow'), ...more], 300));
    await until(() => isOver(runId, 'after'));
    expect(await isOver(runId, 'slow')).toBe(false);
    open();
    const run = await awaitEnd(engine.client, runId);
    expect(run.status).toBe('succeeded');
    expect(Object.keys((parseJson(run.outputsJson) as { o: object }).o)).toEqual(came);
    await checkLog(engine.client, runId);
  });

  it('does not wait when all have arrived, and leaves no alarm', async () => {
    const { run, runId } = await runToEnd(collecting([say('a', 'a'), say('b', 'b')], 60_000));
    expect(Object.keys((parseJson(run.outputsJson) as { o: object }).o)).toEqual(['a', 'b']);
    const { rows } = await database.pool.query('SELECT kind FROM run_work WHERE run_id = $1', [runId]);
    expect(rows).toEqual([]);
  });
});

describe('joins after a failure', () => {
  it('continues without the failed output', async () => {
    peers.inference.reply = ({ prompt }) => (prompt === 'bad' ? failing() : {});
    const when = { source: 'node_status', op: 'equals', value: 'failed' };
    const joins = ['all', 'collect', 'any'].map((name) => ({ id: name, type: `join.${name}` }));
    const { outputs } = await runToEnd(
      spec([say('bad', 'bad'), say('good', 'good'), ...joins], {
        edges: [
          ...joins.map(({ id }) => ({ from: 'bad', to: id, when })),
          { from: 'good', to: 'all' },
          { from: 'good', to: 'collect' },
        ],
        outputs: joins.map(({ id }) => ({ name: id, from: id })),
      }),
    );
    expect(outputs).toEqual({ all: { good: expect.anything() }, collect: { good: expect.anything() }, any: null });
  });
});

describe('retry', () => {
  const retried = (more: object = {}) =>
    spec([{ ...say('a', 'x'), retry: { max_attempts: 3, backoff_ms: 20, ...more } }]);

  it('starts the node again under new ids until it succeeds, and settles each attempt', async () => {
    let failures = 2;
    peers.inference.reply = () => (failures-- > 0 ? { errorEvent: { code: 'PROVIDER_TIMEOUT', message: 'cut' } } : {});
    const { run, events, runId } = await runToEnd(retried());
    expect(run.status).toBe('succeeded');
    const resets = events.filter((event) => event.type === 'node_output_delta' && event.delta.kind === 'reset');
    expect(resets.map(({ delta }) => [delta.attempt, delta.error.code])).toEqual([
      [2, 'PROVIDER_TIMEOUT'],
      [3, 'PROVIDER_TIMEOUT'],
    ]);
    expect(new Set(peers.inference.calls.map((call) => call.holdId)).size).toBe(3);
    expect(peers.billing.admitted.map(({ req }) => req.supersedesHoldId)).toEqual(['', '', '']);
    expect(run.costSummary?.totalMicrocents).toBe(peers.billing.customerMicrocents());
    const { steps } = await engine.client.listRunSteps({ runId, limit: 10, offset: 0 }, callAs());
    expect(steps.map(({ step, status }) => [step, status])).toEqual([
      [0, 'failed'],
      [1, 'failed'],
      [2, 'settled'],
    ]);
  });

  it('waits for its backoff by the database’s clock', async () => {
    let failures = 1;
    peers.inference.reply = () => (failures-- > 0 ? { error: new AppError('PROVIDER_TIMEOUT', 'late') } : {});
    const { events } = await runToEnd(retried({ backoff_ms: 300, retryable_errors: ['PROVIDER_TIMEOUT'] }));
    const at = (type: string) => Date.parse(events.find((event) => event.type === type)?.ts ?? '');
    expect(at('node_llm_call') - at('node_output_delta')).toBeGreaterThanOrEqual(300);
  });

  it('ignores errors that it does not name', async () => {
    peers.inference.reply = failing;
    expect((await runToEnd(retried({ retryable_errors: ['PROVIDER_TIMEOUT'] }))).run.status).toBe('failed');
    expect(peers.inference.calls).toHaveLength(1);
  });

  it('discards the tool results of the previous attempt', async () => {
    let calls = 0;
    peers.inference.reply = ({ body }) => {
      calls += 1;
      if (calls === 2) return { error: new AppError('PROVIDER_TIMEOUT', 'late') };
      return body.input.length === 1 ? { toolCalls: [{ id: 't', name: 'kv_list', arguments: '{}' }] } : {};
    };
    const { run } = await runToEnd(retried({ retryable_errors: ['PROVIDER_TIMEOUT'] }));
    expect(run.status).toBe('succeeded');
    expect(peers.inference.calls.map(({ body }) => body.input.length)).toEqual([1, 3, 1, 3]);
    expect(peers.tools.distinct().size).toBe(2);
  });
});

describe('a fan-out', () => {
  const fan = (subnode: object, more: object = {}) => ({
    id: 'fan',
    type: 'map.fanout',
    input: { items: { from_input: 'items', path: '$.list' }, subnode, ...more },
  });
  const inputs = {
    inputs: [{ name: 'items', required: true }],
    outputs: [{ name: 'o', from: 'fan', pointer: '/results' }],
  };
  const list = (...items: unknown[]) => ({ items: { list: items } });
  const sayEach = { type: 'llm.responses', input: { request: say('x', '{{w}} {{n}}').input.request } };
  const bound = {
    item_bindings: [
      { path: '$.w', to_placeholder: 'w' },
      { pointer: '/n', to_placeholder: 'n' },
    ],
  };

  it('runs a sub-node per item and collects their outputs in order', async () => {
    const value = spec(
      [fan(sayEach, bound), pick('texts', { object: { second: { from: 'fan', pointer: `/results/1${TEXT}` } } })],
      {
        ...inputs,
        outputs: [{ name: 'o', from: 'texts' }],
      },
    );
    const { run, outputs, events } = await runToEnd(value, list({ w: 'a', n: 1 }, { w: 'b', n: 2 }, { w: 'c', n: 3 }));
    expect(outputs).toEqual({ o: { second: 'b 2' } });
    expect(run.nodes.map(({ id, type, status }) => [id, type, status])).toEqual([
      ['fan', 'map.fanout', 'succeeded'],
      ['fan.0', 'llm.responses', 'succeeded'],
      ['fan.1', 'llm.responses', 'succeeded'],
      ['fan.2', 'llm.responses', 'succeeded'],
      ['texts', 'transform.json', 'succeeded'],
    ]);
    expect(run.costSummary?.lineItems.map((line) => line.nodeId)).toEqual(['fan.0', 'fan.1', 'fan.2']);
    const own = events.filter((event) => event.node_id === 'fan').map((event) => event.type);
    expect(own).toEqual(['node_started', 'node_output', 'node_succeeded']);
  });

  it('runs at most max_parallelism items at once', async () => {
    const value = spec([fan(sayEach, { ...bound, max_parallelism: 2 })], inputs);
    const { events } = await runToEnd(value, list(...Array.from({ length: 7 }, (_, n) => ({ w: 'w', n }))));
    let running = 0;
    for (const { type, node_id } of events) {
      if (node_id === 'fan') continue;
      if (type === 'node_started') running++;
      if (type === 'node_succeeded') running--;
      expect(running).toBeLessThanOrEqual(2);
    }
  });

  it('returns no results for no items, and fails for other values or too many items', async () => {
    const value = spec([fan({ type: 'transform.json', input: { from: 'item' } }, { max_items: 2 })], inputs);
    expect((await runToEnd(value, list())).outputs).toEqual({ o: [] });
    expect((await runToEnd(value, list(1, { x: 2 }))).outputs).toEqual({ o: [1, { x: 2 }] });
    expect((await runToEnd(value, list(1, 2, 3))).run.error?.code).toBe('INVALID_INPUT');
    expect((await runToEnd(value, { items: { list: 'x' } })).run.error?.code).toBe('INVALID_INPUT');
    expect((await runToEnd(value, { items: {} })).run.error?.code).toBe('POINTER_NOT_FOUND');
  });

  it('waits for client tools of its items, and assigns each answer to its item', async () => {
    peers.inference.reply = ({ body, prompt }) =>
      body.input.length === 1 ? { toolCalls: [{ id: prompt, name: 'ask', arguments: '{}' }] } : {};
    const subnode = { ...sayEach, input: { ...sayEach.input, tool_execution: { mode: 'client' } } };
    const runId = await createRun(engine.client, spec([fan(subnode, bound)], inputs), undefined, {
      input: list({ w: 'a', n: 1 }, { w: 'b', n: 2 }),
    });
    await until(async () => (await getSnapshot(engine.client, runId)).status === 'waiting');
    await checkLog(engine.client, runId);
    const { pending } = await engine.client.listPendingTools({ runId }, callAs());
    expect(pending.map(({ nodeId, toolCalls }) => [nodeId, toolCalls[0]?.toolCallId])).toEqual([
      ['fan.0', 'a 1'],
      ['fan.1', 'b 2'],
    ]);
    for (const { nodeId, step, holdId, toolCalls } of pending.reverse()) {
      const { toolCallId, name } = toolCalls[0]!;
      const results = [{ toolCallId, name, output: JSON.stringify(`for ${toolCallId}`) }];
      await engine.client.submitToolResults({ runId, nodeId, step, holdId, results }, callAs());
    }
    const results = (parseJson((await awaitEnd(engine.client, runId)).outputsJson) as { o: object[] }).o;
    expect(results.map((result) => JSON.stringify(result).includes('for a 1'))).toEqual([true, false]);
    await checkLog(engine.client, runId);
  });

  it('cancels its other items and their calls when it fails', async () => {
    peers.inference.reply = ({ prompt }) =>
      prompt.startsWith('bad') ? failing() : { gate: new Promise(() => undefined) };
    const rescue = { from: 'fan', to: 'rescue', when: { source: 'node_status', op: 'equals', value: 'failed' } };
    const value = spec([fan(sayEach, bound), pick('rescue', { from_input: 'items' })], {
      ...inputs,
      edges: [rescue],
      outputs: [{ name: 'o', from: 'rescue' }],
    });
    const { statuses, run } = await runToEnd(value, list({ w: 'slow', n: 0 }, { w: 'bad', n: 1 }));
    expect(run.status).toBe('succeeded');
    expect(statuses).toEqual({ fan: 'failed', 'fan.0': 'canceled', 'fan.1': 'failed', rescue: 'succeeded' });
    await until(() => peers.inference.calls.every((call) => call.prompt.startsWith('bad') || call.isAborted));
  });
});
