import type { ServerResponse } from 'node:http';
import type { ReceivedRequest, UpstreamHandler } from './upstream-server.js';

/** One answer of a scripted provider that speaks chat completions. */
export interface ScriptedAnswer {
  text?: string;
  calls?: { id?: string; name: string; args: unknown }[];
  /** Default 10 in, 5 out. */
  usage?: [input: number, output: number];
  finishReason?: string;
}

/** Plays the answers in order, plain or streamed as requested, and repeats the last one. */
export function chatScript(...answers: readonly ScriptedAnswer[]): UpstreamHandler {
  let next = 0;
  return (res, { body }: ReceivedRequest) => {
    const answer = answers[Math.min(next, answers.length - 1)]!;
    next++;
    if (body.stream === true) stream(res, answer, next);
    else plain(res, answer, next);
  };
}

function plain(res: ServerResponse, answer: ScriptedAnswer, turn: number): void {
  const { text, calls = [], usage: [input, output] = [10, 5] } = answer;
  const tool_calls = calls.map(({ id, name, args }, index) => toolCall(id ?? `call_${turn}_${index}`, name, args));
  const message = { role: 'assistant', content: text ?? null, ...(tool_calls.length > 0 ? { tool_calls } : {}) };
  res.writeHead(200, { 'content-type': 'application/json' });
  res.end(
    JSON.stringify({
      id: `chat-${turn}`,
      choices: [{ index: 0, message, finish_reason: toFinishReason(answer) }],
      usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
    }),
  );
}

function stream(res: ServerResponse, answer: ScriptedAnswer, turn: number): void {
  const { text, calls = [], usage: [input, output] = [10, 5] } = answer;
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (body: object): void => void res.write(`data: ${JSON.stringify({ id: `chat-${turn}`, ...body })}\n\n`);
  const delta = (value: object): void => send({ choices: [{ index: 0, delta: value, finish_reason: null }] });
  delta({ role: 'assistant' });
  for (const piece of text?.match(/.{1,4}/g) ?? []) delta({ content: piece });
  for (const [index, { id, name, args }] of calls.entries()) {
    const whole = toolCall(id ?? `call_${turn}_${index}`, name, args);
    delta({ tool_calls: [{ index, ...whole, function: { name, arguments: '' } }] });
    for (const piece of whole.function.arguments.match(/.{1,6}/g) ?? []) {
      delta({ tool_calls: [{ index, function: { arguments: piece } }] });
    }
  }
  send({ choices: [{ index: 0, delta: {}, finish_reason: toFinishReason(answer) }] });
  send({ choices: [], usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output } });
  res.end('data: [DONE]\n\n');
}

function toolCall(id: string, name: string, args: unknown) {
  return {
    id,
    type: 'function',
    function: { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) },
  };
}

function toFinishReason({ finishReason, calls = [] }: ScriptedAnswer): string {
  return finishReason ?? (calls.length > 0 ? 'tool_calls' : 'stop');
}
