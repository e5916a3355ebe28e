import { beforeEach, describe, expect, it } from '@jest/globals';
import { definition, findSystemPrompt, userText } from '../../testing/agent-runs.js';
import { checkLog } from '../../testing/check-log.js';
import type { FakeCall, FakeReply } from '../../testing/fake-inference.js';
import {
  awaitEnd,
  createRun,
  gate,
  getSnapshot,
  type PublicEvent,
  parseJson,
  until,
} from '../../testing/run-client.js';
import { useEngine } from '../../testing/use-engine.js';

const { peers, engine } = useEngine(import.meta.url);

beforeEach(() => {
  peers.agents.put('writer', { system: 'writer' });
  peers.agents.put('critic', { system: 'critic', tools: [definition('lookup')] });
  peers.agents.put('boss', { system: 'boss' });
});

const never = new Promise<void>(() => undefined);

function spec(policy: object, agents: object[] = [{ agent: 'writer', count: 2, input: [userText('write')] }]) {
  const coordinator = { agent: 'boss', input: [userText('decide')] };
  return {
    kind: 'workflow.v0',
    nodes: [{ id: 's', type: 'agent.scheduler', agents, coordinator, policy }],
    outputs: [{ name: 'o', from: 's' }],
  };
}

const done = (result: string): FakeReply => ({
  text: '',
  toolCalls: [{ id: 'd', name: 'scheduler_done', arguments: JSON.stringify({ result }) }],
});

/** By the agent that is asked; the coordinator's replies in turn. */
function script(coordinator: FakeReply[], others: (call: FakeCall) => FakeReply = () => ({ text: 'a draft' })): void {
  let asked = 0;
  peers.inference.reply = (call) => {
    if (findSystemPrompt(call) !== 'boss') return others(call);
    asked += 1;
    return coordinator[asked - 1] ?? { text: 'continue' };
  };
}

