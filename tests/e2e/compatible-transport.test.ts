// Compatible endpoints across separate services: large uploads, streamed audio, clients that disconnect,
// failures after the first chunk.
import { describe, expect, it } from '@jest/globals';
import { waitUntil } from '@tollgate/testkit';
import { toFile } from 'openai';
import { anthropicClient, openAiClient } from '../system/library-clients.js';
import { SANDBOX_MODEL } from '../system/start-system.js';
import { useProject, useSystem } from '../system/use-system.js';

const MEBIBYTE = 1024 * 1024;

describe('the transport of compatible endpoints', () => {
  const system = useSystem();
  const project = useProject(system);

  const openai = () => openAiClient(system, project.secretKey);
  const speak = (input: string) => openai().audio.speech.create({ model: 'test/speech-1', voice: 'alloy', input });

  it('streams messages', async () => {
    const asked = { model: SANDBOX_MODEL, max_tokens: 100, messages: [{ role: 'user' as const, content: 'hello' }] };
    const message = await anthropicClient(system, project.secretKey).messages.stream(asked).finalMessage();
    expect(message).toMatchObject({ stop_reason: 'end_turn', content: [{ text: 'Echo: hello' }] });
  });

  it('returns embeddings and token counts', async () => {
    const input = Array.from({ length: 100 }, (_, index) => `text ${index}`);
    const { data } = await openai().embeddings.create({ model: 'sandbox/embed-1', input });
    expect(data).toHaveLength(100);
    const { input_tokens: tokens } = await openai().responses.inputTokens.count({ model: SANDBOX_MODEL, input: 'hi' });
    expect(tokens).toBe(5);
  });

  it('forwards the largest recording whole', async () => {
    const file = await toFile(Buffer.alloc(25 * MEBIBYTE), 'long.mp3', { type: 'audio/mpeg' });
    await openai().audio.transcriptions.create({ model: 'test/transcribe-1', file });
    expect(system.provider.requests.at(-1)!.body.file).toEqual({
      filename: 'long.mp3',
      mimeType: 'audio/mpeg',
      bytes: 25 * MEBIBYTE,
    });
  });

  it('streams audio, and cancels it at the provider when the client disconnects', async () => {
    expect(await (await speak('hello')).text()).toBe('mp3 of alloy: hello');
    const reader = (await speak(`slow 20 ms ${'and on '.repeat(200)}`)).body!.getReader();
    await reader.read();
    await reader.cancel();
    await waitUntil(() => system.provider.journal.entries().at(-1)?.outcome === 'client_gone', {
      what: 'the end at the provider',
    });
  });

  it('fails the download when the audio stream breaks off', async () => {
    const spoken = await speak('cut after 3 tokens, slow 20 ms');
    await expect(spoken.arrayBuffer()).rejects.toThrow();
  });

  it('leaves no funds reserved', async () => {
    const verify = async () => (await project.verify()).open_holds;
    await waitUntil(async () => (await verify()) === 0, { what: 'every hold to end' });
    expect((await project.verify()).differences).toEqual([]);
  });
});
