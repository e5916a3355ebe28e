// Tests that numbers in arguments of tools keep their spelling, between every dialect and every vendor that writes them as JSON.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { collect, decodeEvents, InferenceSystem, type TurnOptions } from '../../testing/inference-system.js';
import { startUpstreamServer, type UpstreamHandler, type UpstreamServer } from '../../testing/upstream-server.js';

const NUMBER = '1234567890123456789';
const ARGUMENTS = `{"id":${NUMBER},"part":0.12345678901234567891}`;

let claude: UpstreamServer;
let gemini: UpstreamServer;
let system: InferenceSystem;

beforeAll(async () => {
  claude = await startUpstreamServer(answerWith(messageOfClaude));
  gemini = await startUpstreamServer(answerWith(contentOfGemini));
  system = await InferenceSystem.start({
    ANTHROPIC_BASE_URL: claude.baseUrl.replace(/\/v1$/, ''),
    GEMINI_BASE_URL: gemini.baseUrl,
  });
});

afterAll(async () => {
  await system.stop();
  await claude.stop();
  await gemini.stop();
});

beforeEach(() => {
  for (const server of [claude, gemini]) server.requests.length = 0;
});

const schema = { type: 'object', properties: { id: { type: 'integer' }, part: { type: 'number' } } };
const messageOfClaude = `{"id":"msg_1","type":"message","role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"find","input":${ARGUMENTS}}],"stop_reason":"tool_use","usage":{"input_tokens":9,"output_tokens":9}}`;
const contentOfGemini = `{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"id":"fc_1","name":"find","args":${ARGUMENTS}}}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":9},"responseId":"r1"}`;

/** The events that start a call with all of its arguments, as some compatible servers send it. */
const streamOfClaude = [
  '{"type":"message_start","message":{"id":"msg_1","usage":{"input_tokens":9,"output_tokens":1}}}',
  `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"toolu_1","name":"find","input":${ARGUMENTS}}}`,
  '{"type":"content_block_stop","index":0}',
  '{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":9}}',
  '{"type":"message_stop"}',
];

function answerWith(body: string): UpstreamHandler {
  return (res) => {
    res.writeHead(200, { 'content-type': 'application/json' });
    res.end(body);
  };
}

function streamWith(events: readonly string[]): UpstreamHandler {
  return (res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream' });
    res.end(events.map((event) => `data: ${event}\n\n`).join(''));
  };
}

/** Each dialect's request with a call in its history. Bodies are text, because JavaScript would round the numbers. */
const bodies = new Map<Dialect, string>([
  [
    Dialect.ANTHROPIC_MESSAGES,
    `{"model":"m","max_tokens":100,"tools":[{"name":"find","input_schema":${JSON.stringify(schema)}}],"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"find","input":${ARGUMENTS}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"{\\"row\\":${NUMBER}}"}]}]}`,
  ],
  [
    Dialect.GOOGLE_GENERATE,
    `{"tools":[{"functionDeclarations":[{"name":"find","parameters":${JSON.stringify(schema)}}]}],"contents":[{"role":"user","parts":[{"text":"hi"}]},{"role":"model","parts":[{"functionCall":{"id":"t1","name":"find","args":${ARGUMENTS}}}]},{"role":"user","parts":[{"functionResponse":{"id":"t1","name":"find","response":{"row":${NUMBER}}}}]}]}`,
  ],
  [
    Dialect.OPENAI_CHAT,
    `{"model":"m","tools":[{"type":"function","function":{"name":"find","parameters":${JSON.stringify(schema)}}}],"messages":[{"role":"user","content":"hi"},{"role":"assistant","tool_calls":[{"id":"t1","type":"function","function":{"name":"find","arguments":${JSON.stringify(ARGUMENTS)}}}]},{"role":"tool","tool_call_id":"t1","content":"{\\"row\\":${NUMBER}}"}]}`,
  ],
]);

const cases = [...bodies.keys()].flatMap((dialect) => [
  { dialect, vendor: 'anthropic', modelId: 'claude-web' },
  { dialect, vendor: 'google', modelId: 'gemini-3.8-flash' },
]);

async function readText(options: TurnOptions): Promise<string> {
  const frames = await collect(system.turn(bodies.get(options.dialect!)!, options));
  return frames.flatMap(decodeEvents).join('\n');
}

describe('a turn with large numbers in arguments of tools', () => {
  it.each(cases)(
    'keeps their spelling in dialect $dialect from and to $vendor',
    async ({ dialect, vendor, modelId }) => {
      const server = vendor === 'anthropic' ? claude : gemini;
      server.handler = answerWith(vendor === 'anthropic' ? messageOfClaude : contentOfGemini);
      const answer = await readText({ dialect, modelId });
      expect(answer.replaceAll('\\"', '"')).toContain(ARGUMENTS);
      const sent = server.requests[0]!.raw.toString('utf8').replaceAll('\\"', '"');
      expect(sent).toContain(ARGUMENTS);
      expect(sent).toContain(`"row":${NUMBER}`);
    },
  );

  it.each(cases)(
    'keeps their spelling in dialect $dialect in a stream of $vendor',
    async ({ dialect, vendor, modelId }) => {
      if (vendor === 'anthropic') claude.handler = streamWith(streamOfClaude);
      else gemini.handler = streamWith([contentOfGemini]);
      const events = await readText({ dialect, modelId, stream: true });
      expect(events.replaceAll('\\"', '"')).toContain(ARGUMENTS);
    },
  );
});
