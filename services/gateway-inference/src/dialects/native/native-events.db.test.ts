import { describe, expect, it } from '@jest/globals';
import { type ResponseEvent, responseEventSchema } from '@tollgate/api/model-requests';
import type { ScriptedAnswer } from '../../testing/chat-script.js';
import { ask } from '../../testing/inference-system.js';
import { declare, ToolTurns, write } from '../../testing/tool-turns.js';

const turns = ToolTurns.forThisFile();
const json = { output_format: { type: 'json_object' } };
const long = 'x'.repeat(40_000);
const weather = { name: 'weather', args: { city: 'Bern' } };

const streams: [what: string, body: object, answers: ScriptedAnswer[], types: string[]][] = [
  ['text', {}, [{ text: 'Hello you' }], ['start', 'update', 'completion']],
  ['no text', {}, [{ text: '' }], ['start', 'completion']],
  ['a long text', {}, [{ text: long }], ['start', 'update', 'completion']],
  ['an answer that is cut', {}, [{ text: 'Hel', finishReason: 'length' }], ['start', 'update', 'completion']],
  ['JSON', json, [{ text: '{"a": 1, "b": [2]}' }], ['start', 'update', 'completion']],
  ['JSON that is a list', json, [{ text: '[1]' }], ['start', 'update', 'completion']],
  ['no JSON', json, [{ text: 'No.' }], ['start', 'error']],
  [
    'JSON after a tool',
    { ...json, ...declare('kv_write') },
    [{ calls: [write('a')] }, { text: '{"a":1}' }],
    ['start', 'update', 'completion'],
  ],
  [
    'JSON that calls a tool instead',
    { ...json, ...declare('weather') },
    [{ calls: [weather] }],
    ['start', 'completion'],
  ],
  [
    'a tool of the client',
    declare('weather'),
    [{ text: 'Wait.', calls: [weather] }],
    ['start', 'update', 'tool_use_start', 'tool_use_delta', 'tool_use_stop', 'completion'],
  ],
  [
    'a tool of the service',
    declare('kv.write'),
    [{ calls: [write('a')] }, { text: 'Done.' }],
    ['start', 'tool_use_start', 'tool_use_delta', 'tool_use_stop', 'update', 'completion'],
  ],
  [
    'more calls than allowed',
    declare('kv.write'),
    [{ calls: [write('a')] }],
    ['start', 'tool_use_start', 'tool_use_delta', 'tool_use_stop', 'error'],
  ],
];

describe('the events of a stream', () => {
  it.each(streams)('emits the contract events of %s in order', async (_what, body, answers, types) => {
    turns.plays(...answers);
    const events = (await turns.events(ask('go', { ...body }))) as unknown as ResponseEvent[];
    for (const event of events) {
      const parsed = responseEventSchema.safeParse(event);
      expect({ event, error: parsed.error?.message }).toEqual({ event, error: undefined });
      // Emits documented events only.
      expect(event).toEqual(parsed.data);
    }
    const emitted = events.map(({ type }) => type);
    expect([...new Set(emitted)]).toEqual(types);
    expect(emitted.filter((type) => ['start', 'completion', 'error'].includes(type))).toEqual([types[0], types.at(-1)]);
    expect([emitted[0], emitted.at(-1)]).toEqual(['start', types.at(-1)]);
  });
});
