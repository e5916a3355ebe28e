import { afterEach, describe, expect, it } from '@jest/globals';
import type { ServerNotification } from '@modelcontextprotocol/server';
import { waitUntil } from '@tollgate/testkit';
import { Progress } from './progress.js';

let sent: ServerNotification[] = [];
const started: Progress[] = [];

afterEach(() => {
  sent = [];
  for (const progress of started.splice(0)) progress.end();
});

function start(silenceMs: number, send = async (notification: ServerNotification) => void sent.push(notification)) {
  const progress = new Progress({ progressToken: 'p', send }, silenceMs);
  started.push(progress);
  return progress;
}

describe('the progress of a call', () => {
  it('reports that the call continues, again and again, with increasing progress', async () => {
    const progress = start(5);
    await progress.report('calling kv_read');
    await waitUntil(() => sent.length >= 4, { what: 'the reports' });
    progress.end();
    expect(sent.slice(0, 4).map(({ params }) => params)).toEqual([
      { progressToken: 'p', progress: 1, message: 'calling kv_read' },
      ...[2, 3, 4].map((n) => ({ progressToken: 'p', progress: n, message: 'still running' })),
    ]);
  });

  it('reports nothing after the end', async () => {
    const progress = start(60_000);
    progress.end();
    await progress.report('late');
    expect(sent).toEqual([]);
  });

  it('stops when the client cannot be reached', async () => {
    let attempts = 0;
    start(1, async () => {
      attempts += 1;
      throw new Error('gone');
    });
    start(30);
    // Reports of the other call show that time has passed.
    await waitUntil(() => sent.length >= 2, { what: 'the reports' });
    expect(attempts).toBe(1);
  });
});
