import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { request } from 'undici';
import { waitUntil } from '../wait-until.js';
import { openJournal, readJournal, sumEntries } from './journal.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-journal-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const call = { endpoint: 'POST /chat/completions', model: 'm', stream: true };

describe('journal', () => {
  it('has the same content in the file and in memory, over several runs', () => {
    const file = join(folder, 'two-runs');
    const all = [];
    for (const clientRequestId of ['first', 'second']) {
      const journal = openJournal(file);
      const recorder = journal.begin({ ...call, clientRequestId });
      recorder.answered(200, 10);
      recorder.served(3);
      recorder.served(1);
      recorder.ended('client_gone');
      recorder.ended('completed');
      journal.begin(call);
      expect(journal.findEntries(clientRequestId)).toEqual([recorder.entry]);
      expect(journal.totals()).toEqual({ calls: 2, inputTokens: 10, outputTokens: 4 });
      all.push(...journal.entries());
      journal.close();
    }
    expect(readJournal(file)).toEqual(all);
    expect(all.map((entry) => entry.outcome)).toEqual(['client_gone', 'open', 'client_gone', 'open']);
  });

  it('reads a journal whose last line was cut by a kill', () => {
    const file = join(folder, 'cut');
    const journal = openJournal(file);
    const recorder = journal.begin(call);
    recorder.served(2);
    journal.close();
    appendFileSync(file, '{"type":"tokens","callId":"');
    expect(readJournal(file)).toEqual([recorder.entry]);
  });
});

describe('fake provider as a process', () => {
  let child: ChildProcess | undefined;
  afterAll(() => {
    child?.kill('SIGKILL');
  });

  async function startProcess(...flags: string[]): Promise<string> {
    const main = new URL('../fake-provider-main.ts', import.meta.url).pathname;
    child = spawn(process.execPath, ['--conditions=source', '--import', 'tsx', main, ...flags], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const line of createInterface({ input: child.stdout! })) return JSON.parse(line).base_url;
    throw new Error('the process ended without its line');
  }

  const ask = (baseUrl: string, text: string) =>
    request(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { 'x-client-request-id': 'req-1' },
      body: JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: text }] }),
    });

  it('keeps a record of every served token when it is killed', async () => {
    const file = join(folder, 'killed');
    const baseUrl = await startProcess('--journal', file);
    const { body } = await ask(baseUrl, 'say 40 tokens, hang mid-stream');
    body.on('error', () => {});
    body.resume();
    await waitUntil(() => sumEntries(readJournal(file)).outputTokens === 1, { what: 'the first token' });
    child?.kill('SIGKILL');
    await once(child!, 'exit');
    expect(readJournal(file)).toEqual([
      expect.objectContaining({ clientRequestId: 'req-1', outputTokens: 1, outcome: 'open', status: 200 }),
    ]);
  });

  it('has an instant mode and stops on SIGTERM', async () => {
    const baseUrl = await startProcess('--instant');
    const { body } = await ask(baseUrl, 'hello');
    expect(await body.text()).toContain('data: [DONE]');
    child?.kill('SIGTERM');
    expect(await once(child!, 'exit')).toEqual([0, null]);
  });
});
