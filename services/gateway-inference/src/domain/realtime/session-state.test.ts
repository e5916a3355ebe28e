import { describe, expect, it } from '@jest/globals';
import { loadCatalog, modalityFeeTokens, NO_TOKENS } from '@tollgate/catalog';
import type { JsonObject } from '@tollgate/runtime/json-object';
import { SessionState } from './session-state.js';
import { type FindTranscriber, readTranscriptUsage } from './transcription.js';

const model = loadCatalog({ sandbox: true }).find('gpt-realtime-1.5')!;
const session: JsonObject = {
  type: 'realtime',
  model: 'upstream',
  instructions: 'Be kind.',
  tools: [],
  max_output_tokens: 'inf',
  output_modalities: ['audio'],
  audio: { input: { format: { type: 'audio/pcm', rate: 24_000 }, turn_detection: { type: 'server_vad' } } },
};

function start(own: JsonObject = {}): SessionState {
  let ids = 0;
  return new SessionState(model, 'my-model', { ...session, ...own }, () => `id-${++ids}`);
}

/** Asks for a response and lets the vendor create it. */
function run(state: SessionState, id: string, event: JsonObject = {}): void {
  state.fromClient({ type: 'response.create', ...event });
  const ask = state.nextAsk()!;
  state.ask(ask.maxOutputTokens);
  expect(state.fromVendor({ type: 'response.created', response: { id } })).toEqual({ kind: 'created' });
}

function done(id: string, usage?: JsonObject): JsonObject {
  return { type: 'response.done', response: { id, status: 'completed', ...(usage && { usage }) } };
}

function toUsage(text: number, audio: number, output = 0): JsonObject {
  return {
    input_tokens: text + audio,
    output_tokens: output,
    input_token_details: { text_tokens: text, audio_tokens: audio },
    output_token_details: { text_tokens: output },
  };
}

/** A second of speech in base64. */
const SECOND = Buffer.alloc(48_000).toString('base64');

describe('the vendor’s session', () => {
  it('creates no response by itself, and none without a bound', () => {
    expect(start().setup).toEqual({
      type: 'session.update',
      event_id: 'id-1',
      session: {
        type: 'realtime',
        max_output_tokens: 4_096,
        audio: { input: { turn_detection: { type: 'server_vad', create_response: false } } },
      },
    });
  });

  it('keeps both in every update of the client', () => {
    const state = start();
    const update = {
      max_output_tokens: 'inf',
      audio: { input: { turn_detection: { type: 'semantic_vad', create_response: true } } },
    };
    expect(state.fromClient({ type: 'session.update', session: update })).toMatchObject({
      session: { max_output_tokens: 4_096, audio: { input: { turn_detection: { create_response: false } } } },
    });
  });

  it('shows the client its own settings', () => {
    const state = start();
    const shown = { ...session, max_output_tokens: 4_096 };
    expect(state.present({ type: 'session.updated', session: shown })).toMatchObject({
      session: {
        model: 'my-model',
        max_output_tokens: 'inf',
        audio: { input: { turn_detection: { type: 'server_vad', create_response: true } } },
      },
    });
  });
});

