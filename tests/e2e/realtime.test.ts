// Realtime sessions, tested with OpenAI's unmodified client library; their costs are compared with the vendor's usage.
import { describe, expect, it } from '@jest/globals';
import { loadCatalog, modalityFeeTokens, NO_TOKENS } from '@tollgate/catalog';
import { type RealtimeResponseEntry, type RealtimeTranscriptEntry, waitUntil } from '@tollgate/testkit';
import { WebSocket } from 'ws';
import { openRealtime, REALTIME_MODEL, type RealtimeTestClient, speech } from '../system/realtime-client.js';
import { must, type TestCustomer, type TestProject } from '../system/start-system.js';
import { useProject, useSystem } from '../system/use-system.js';

const model = loadCatalog({ sandbox: true }).find(REALTIME_MODEL)!;
const PRICES = { input_price_per_million_cents: 400, output_price_per_million_cents: 1_600 };

/** The cost of the vendor's usage, in microcents, by the prices of the tier. */
function toCost(entries: readonly RealtimeResponseEntry[]): number {
  return entries.reduce((sum, entry) => {
    const tokens = {
      input: { ...NO_TOKENS, audio: entry.inputAudioTokens },
      cached: { ...NO_TOKENS, audio: entry.cachedAudioTokens },
      output: { ...NO_TOKENS, audio: entry.outputAudioTokens },
    };
    const input = entry.inputTokens + modalityFeeTokens(model, tokens);
    return (
      sum + input * PRICES.input_price_per_million_cents + entry.outputTokens * PRICES.output_price_per_million_cents
    );
  }, 0);
}