async function run(policy: object, agents?: object[]) {
  const runId = await createRun(engine.client, spec(policy, agents));
  const end = await awaitEnd(engine.client, runId);
  const events = await checkLog(engine.client, runId);
  const emitted = events.filter(({ type }) => type.startsWith('scheduler_')).map(short);
  // Inference settles calls that were cut off.
  await until(() => peers.billing.open.size === 0);
  return {
    run: end,
    emitted,
    output: end.outputsJson.length > 0 ? (parseJson(end.outputsJson) as Output).o : undefined,
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the scheduler's output has no type
type Output = { o: any };

function short({ type, round, reason, agent, index, status }: PublicEvent): string {
  return [type.slice('scheduler_'.length), round, agent, index, status, reason]
    .filter((it) => it !== undefined)
    .join(' ');
}

describe('a scheduler', () => {
  it('runs its agents in rounds until the coordinator ends it', async () => {
    script([{ text: 'make it shorter' }, done('a poem')]);
    const { run: end, emitted, output } = await run({});
    expect(end.status).toBe('succeeded');
    expect(emitted.filter((line) => !line.startsWith('agent_completed'))).toEqual([
      'started',
      'round_started 1',
      'round_started 2',
      'stopped done',
    ]);
    expect(emitted.slice(2, 5).sort()).toEqual([
      'agent_completed 1 boss@1 succeeded',
      'agent_completed 1 writer@1 0 succeeded',
      'agent_completed 1 writer@1 1 succeeded',
    ]);
    expect(output).toMatchObject({ reason: 'done', rounds: 2, steps: 6, result: 'a poem' });
    expect(output.agents).toEqual(
      [1, 2].flatMap((round) =>
        [0, 1].map((index) => ({ round, agent: 'writer@1', index, status: 'succeeded', text: 'a draft' })),
      ),
    );
    // The call of `scheduler_done` ends the work: no model reads its result.
    expect(peers.inference.calls).toHaveLength(6);
  });

  it('passes reports to the coordinator and its answer to the agents, before their own messages', async () => {
    script([{ text: 'make it shorter' }, done('x')]);
    await run({ max_rounds: 3 });
    const asked = (prompt: string) => peers.inference.calls.filter((call) => findSystemPrompt(call) === prompt);
    const texts = ({ body }: FakeCall) => body.input.map(({ content = [] }) => (content[0] as { text: string }).text);
    const [first] = asked('boss');
    expect(texts(first!).slice(2)).toEqual(['decide']);
    expect(texts(first!)[1]).toContain('Round 1 of at most 3');
    expect(JSON.parse(texts(first!)[1]!.split('\n\n')[1]!)).toMatchObject([{ text: 'a draft' }, { text: 'a draft' }]);
    expect(asked('writer').map(texts)).toEqual([
      ...Array(2).fill(['writer', 'write']),
      ...Array(2).fill(['writer', 'Message from the coordinator after round 1:\n\nmake it shorter', 'write']),
    ]);
  });

  it.each<[string, object, string, Partial<{ rounds: number; steps: number }>]>([
    ['max_rounds', { max_rounds: 2 }, 'max_rounds', { rounds: 2, steps: 6 }],
    ['max_steps at the end of a round', { max_steps: 3 }, 'max_steps', { rounds: 1, steps: 3 }],
    ['max_steps before the coordinator is asked', { max_steps: 2 }, 'max_steps', { rounds: 1, steps: 2 }],
    ['max_steps in the middle of a round', { max_steps: 4 }, 'max_steps', { rounds: 2, steps: 4 }],
  ])('stops at %s without failing', async (_name, policy, reason, facts) => {
    script([]);
    const { run: end, emitted, output } = await run(policy);
    expect(end.status).toBe('succeeded');
    expect(emitted.at(-1)).toBe(`stopped ${reason}`);
    expect(output).toMatchObject({ reason, ...facts });
    expect(peers.inference.calls).toHaveLength(facts.steps!);
  });

  it('stops at its time limit and cancels running agents', async () => {
    script([], () => ({ gate: never }));
    const { run: end, emitted, output } = await run({ timeout_ms: 2_000 });
    expect([end.status, emitted.at(-1), output.reason]).toEqual(['succeeded', 'stopped timeout', 'timeout']);
    expect(end.nodes.map(({ status }) => status)).toEqual(['succeeded', 'canceled', 'canceled']);
    await until(() => peers.inference.calls.every(({ isAborted }) => isAborted));
  });

  it('fails with its coordinator', async () => {
    script([{ text: '', toolCalls: [{ id: 'x', name: 'nobody', arguments: '{}' }] }]);
    peers.tools.reply = () => ({ handled: false });
    const { run: end, emitted } = await run({});
    expect(emitted.at(-1)).toBe('stopped error');
    expect(end).toMatchObject({ status: 'failed', error: { code: 'TOOL_UNHANDLED' } });
  });

  it('continues when an agent fails, and reports it to the coordinator', async () => {
    script([done('without it')], (call) =>
      findSystemPrompt(call) === 'critic'
        ? { text: '', toolCalls: [{ id: 'x', name: 'lookup', arguments: '{}' }] }
        : {},
    );
    peers.tools.reply = () => ({ handled: false });
    const agents = [
      { agent: 'writer@1', input: [userText('write')] },
      { agent: 'critic', input: [userText('judge')] },
    ];
    const { run: end, output } = await run({}, agents);
    expect(end.status).toBe('succeeded');
    expect(output.agents).toMatchObject([
      { agent: 'writer@1', status: 'succeeded', text: 'write' },
      { agent: 'critic@1', status: 'failed', error: { code: 'TOOL_UNHANDLED' } },
    ]);
  });

  it('runs no more agents at once than max_concurrency', async () => {
    const { promise, open } = gate();
    script([done('x')], () => ({ gate: promise }));
    const agents = [{ agent: 'writer', count: 5, input: [userText('write')] }];
    const runId = await createRun(engine.client, spec({ max_concurrency: 2 }, agents));
    await until(() => peers.inference.calls.length === 2);
    const running = async () =>
      (await getSnapshot(engine.client, runId)).nodes.filter(({ id, startedAt }) => id !== 's' && startedAt);
    expect(await running()).toHaveLength(2);
    open();
    expect((await awaitEnd(engine.client, runId)).status).toBe('succeeded');
    await checkLog(engine.client, runId);
  });
});