describe('a response', () => {
  it('waits until funds are held', () => {
    const state = start();
    expect(state.fromClient({ type: 'response.create', event_id: 'mine' })).toBeUndefined();
    expect(state.nextAsk()).toMatchObject({ maxOutputTokens: 4_096 });
    expect(state.phase).toBe('admitting');
    expect(state.ask(100)).toEqual({
      type: 'response.create',
      event_id: 'mine',
      response: { max_output_tokens: 100 },
    });
    expect(state.phase).toBe('asked');
  });

  it('waits for the running response', () => {
    const state = start();
    run(state, 'r-1');
    state.fromClient({ type: 'response.create' });
    expect(state.nextAsk()).toBeUndefined();
    expect(state.fromVendor(done('r-1', toUsage(10, 0)))).toMatchObject({ kind: 'ended' });
    expect(state.nextAsk()).toBeDefined();
  });

  it('throws when too many responses are waiting', () => {
    const state = start();
    for (let i = 0; i < 16; i++) state.fromClient({ type: 'response.create' });
    expect(() => state.fromClient({ type: 'response.create' })).toThrow('too many responses');
  });

  it('ends when funds were refused', () => {
    const state = start();
    state.fromClient({ type: 'response.create', event_id: 'mine' });
    state.nextAsk();
    expect(state.drop()).toBe('mine');
    expect(state.nextAsk()).toBeUndefined();
    expect(() => state.ask(1)).toThrow('illegal transition');
  });

  it('costs nothing when the vendor refuses to create it', () => {
    const state = start();
    state.fromClient({ type: 'response.create', event_id: 'mine' });
    state.nextAsk();
    state.ask(100);
    const error = { type: 'error', error: { code: 'x', event_id: 'other' } };
    expect(state.fromVendor(error)).toEqual({ kind: 'pass' });
    error.error.event_id = 'mine';
    expect(state.fromVendor(error)).toEqual({ kind: 'rejected' });
    expect(state.phase).toBe('idle');
  });

  it('becomes a stray when no request asked for it', () => {
    const state = start();
    const created = { type: 'response.created', response: { id: 'r-9' } };
    expect(state.fromVendor(created)).toEqual({ kind: 'stray', responseId: 'r-9' });
    run(state, 'r-1');
    expect(state.fromVendor(created)).toEqual({ kind: 'stray', responseId: 'r-9' });
  });

  it('ends once, with the vendor’s usage of each kind', () => {
    const state = start();
    run(state, 'r-1');
    expect(state.fromVendor(done('r-2'))).toEqual({ kind: 'pass' });
    const usage = {
      input_tokens: 100,
      output_tokens: 30,
      input_token_details: {
        text_tokens: 20,
        audio_tokens: 70,
        image_tokens: 10,
        cached_tokens: 50,
        cached_tokens_details: { text_tokens: 10, audio_tokens: 40 },
      },
      output_token_details: { text_tokens: 10, audio_tokens: 20 },
    };
    expect(state.fromVendor(done('r-1', usage))).toMatchObject({
      kind: 'ended',
      end: {
        responseId: 'r-1',
        usage: {
          inputTokens: 100,
          outputTokens: 30,
          cachedTokens: 50,
          tokens: {
            input: { text: 20, audio: 70, image: 10 },
            cached: { text: 10, audio: 40, image: 0 },
            output: { text: 10, audio: 20, image: 0 },
          },
        },
      },
    });
    expect(state.fromVendor(done('r-1', usage))).toEqual({ kind: 'pass' });
  });
});

describe('a turn that is detected', () => {
  const stopped = { type: 'input_audio_buffer.speech_stopped', item_id: 'i-1', audio_end_ms: 400 };
  const committed = { type: 'input_audio_buffer.committed', item_id: 'i-1' };

  it('gets one answer, unless the client does not want that', () => {
    const state = start();
    state.fromVendor(stopped);
    state.fromVendor(committed);
    expect(state.nextAsk()).toBeDefined();
    const silent = start();
    const detection = { type: 'server_vad', create_response: false };
    silent.fromClient({ type: 'session.update', session: { audio: { input: { turn_detection: detection } } } });
    silent.fromVendor(stopped);
    silent.fromVendor(committed);
    expect(silent.nextAsk()).toBeUndefined();
  });

  it('gets no answer when the client itself has committed it', () => {
    const state = start();
    state.fromVendor(committed);
    expect(state.nextAsk()).toBeUndefined();
  });

  it('shares the answer with those before it that wait', () => {
    const state = start();
    run(state, 'r-1');
    for (const item_id of ['i-1', 'i-2']) {
      state.fromVendor({ ...stopped, item_id });
      state.fromVendor({ ...committed, item_id });
    }
    state.fromVendor(done('r-1', toUsage(1, 1)));
    expect(state.nextAsk()).toBeDefined();
    state.drop();
    expect(state.nextAsk()).toBeUndefined();
  });
});