describe('realtime', () => {
  const system = useSystem({ mode: 'separate processes', env: { HOLD_TTL: '15s' } });
  const project = useProject(system);

  function buyer(options: Parameters<TestProject['customerOn']>[1] = {}, kind: 'free' | 'paygo' = 'free') {
    const models = [{ model_id: REALTIME_MODEL, is_default: true, ...PRICES }];
    return project.customerOn(kind, { tier: { models }, ...options });
  }

  async function readCost(customer: TestCustomer): Promise<number> {
    return must(await customer.api.get('/customers/me/usage'), 200).usage.total_cost_microcents;
  }

  /** The responses that the fake generates in this test. */
  function watchResponses(): () => readonly RealtimeResponseEntry[] {
    const from = system.provider.realtime.responses.length;
    return () => system.provider.realtime.responses.slice(from);
  }

  it('answers in text and charges what the vendor reports', async () => {
    const customer = await buyer();
    const responses = watchResponses();
    const session = openRealtime(system, customer.token);
    const created = await session.next('session.created');
    expect(created.session).toMatchObject({ model: REALTIME_MODEL, max_output_tokens: 'inf' });
    expect(created.session.audio.input.turn_detection).toMatchObject({ type: 'server_vad', create_response: true });
    session.send({ type: 'session.update', session: { type: 'realtime', output_modalities: ['text'] } });
    await session.next('session.updated');
    const first = await session.ask('hello there');
    expect(first).toMatchObject({ status: 'completed', usage: { output_token_details: { audio_tokens: 0 } } });
    // The bill is complete when the end of the response arrives.
    expect(await readCost(customer)).toBe(toCost(responses()));
    const second = await session.ask('and again');
    expect(second.usage.input_tokens).toBeGreaterThan(first.usage.input_tokens);
    expect(await readCost(customer)).toBe(toCost(responses()));
    expect(responses()).toHaveLength(2);
    session.close();
    await session.waitClosed();
    await waitUntil(() => system.provider.realtime.openCount() === 0, {
      what: 'the session at the vendor to be closed',
    });
    await expectNothingOpen();
  });

  it('answers in speech and calls tools', async () => {
    const customer = await buyer();
    const responses = watchResponses();
    const session = openRealtime(system, project.secretKey, { headers: { 'X-Service-Customer-Id': customer.id } });
    await session.next('session.created');
    const spoken = await session.ask('say something');
    expect(spoken.usage.output_token_details.audio_tokens).toBeGreaterThan(0);
    expect(session.events.some(({ type }) => type === 'response.output_audio.delta')).toBe(true);
    const tool = { type: 'function', name: 'get_weather', parameters: { type: 'object', properties: {} } };
    session.send({ type: 'session.update', session: { type: 'realtime', tools: [tool] } });
    const called = await session.ask('call tool get_weather with {"city":"Bern"}');
    expect(called.output[0]).toMatchObject({
      type: 'function_call',
      name: 'get_weather',
      arguments: '{"city":"Bern"}',
    });
    const output = { type: 'function_call_output', call_id: called.output[0].call_id, output: 'sunny' };
    const from = session.events.length;
    session.send({ type: 'conversation.item.create', item: output });
    session.send({ type: 'response.create' });
    await session.next('response.done', from);
    expect(await readCost(customer)).toBe(toCost(responses()));
    session.close();
    await expectNothingOpen();
  });

  it('answers each turn that is detected, and asks for it itself', async () => {
    const customer = await buyer();
    const responses = watchResponses();
    const session = openRealtime(system, customer.token);
    await session.next('session.created');
    for (let turn = 1; turn <= 2; turn++) {
      const from = session.events.length;
      session.send({ type: 'input_audio_buffer.append', audio: speech(400, 800) });
      await session.next('input_audio_buffer.committed', from);
      const { response } = await session.next('response.done', from);
      expect(response.usage.input_token_details.audio_tokens).toBeGreaterThan(0);
    }
    expect(responses().map(({ wasAsked }) => wasAsked)).toEqual([true, true]);
    expect(await readCost(customer)).toBe(toCost(responses()));
    // Not answered where the client does not want it.
    const detection = { type: 'server_vad', create_response: false };
    session.send({ type: 'session.update', session: { audio: { input: { turn_detection: detection } } } });
    const updated = await session.next('session.updated');
    expect(updated.session.audio.input.turn_detection.create_response).toBe(false);
    const from = session.events.length;
    session.send({ type: 'input_audio_buffer.append', audio: speech(400, 800) });
    await session.next('conversation.item.done', from);
    session.send({ type: 'response.create' });
    await session.next('response.done', from);
    expect(responses()).toHaveLength(3);
    session.close();
    await expectNothingOpen();
  });

  describe('transcripts of the input', () => {
    const ASR_PRICES = { input_price_per_million_cents: 10_000, output_price_per_million_cents: 20_000 };

    function talker(asr: string | undefined, options: Parameters<TestProject['customerOn']>[1] = {}) {
      const models = [
        { model_id: REALTIME_MODEL, is_default: true, ...PRICES },
        ...(asr === undefined ? [] : [{ model_id: asr, ...ASR_PRICES }]),
      ];
      return project.customerOn('free', { tier: { models }, ...options });
    }

    function watchTranscripts(): () => readonly RealtimeTranscriptEntry[] {
      const from = system.provider.realtime.transcripts.length;
      return () => system.provider.realtime.transcripts.slice(from);
    }

    /** The client asks for transcripts and no answers. */
    async function turnOn(session: RealtimeTestClient, transcription: object): Promise<object> {
      await session.next('session.created');
      const turn_detection = { type: 'server_vad', create_response: false };
      session.send({ type: 'session.update', session: { audio: { input: { transcription, turn_detection } } } });
      return (await session.next('session.updated')).session.audio.input.transcription;
    }

    async function speak(session: RealtimeTestClient, speechMs = 1_300): Promise<void> {
      const from = session.events.length;
      session.send({ type: 'input_audio_buffer.append', audio: speech(speechMs, 700) });
      await session.next('conversation.item.input_audio_transcription.completed', from);
    }

    it.each(['whisper-1', 'gpt-4o-transcribe'])('charges %s for each before it leaves', async (asr) => {
      const customer = await talker(asr);
      const transcripts = watchTranscripts();
      const session = openRealtime(system, customer.token);
      const transcription = { model: asr, language: 'de', prompt: 'names' };
      expect(await turnOn(session, transcription)).toMatchObject(transcription);
      let cost = 0;
      for (let turn = 1; turn <= 3; turn++) {
        await speak(session);
        const { seconds, inputTokens, outputTokens } = transcripts()[turn - 1]!;
        const units = asr === 'whisper-1' ? { in: Math.ceil(seconds), out: 0 } : { in: inputTokens, out: outputTokens };
        cost += units.in * 10_000 + units.out * 20_000;
        expect(await readCost(customer)).toBe(cost);
      }
      session.close();
      await expectNothingOpen();
      expect(await readCost(customer)).toBe(cost);
    });

    it('refuses a model that the tier does not offer, and continues without', async () => {
      const customer = await talker(undefined);
      const session = openRealtime(system, customer.token);
      await session.next('session.created');
      const transcription = { model: 'whisper-1' };
      session.send({ type: 'session.update', event_id: 'on', session: { audio: { input: { transcription } } } });
      expect((await session.next('error')).error).toMatchObject({
        event_id: 'on',
        message: expect.stringContaining('whisper-1'),
      });
      expect((await session.ask('hello')).status).toBe('completed');
      session.close();
      await expectNothingOpen();
    });

    it('writes nothing down that funds do not cover, and continues', async () => {
      // Ten cents a second, held for a minute.
      const asr = {
        model_id: 'whisper-1',
        input_price_per_million_cents: 10_000_000,
        output_price_per_million_cents: 0,
      };
      const models = [{ model_id: REALTIME_MODEL, is_default: true, ...PRICES }, asr];
      const customer = await project.customerOn('free', { tier: { models }, spendLimitCents: 700 });
      const transcripts = watchTranscripts();
      const session = openRealtime(system, customer.token);
      await turnOn(session, { model: 'whisper-1' });
      await speak(session, 10_000);
      const from = session.events.length;
      session.send({ type: 'input_audio_buffer.append', event_id: 'poor', audio: speech(1_000, 700) });
      expect((await session.next('error', from)).error).toMatchObject({ event_id: 'poor' });
      expect((await session.next('session.updated', from)).session.audio.input.transcription).toBeNull();
      await session.next('input_audio_buffer.committed', from);
      expect((await session.ask('hello')).status).toBe('completed');
      expect(transcripts()).toHaveLength(1);
      session.close();
      await expectNothingOpen();
      expect(await readCost(customer)).toBeLessThan(700_000_000);
    });

    it('costs nothing when the vendor fails', async () => {
      const customer = await talker('whisper-1');
      const session = openRealtime(system, customer.token);
      await turnOn(session, { model: 'whisper-1' });
      system.provider.realtime.always({ status: 500 });
      session.send({ type: 'input_audio_buffer.append', audio: speech(400, 800) });
      await session.next('conversation.item.input_audio_transcription.failed');
      system.provider.realtime.always({});
      session.close();
      await expectNothingOpen();
      expect(await readCost(customer)).toBe(0);
    });

    it('settles a transcript whose client has left, or records it as possibly served', async () => {
      const customer = await talker('whisper-1');
      const transcripts = watchTranscripts();
      const session = openRealtime(system, customer.token);
      await turnOn(session, { model: 'whisper-1' });
      system.provider.realtime.always({ delayFirstTokenMs: 500 });
      session.send({ type: 'input_audio_buffer.append', audio: speech(400, 800) });
      await session.next('input_audio_buffer.committed');
      session.socket.socket.terminate();
      await expectNothingOpen();
      system.provider.realtime.always({});
      expect(await readCost(customer)).toBe(Math.ceil(transcripts()[0]!.seconds) * 10_000);
      const before = await project.verify();
      const cut = openRealtime(system, customer.token);
      await turnOn(cut, { model: 'whisper-1' });
      system.provider.realtime.always({ hang: 'mid_stream' });
      cut.send({ type: 'input_audio_buffer.append', audio: speech(400, 800) });
      await cut.next('input_audio_buffer.committed');
      system.provider.realtime.cut();
      await cut.waitClosed();
      system.provider.realtime.always({});
      await expectNothingOpen();
      const after = await project.verify();
      expect(Number(after.unreconciled_microcents)).toBeGreaterThan(Number(before.unreconciled_microcents));
    });

    it('holds nothing for speech once they are off, or the session has ended', async () => {
      const customer = await talker('whisper-1');
      const session = openRealtime(system, customer.token);
      await turnOn(session, { model: 'whisper-1' });
      session.send({ type: 'input_audio_buffer.append', audio: speech(0, 800) });
      await waitUntil(async () => (await project.verify()).open_holds === 1, { what: 'funds to be held' });
      const from = session.events.length;
      session.send({ type: 'session.update', session: { audio: { input: { transcription: null } } } });
      await session.next('session.updated', from);
      await expectNothingOpen();
      session.close();
      expect(await readCost(customer)).toBe(0);
    });
  });

  it('charges a canceled response for what it served', async () => {
    const customer = await buyer();
    const responses = watchResponses();
    const session = openRealtime(system, customer.token);
    await session.next('session.created');
    session.say('slow 20 ms say 500 tokens');
    session.send({ type: 'response.create' });
    await session.next('response.output_audio.delta');
    session.send({ type: 'response.cancel' });
    const { response } = await session.next('response.done');
    expect(response.status).toBe('cancelled');
    expect(await readCost(customer)).toBe(toCost(responses()));
    expect(responses()[0]!.outputTokens).toBeLessThan(500);
    session.close();
    await expectNothingOpen();
  });

  it('bounds the output of every response by what is held', async () => {
    const customer = await buyer();
    const responses = watchResponses();
    const session = openRealtime(system, customer.token);
    await session.next('session.created');
    session.send({ type: 'session.update', session: { type: 'realtime', max_output_tokens: 'inf' } });
    expect((await session.next('session.updated')).session.max_output_tokens).toBe('inf');
    expect((await session.ask('say 5000 tokens', { max_output_tokens: 'inf' })).status).toBe('incomplete');
    expect((await session.ask('say 50 tokens', { max_output_tokens: 7 })).usage.output_tokens).toBe(7);
    expect(responses().map(({ maxOutputTokens }) => maxOutputTokens)).toEqual([4_096, 7]);
    session.close();
    await expectNothingOpen();
  });

  it('refuses the next response when funds are used up, and continues', async () => {
    const customer = await buyer({ spendLimitCents: 40 });
    const responses = watchResponses();
    const session = openRealtime(system, customer.token);
    await session.next('session.created');
    let refused: { error: { code: string } } | undefined;
    for (let i = 0; i < 20 && !refused; i++) {
      const from = session.events.length;
      session.say('say 300 tokens');
      session.send({ type: 'response.create', event_id: `ask-${i}` });
      await waitUntil(() => session.events.slice(from).some(({ type }) => /^(error|response\.done)$/.test(type)), {
        what: 'an answer',
      });
      refused = session.events.slice(from).find(({ type }) => type === 'error');
    }
    expect(refused).toMatchObject({ error: { event_id: expect.stringMatching(/^ask-/) } });
    // The session can still be used, for example after a top-up.
    const from = session.events.length;
    session.send({ type: 'session.update', session: { type: 'realtime', output_modalities: ['text'] } });
    await session.next('session.updated', from);
    const cost = await readCost(customer);
    expect(cost).toBe(toCost(responses()));
    expect(cost).toBeLessThanOrEqual(40_000_000);
    expect(responses().length).toBeGreaterThan(0);
    session.close();
    // A caller without funds is refused before the socket is opened.
    const poor = await buyer({ spendLimitCents: 1 });
    await expectRefused(poor.token, /40[23]|429/);
    await expectNothingOpen();
  });

  it('settles what was served when its client has left', async () => {
    const customer = await buyer();
    const responses = watchResponses();
    const session = openRealtime(system, customer.token);
    await session.next('session.created');
    session.say('slow 20 ms say 500 tokens');
    session.send({ type: 'response.create' });
    await session.next('response.output_audio.delta');
    session.socket.socket.terminate();
    await waitUntil(() => responses()[0]?.status === 'cancelled', { what: 'the response to be canceled' });
    await expectNothingOpen();
    expect(await readCost(customer)).toBe(toCost(responses()));
    expect(responses()[0]!.outputTokens).toBeGreaterThan(0);
  });

  it('records a response as possibly served when the vendor breaks off', async () => {
    const customer = await buyer();
    const session = openRealtime(system, customer.token);
    await session.next('session.created');
    const before = await project.verify();
    session.say('cut after 3 tokens say 100 tokens');
    session.send({ type: 'response.create' });
    expect(await session.waitClosed()).toMatchObject({ code: 1011 });
    expect(session.events.at(-1)).toMatchObject({ type: 'error' });
    await expectNothingOpen();
    const after = await project.verify();
    expect(await readCost(customer)).toBe(0);
    expect(Number(after.unreconciled_microcents)).toBeGreaterThan(Number(before.unreconciled_microcents));
  });

  it('refuses by name what no hold covers, and continues', async () => {
    const customer = await buyer();
    const session = openRealtime(system, customer.token);
    await session.next('session.created');
    const updates = [
      { tools: [{ type: 'mcp', server_label: 'x', server_url: 'https://example.com' }] },
      { audio: { input: { transcription: { model: 'whisper-of-nobody' } } } },
      { audio: { input: { turn_detection: { type: 'server_vad', idle_timeout_ms: 5_000 } } } },
      { prompt: { id: 'pmpt_1' } },
      { type: 'transcription' },
      { model: 'gpt-realtime-2' },
    ];
    for (const [index, update] of updates.entries()) {
      const from = session.events.length;
      session.send({ type: 'session.update', event_id: `u-${index}`, session: { type: 'realtime', ...update } });
      const { error } = await session.next('error', from);
      expect(error).toMatchObject({ event_id: `u-${index}`, param: expect.stringContaining('session.') });
    }
    const from = session.events.length;
    session.send({ type: 'session.dream' });
    expect((await session.next('error', from)).error.message).toContain('session.dream');
    expect((await session.ask('hello')).status).toBe('completed');
    session.close();
    await expectNothingOpen();
  });

  it('refuses strangers, unknown models and blocked customers before the socket is opened', async () => {
    const customer = await buyer();
    await expectRefused('tg_sk_unknown', /401/);
    await expectRefused(project.publishableKey, /403/);
    await expectRefused(project.ownerToken, /403/);
    await expectRefused(customer.token, /404/, { model: 'nobody-1' });
    await expectRefused(customer.token, /422|400/, { model: 'sandbox/echo-1' });
    const other = await system.project();
    await expectRefused(other.secretKey, /404/, { headers: { 'X-Service-Customer-Id': customer.id } });
    const lacking = await project.customerOn('free');
    await expectRefused(lacking.token, /40[0-9]/);
    must(await project.api.post(`/customers/${customer.id}/block`, {}), 200);
    await expectRefused(customer.token, /403/);
    await expectNothingOpen();
  });

  it('takes a browser’s token as a subprotocol', async () => {
    const customer = await buyer();
    const url = `${system.stack.httpUrl.replace('http', 'ws')}/v1/realtime?model=${REALTIME_MODEL}`;
    const socket = new WebSocket(url, ['realtime', `openai-insecure-api-key.${customer.token}`]);
    let answered: object | undefined;
    socket.once('upgrade', ({ headers }) => {
      answered = headers;
    });
    const first = await new Promise<string>((resolve, reject) => {
      socket.once('message', (data) => resolve(String(data)));
      socket.once('error', reject);
    });
    expect(JSON.parse(first)).toMatchObject({ type: 'session.created' });
    expect(socket.protocol).toBe('realtime');
    expect(answered).toMatchObject({
      'x-service-request-id': expect.any(String),
      'ratelimit-limit': expect.any(String),
    });
    socket.close();
    await expectNothingOpen();
  });

  it('keeps the vendor’s key from clients and theirs from the vendor', async () => {
    const customer = await buyer();
    const session = openRealtime(system, customer.token);
    await session.next('session.created');
    const { authorization } = system.provider.realtime.upgrades.at(-1)!;
    expect(authorization).toBe('Bearer sk-test');
    session.close();
    await session.waitClosed();
  });

  it('charges no one for a response whose inference was killed, and records its possible cost', async () => {
    const customer = await buyer();
    const session = openRealtime(system, customer.token);
    await session.next('session.created');
    const done = await session.ask('hello');
    const charged = await readCost(customer);
    expect(done.status).toBe('completed');
    const before = await project.verify();
    session.say('slow 50 ms say 2000 tokens');
    session.send({ type: 'response.create' });
    await session.next('response.output_audio.delta', session.events.length);
    await system.kill('gateway-inference');
    expect(await session.waitClosed()).toMatchObject({ code: 1011 });
    // The hold expires first.
    await expectNothingOpen(60_000);
    const after = await project.verify();
    expect(Number(after.unreconciled_microcents)).toBeGreaterThan(Number(before.unreconciled_microcents));
    expect(await readCost(customer)).toBe(charged);
    await waitUntil(() => system.provider.realtime.openCount() === 0, { what: 'the vendor to lose its client' });
  }, 180_000);

  async function expectRefused(
    key: string,
    status: RegExp,
    options: { model?: string; headers?: Record<string, string> } = {},
  ): Promise<void> {
    const upgrades = system.provider.realtime.upgrades.length;
    const session = openRealtime(system, key, options);
    const message = new Promise<string>((resolve) =>
      session.socket.socket.on('error', (error) => resolve(error.message)),
    );
    expect(await message).toMatch(status);
    expect(system.provider.realtime.upgrades).toHaveLength(upgrades);
  }

  /** Every hold has ended, and the ledger is consistent. */
  async function expectNothingOpen(timeoutMs = 30_000): Promise<void> {
    const isOver = async () => (await project.verify()).open_holds === 0;
    await waitUntil(isOver, { what: 'all holds to end', timeoutMs });
    expect(await project.verify()).toMatchObject({ differences: [] });
  }
});
