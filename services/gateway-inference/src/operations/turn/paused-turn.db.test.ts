// Tests turns that Anthropic pauses (`pause_turn`): platform.claude.com/docs/en/build-with-claude/handling-stop-reasons,
// Message and RawMessageStreamEvent of `@anthropic-ai/sdk` 1.11.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ask, collect, decodeEvents, InferenceSystem, type TurnOptions } from '../../testing/inference-system.js';
import { startUpstreamServer, type UpstreamHandler, type UpstreamServer } from '../../testing/upstream-server.js';

const run = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'code_execution', input: { code: '1' } };
const found = { type: 'code_execution_tool_result', tool_use_id: 'srvtoolu_1', content: { return_code: 0 } };
const paused = {
  content: [{ type: 'text', text: 'Working. ' }, run, found],
  stop_reason: 'pause_turn',
  container: { id: 'container_1', expires_at: '2026-11-22T02:00:00Z' },
};
const done = {
  content: [{ type: 'text', text: 'Done.' }, run, found],
  stop_reason: 'end_turn',
  container: paused.container,
};
const usage = { input_tokens: 100, output_tokens: 20 };
/** Half a cent, in microcents. */
const RUN_FEE = 500_000n;

let claude: UpstreamServer;
let system: InferenceSystem;

beforeAll(async () => {
  claude = await startUpstreamServer((res) => res.end());
  system = await InferenceSystem.start({ ANTHROPIC_BASE_URL: claude.baseUrl.replace(/\/v1$/, ''), SETTLE_WAIT: '1s' });
});
afterAll(async () => {
  await system.stop();
  await claude.stop();
});
beforeEach(() => {
  claude.requests.length = 0;
  system.ledger.extensions.length = 0;
});

type Answer = typeof paused | typeof done;

/** Plays the answers in order, and repeats the last one. */
function plays(...answers: Answer[]): void {
  claude.handler = (res, received, req) => {
    const answer = answers[Math.min(claude.requests.length, answers.length) - 1]!;
    (received.body.stream === true ? streamed(answer) : plain(answer))(res, received, req);
  };
}

function plain(answer: Answer): UpstreamHandler {
  return (res) => {
    res.writeHead(200, { 'content-type': 'application/json' });
    res.end(JSON.stringify({ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', usage, ...answer }));
  };
}

function streamed({ content, stop_reason, container }: Answer): UpstreamHandler {
  return (res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (event: { type: string }): void =>
      void res.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    const start = { id: 'msg_1', content: [], usage: { ...usage, output_tokens: 1 } };
    send({ type: 'message_start', message: start } as never);
    for (const [index, block] of content.entries()) {
      const text = 'text' in block ? block.text : undefined;
      send({
        type: 'content_block_start',
        index,
        content_block: text === undefined ? block : { type: 'text', text: '' },
      } as never);
      if (text !== undefined)
        send({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } } as never);
      send({ type: 'content_block_stop', index } as never);
    }
    send({ type: 'message_delta', delta: { stop_reason, container }, usage } as never);
    send({ type: 'message_stop' });
    res.end();
  };
}

const web: TurnOptions = { modelId: 'claude-web' };
const body = ask('go', { tools: [{ type: 'code_execution' }] });
const asked = (index: number) => claude.requests[index]!.body as { messages: object[]; container?: string };

describe('a turn that the provider pauses', () => {
  it.each([false, true])('continues from the message and in the container of code (streamed: %s)', async (stream) => {
    plays(paused, done);
    const call = system.call();
    const frames = await collect(system.turn(body, { ...web, stream }, call));
    const last = JSON.parse(frames.flatMap(decodeEvents).at(-1)!);
    expect(last).toMatchObject({ stop_reason: 'stop', usage: { input_tokens: 200, output_tokens: 40 } });
    const text = stream ? last.content : last.output[0].content.map((part: { text: string }) => part.text).join('');
    expect(text).toBe('Working. Done.');
    expect(claude.requests).toHaveLength(2);
    expect(asked(0)).not.toHaveProperty('container');
    expect(asked(1)).toMatchObject({ container: 'container_1' });
    expect(asked(1).messages.slice(1)).toEqual([{ role: 'assistant', content: paused.content }]);
    expect(system.ledger.extensions).toMatchObject([{ holdId: call.requestId, extension: 1 }]);
    // The container is the same, so it is charged once.
    expect(system.ledger.findSettlement(call.requestId)).toMatchObject({
      usage: { inputTokens: 200n, outputTokens: 40n, feeMicrocents: RUN_FEE },
      facts: { success: true, stopReason: 'stop' },
    });
  });

  it('continues also for a caller that runs the tools itself', async () => {
    plays(paused, done);
    expect(await system.answer(body, { ...web, returnsToolCalls: true })).toMatchObject({ stop_reason: 'stop' });
  });

  it('returns the turn as paused at the limit of model calls', async () => {
    plays(paused);
    const answer = await system.answer(body, web);
    expect(answer.stop_reason).toBe('pause_turn');
    expect(answer.output[0].content).toHaveLength(8);
    expect(claude.requests).toHaveLength(8);
  });

  it('ends at the client’s bound of output', async () => {
    plays(paused, done);
    const answer = await system.answer({ ...body, max_output_tokens: 20 }, { ...web, maxOutputTokens: 20 });
    expect([answer.stop_reason, claude.requests.length]).toEqual(['max_tokens', 1]);
  });

  it('does not cache the answer, because results of a provider’s tools change over time', async () => {
    plays(done);
    const repeat = { ...body, temperature: 0 };
    for (let i = 0; i < 2; i++) await system.answer(repeat, { ...web, usesCache: true });
    expect(claude.requests).toHaveLength(2);
  });
});
