// Speech and transcripts in events, with OpenAI's own libraries, unmodified, current and previous major. The usage that the vendor
// reports in the last event is the usage that the library reads and that the customer pays for.
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeWith } from '@tollgate/testkit/describe-with';
import { must } from '../system/start-system.js';
import { useProject, useSystem } from '../system/use-system.js';
import { runTool } from './run-tool.js';

const PROGRAMS = fileURLToPath(new URL('./programs/audio/', import.meta.url));
const SPEECH_MODEL = 'test/speech-tokens-1';
const TRANSCRIPT_MODEL = 'test/transcribe-tokens-1';
const TEXT = 'hello there';
const PRICE = { input: 200, output: 600 };

describeWith('CLIENT_TOOLS', 'audio in events', (tools) => {
  const system = useSystem();
  const project = useProject(system);
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-clients-'));
    cpSync(PROGRAMS, folder, { recursive: true });
    symlinkSync(join(tools, 'libraries/node_modules'), join(folder, 'node_modules'));
  });
  afterAll(async () => {
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    ['openai (JavaScript, current)', 'node/package/bin/node', ['openai-audio.mjs', 'openai']],
    ['openai (JavaScript, previous)', 'node/package/bin/node', ['openai-audio.mjs', 'openai-6']],
    ['openai (Python, current)', 'python/current/bin/python', ['openai_audio.py']],
    ['openai (Python, previous)', 'python/previous/bin/python', ['openai_audio.py']],
  ])('reaches %s, and is billed as the vendor counts it', async (_library, command, [file = '', ...args]) => {
    const customer = await project.customerOn('free', {
      spendLimitCents: 100_000,
      tier: {
        models: [SPEECH_MODEL, TRANSCRIPT_MODEL].map((model_id, i) => ({
          ...{ model_id, is_default: i === 0 },
          input_price_per_million_cents: PRICE.input,
          output_price_per_million_cents: PRICE.output,
        })),
      },
    });
    const before = system.provider.journal.totals();
    const env = { BASE_URL: system.stack.httpUrl, API_KEY: customer.token, SPEECH_MODEL, TRANSCRIPT_MODEL, TEXT };
    const received = JSON.parse(await runTool(join(tools, command), [join(folder, file), ...args], { env }));

    const after = system.provider.journal.totals();
    const input = after.inputTokens - before.inputTokens;
    const output = after.outputTokens - before.outputTokens;
    const { speech, transcript, text, speechUsage, transcriptUsage } = received;
    expect([speech, transcript]).toEqual([`mp3 of alloy: ${TEXT}`, text]);
    expect(text).toContain('Transcript of memo.wav');
    expect(speechUsage.input_tokens + transcriptUsage.input_tokens).toBe(input);
    expect(speechUsage.output_tokens + transcriptUsage.output_tokens).toBe(output);
    const { usage } = must(await customer.api.get('/customers/me/usage'), 200);
    expect(usage.total_cost_microcents).toBe(input * PRICE.input + output * PRICE.output);
    expect(usage.requests).toBe(2);
  });
});