describe('what is held for', () => {
  /** The bound of the next response's input, without what its output may cost above text. */
  function readBound(state: SessionState): number {
    state.fromClient({ type: 'response.create', response: { output_modalities: ['text'] } });
    const { inputTokens } = state.nextAsk()!;
    state.drop();
    return inputTokens;
  }

  it('covers the speech that was sent, whether or not it is in an item', () => {
    const state = start();
    const before = readBound(state);
    state.fromClient({ type: 'input_audio_buffer.append', audio: SECOND });
    const perToken = model.audio_input_cost_per_million_cents! / model.input_cost_per_million_cents!;
    expect(readBound(state) - before).toBeGreaterThanOrEqual(10 * perToken);
    state.fromClient({ type: 'input_audio_buffer.commit' });
    expect(readBound(state) - before).toBeGreaterThanOrEqual(10 * perToken);
  });

  it('covers texts, recordings and images in items', () => {
    const state = start();
    const before = readBound(state);
    const content = [
      { type: 'input_text', text: 'x'.repeat(1_000) },
      { type: 'input_audio', audio: SECOND },
      { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
    ];
    state.fromClient({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } });
    expect(readBound(state) - before).toBeGreaterThan(1_000 + 10 + 1_500);
  });

  it('counts the speech of a denser format as ten times as long', () => {
    const state = start();
    const format = { type: 'audio/pcmu' };
    state.fromClient({ type: 'session.update', session: { audio: { input: { format } } } });
    const before = readBound(state);
    state.fromClient({ type: 'input_audio_buffer.append', audio: SECOND });
    expect(readBound(state) - before).toBeGreaterThanOrEqual(60);
  });

  it('follows the vendor’s own count, and keeps what came after the response began', () => {
    const state = start({ instructions: 'x'.repeat(10_000) });
    const before = readBound(state);
    run(state, 'r-1');
    state.fromClient({
      type: 'conversation.item.create',
      item: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'y'.repeat(500) }] },
    });
    state.fromVendor(done('r-1', toUsage(2_500, 0, 40)));
    const after = readBound(state);
    expect(after).toBeLessThan(before);
    expect(after).toBeGreaterThanOrEqual(2_500 + 40 + 500);
  });

  it('does not follow the count of a response that reads something else', () => {
    const state = start({ instructions: 'x'.repeat(10_000) });
    const before = readBound(state);
    run(state, 'r-1', { response: { conversation: 'none', instructions: 'short' } });
    state.fromVendor(done('r-1', toUsage(20, 0)));
    expect(readBound(state)).toBeGreaterThanOrEqual(before);
  });

  it('ends at the model’s window, whatever fills it', () => {
    const state = start();
    for (let i = 0; i < 40; i++) {
      state.fromClient({ type: 'input_audio_buffer.append', audio: Buffer.alloc(48 * 100_000).toString('base64') });
    }
    const tokens = { ...NO_TOKENS, audio: model.context_window };
    const most = modalityFeeTokens(model, { input: tokens, cached: NO_TOKENS, output: NO_TOKENS });
    expect(readBound(state)).toBe(model.context_window + most);
  });

  it('includes the speech of the output, unless the response is text', () => {
    const state = start();
    state.fromClient({ type: 'response.create' });
    const spoken = state.nextAsk()!;
    state.drop();
    expect(spoken.inputTokens - readBound(state)).toBeGreaterThan(4_096 * 11);
  });
});

