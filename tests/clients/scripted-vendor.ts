// A vendor that plays a script: each step calls a tool or ends the task, chosen by how many results the request carries.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

// biome-ignore lint/suspicious/noExplicitAny: requests of foreign programs
type Json = any;

/** The answer of the model after a number of tool results. */
export type Step =
  | { text: string }
  | { tool: string; input: object }
  /** A tool whose input is a text; at vendors without such tools, a function with one argument. */
  | { tool: string; textInput: string };

const OK: Step = { text: 'ok' };

export interface VendorCall {
  path: string;
  headers: IncomingMessage['headers'];
  body: Json;
}

export interface ScriptedVendor {
  readonly origin: string;
  readonly calls: VendorCall[];
  /** Sums of the usage that the vendor has reported. */
  readonly used: { input: number; output: number };
  /** `withoutTools`: the answer to requests without tools, which usually ask for a title or the like. */
  play(steps: readonly Step[], options?: { withoutTools?: Step }): void;
  stop(): Promise<void>;
}

export async function startScriptedVendor(): Promise<ScriptedVendor> {
  const calls: VendorCall[] = [];
  const used = { input: 0, output: 0 };
  let script: Script = { steps: [], withoutTools: OK };
  const server = createServer((req, res) => {
    read(req)
      .then((body) => {
        const path = (req.url ?? '').split('?')[0] ?? '';
        calls.push({ path, headers: req.headers, body });
        const usage = { input: 100 + 7 * calls.length, output: 10 + 3 * calls.length };
        used.input += usage.input;
        used.output += usage.output;
        const number = calls.length;
        const steered = Array.isArray(body.contents)
          ? pick(script, countFunctionResults(body.contents), body)
          : undefined;
        if (steered) playContent(res, path, steered, usage, number);
        else if (path.endsWith('/responses'))
          playResponse(res, pick(script, countResults(body.input), body), usage, number);
        else if (path.endsWith('/messages'))
          playMessage(res, body, pick(script, countResults(body.messages), body), usage, number);
        else playChat(res, body, pick(script, countResults(body.messages), body), usage, number);
      })
      .catch((error: unknown) => res.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    calls,
    used,
    play: (steps, { withoutTools = OK } = {}) => {
      script = { steps, withoutTools };
      calls.length = 0;
      used.input = 0;
      used.output = 0;
    },
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

interface Script {
  steps: readonly Step[];
  withoutTools: Step;
}

function pick({ steps, withoutTools }: Script, results: number, { tools, input }: Json): Step {
  const hasTools =
    tools?.length > 0 || (Array.isArray(input) && input.some((item) => item.type === 'additional_tools'));
  return (hasTools ? steps[Math.min(results, steps.length - 1)] : undefined) ?? withoutTools;
}

function countResults(items: Json): number {
  if (!Array.isArray(items)) return 0;
  return items.reduce((count: number, item: Json) => {
    if (item.role === 'tool' || item.type?.endsWith('_call_output')) return count + 1;
    const blocks = Array.isArray(item.content) ? item.content : [];
    return count + blocks.filter((block: Json) => block.type === 'tool_result').length;
  }, 0);
}

function countFunctionResults(contents: Json[]): number {
  return contents.flatMap(({ parts }) => parts).filter((part: Json) => part.functionResponse).length;
}

interface Used {
  input: number;
  output: number;
}

function playResponse(res: ServerResponse, step: Step, used: Used, number: number): void {
  const item = responseItem(step, number);
  const usage = { input_tokens: used.input, output_tokens: used.output, total_tokens: used.input + used.output };
  const response = { id: `resp_${number}`, object: 'response', model: 'm', status: 'completed', output: [item], usage };
  const deltas =
    'text' in step
      ? [{ type: 'response.output_text.delta', delta: step.text, content_index: 0 }]
      : 'input' in step
        ? [{ type: 'response.function_call_arguments.delta', delta: JSON.stringify(step.input) }]
        : [{ type: 'response.custom_tool_call_input.delta', delta: step.textInput }];
  const events: Json[] = [
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [], usage: null } },
    { type: 'response.output_item.added', output_index: 0, item: { ...item, ...emptied(item) } },
    ...deltas.map((delta) => ({ ...delta, item_id: item.id, output_index: 0 })),
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response },
  ];
  stream(
    res,
    events.map((event, i) => ({ ...event, sequence_number: i })),
  );
}

function responseItem(step: Step, number: number): Json {
  const call = { id: `item_${number}`, status: 'completed', call_id: `call_${number}` };
  if ('text' in step) {
    const content = [{ type: 'output_text', text: step.text, annotations: [] }];
    return { id: `msg_${number}`, type: 'message', role: 'assistant', status: 'completed', content };
  }
  if ('input' in step)
    return { ...call, type: 'function_call', name: step.tool, arguments: JSON.stringify(step.input) };
  return { ...call, type: 'custom_tool_call', name: step.tool, input: step.textInput };
}

function emptied({ type }: Json): object {
  if (type === 'message') return { content: [] };
  return type === 'function_call' ? { arguments: '' } : { input: '' };
}

function playMessage(res: ServerResponse, { model }: Json, step: Step, used: Used, number: number): void {
  const isText = 'text' in step;
  const block = isText
    ? { type: 'text', text: '' }
    : { type: 'tool_use', id: `toolu_${number}`, name: step.tool, input: {} };
  const delta = isText
    ? { type: 'text_delta', text: step.text }
    : { type: 'input_json_delta', partial_json: JSON.stringify(functionInput(step)) };
  const usage = { input_tokens: used.input, output_tokens: 1 };
  const message = {
    id: `msg_${number}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    usage,
  };
  const stopReason = isText ? 'end_turn' : 'tool_use';
  stream(res, [
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: stopReason, stop_sequence: null },
      usage: { output_tokens: used.output },
    },
    { type: 'message_stop' },
  ]);
}

function playChat(res: ServerResponse, { model }: Json, step: Step, used: Used, number: number): void {
  const isText = 'text' in step;
  const fn = isText ? undefined : { name: step.tool, arguments: JSON.stringify(functionInput(step)) };
  const delta = isText
    ? { role: 'assistant', content: step.text }
    : { role: 'assistant', tool_calls: [{ index: 0, id: `call_${number}`, type: 'function', function: fn }] };
  const head = { id: `chat_${number}`, object: 'chat.completion.chunk', created: 1, model };
  const usage = { prompt_tokens: used.input, completion_tokens: used.output, total_tokens: used.input + used.output };
  stream(res, [
    { ...head, choices: [{ index: 0, delta, finish_reason: null }] },
    { ...head, choices: [{ index: 0, delta: {}, finish_reason: isText ? 'stop' : 'tool_calls' }] },
    { ...head, choices: [], usage },
  ]);
}

/** Gemini's API: one response, or the same as the only event of a stream. */
function playContent(res: ServerResponse, path: string, step: Step, used: Used, number: number): void {
  const part = 'text' in step ? { text: step.text } : { functionCall: { name: step.tool, args: functionInput(step) } };
  const { input, output } = used;
  const response = {
    candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: input + output },
    modelVersion: 'm',
    responseId: `resp_${number}`,
  };
  if (path.endsWith(':streamGenerateContent')) stream(res, [response]);
  else res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(response));
}

function functionInput(step: Exclude<Step, { text: string }>): object {
  return 'input' in step ? step.input : { input: step.textInput };
}

function stream(res: ServerResponse, events: readonly Json[]): void {
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) {
    const name = typeof event.type === 'string' ? `event: ${event.type}\n` : '';
    res.write(`${name}data: ${JSON.stringify(event)}\n\n`);
  }
  res.end(events[0]?.object === 'chat.completion.chunk' ? 'data: [DONE]\n\n' : '');
}

async function read(req: IncomingMessage): Promise<Json> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}');
}