describe('refused events', () => {
  it.each<[string, JsonObject]>([
    ['an unknown event', { type: 'session.dream' }],
    ['a tool of the vendor', { type: 'session.update', session: { tools: [{ type: 'mcp' }] } }],
    ['a tool of the vendor in a response', { type: 'response.create', response: { tools: [{ type: 'mcp' }] } }],
    ['a stored prompt', { type: 'response.create', response: { prompt: { id: 'p' } } }],
    [
      'transcripts by a model without a price',
      { type: 'session.update', session: { audio: { input: { transcription: { model: 'w' } } } } },
    ],
    [
      'an unknown field of transcripts',
      {
        type: 'session.update',
        session: { audio: { input: { transcription: { model: 'whisper-1', delay: 'low' } } } },
      },
    ],
    [
      'a response after a silence',
      { type: 'session.update', session: { audio: { input: { turn_detection: { idle_timeout_ms: 5 } } } } },
    ],
    ['another type of session', { type: 'session.update', session: { type: 'transcription' } }],
    ['another model', { type: 'session.update', session: { model: 'gpt-realtime-2' } }],
    ['an item of a tool of the vendor', { type: 'conversation.item.create', item: { type: 'mcp_approval_response' } }],
    ['an unknown field', { type: 'response.create', response: { best_of: 3 } }],
  ])('contains %s', (_, event) => {
    expect(() => start().fromClient(event)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
  });

  it('contains fields of an older interface that set the same', () => {
    const event = {
      type: 'session.update',
      session: { turn_detection: { type: 'server_vad', create_response: true } },
    };
    expect(() => start().fromClient(event)).toThrow('session.turn_detection');
  });
});

describe('a session with transcripts', () => {
  const whisper = loadCatalog({ sandbox: true }).find('whisper-1')!;
  const find: FindTranscriber = (name) =>
    name === 'whisper-1' ? { model: whisper, upstreamModel: 'upstream-whisper' } : undefined;

  function startWith(transcription: JsonObject | null): SessionState {
    let ids = 0;
    const state = new SessionState(model, 'my-model', session, () => `id-${++ids}`, find);
    state.fromClient(update(transcription));
    return state;
  }

  function update(transcription: JsonObject | null): JsonObject {
    return { type: 'session.update', event_id: 'turn', session: { audio: { input: { transcription } } } };
  }

  function confirm(state: SessionState, transcription: JsonObject | null): void {
    state.fromVendor({ type: 'session.updated', session: { ...session, audio: { input: { transcription } } } });
  }

  function hear(state: SessionState, seconds: number): void {
    for (let i = 0; i < seconds; i++) state.fromClient({ type: 'input_audio_buffer.append', audio: SECOND });
  }

  it('asks by the vendor’s name of the model, and shows the client’s', () => {
    const state = startWith(null);
    const sent = state.fromClient(update({ model: 'whisper-1', language: 'de' }));
    const transcription = { model: 'upstream-whisper', language: 'de' };
    expect(sent).toMatchObject({ session: { audio: { input: { transcription } } } });
    expect(state.present({ type: 'session.updated', session: { audio: { input: { transcription } } } })).toMatchObject({
      session: { audio: { input: { transcription: { model: 'whisper-1', language: 'de' } } } },
    });
  });

  it('keeps the model of transcripts', () => {
    const state = startWith({ model: 'whisper-1' });
    expect(() => state.fromClient(update({ model: 'gpt-4o-transcribe' }))).toThrow('cannot change within a session');
  });

  it('counts all speech that the vendor has not confirmed as committed', () => {
    const state = startWith({ model: 'whisper-1' });
    hear(state, 2);
    state.fromClient({ type: 'input_audio_buffer.commit' });
    hear(state, 1);
    expect(state.speech.uncommittedMs).toBe(3_000);
    expect(state.speech.isCommitting).toBe(true);
    const step = state.fromVendor({ type: 'input_audio_buffer.committed', item_id: 'i' });
    expect(step).toEqual({ kind: 'transcribing', itemId: 'i', speechMs: 3_000 });
    expect(state.speech.uncommittedMs).toBe(1_000);
    state.fromClient({ type: 'input_audio_buffer.clear' });
    state.fromVendor({ type: 'input_audio_buffer.cleared' });
    expect(state.speech.uncommittedMs).toBe(0);
  });

  it('keeps as uncommitted the speech after a turn', () => {
    const state = startWith({ model: 'whisper-1' });
    hear(state, 3);
    state.fromVendor({ type: 'input_audio_buffer.speech_started', item_id: 'i' });
    state.fromVendor({ type: 'input_audio_buffer.speech_stopped', item_id: 'i', audio_end_ms: 1_200 });
    expect(state.fromVendor({ type: 'input_audio_buffer.committed', item_id: 'i' })).toMatchObject({ speechMs: 3_000 });
    expect(state.speech.uncommittedMs).toBe(1_800);
  });

  it('refuses commits when too many are unconfirmed', () => {
    const state = startWith({ model: 'whisper-1' });
    const commit = () => state.fromClient({ type: 'input_audio_buffer.commit' });
    for (let i = 0; i < 64; i++) commit();
    expect(commit).toThrow(expect.objectContaining({ code: 'CONFLICT' }));
    state.fromVendor({ type: 'error', error: { code: 'input_audio_buffer_commit_empty' } });
    commit();
  });

  it('covers transcripts until the vendor confirms their end', () => {
    const state = startWith({ model: 'whisper-1' });
    confirm(state, { model: 'upstream-whisper' });
    state.fromClient(update(null));
    expect(state.wantsTranscripts).toBe(false);
    expect(state.transcriber).toBeDefined();
    expect(state.fromVendor({ type: 'input_audio_buffer.committed', item_id: 'i' }).kind).toBe('transcribing');
    confirm(state, null);
    expect(state.transcriber).toBeUndefined();
    expect(state.fromVendor({ type: 'input_audio_buffer.committed', item_id: 'j' }).kind).toBe('pass');
  });

  it('has none when the vendor refuses the update', () => {
    const state = startWith({ model: 'whisper-1' });
    state.fromVendor({ type: 'error', error: { code: 'invalid_language', event_id: 'turn' } });
    expect(state.transcriber).toBeUndefined();
  });

  it('measures transcripts in the unit of their model', () => {
    const tokens = { type: 'tokens', input_tokens: 7, output_tokens: 2 };
    expect(readTranscriptUsage(whisper, { type: 'duration', seconds: 1.5 })).toEqual({
      inputUnits: 1.5,
      outputUnits: 0,
    });
    expect(readTranscriptUsage(whisper, tokens)).toBeUndefined();
    expect(readTranscriptUsage(model, tokens)).toEqual({ inputUnits: 7, outputUnits: 2 });
    expect(readTranscriptUsage(model, { input_tokens: -1, output_tokens: 0 })).toBeUndefined();
  });
});
