import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { silentLogger } from '@tollgate/runtime';
import type { EventDraft } from '../../domain/run/run-event.js';
import { until } from '../../testing/run-client.js';
import { DeltaWriter, FLUSH_MS } from './delta-writer.js';

interface Written {
  writer: DeltaWriter;
  /** Every event that was appended. */
  events: EventDraft[];
}

function writerWith(append: (call: number) => Promise<boolean>): Written {
  const events: EventDraft[] = [];
  let calls = 0;
  const writer = new DeltaWriter({
    nodeId: 'n',
    logger: silentLogger,
    append: async (drafts) => {
      events.push(...drafts);
      return append(++calls);
    },
  });
  return { writer, events };
}

/** Returns the text that a reader has at the end. */
function foldText(events: readonly EventDraft[]): string {
  let text = '';
  for (const event of events) {
    const { delta } = JSON.parse(event.body) as { delta: { kind: string; text_delta: string } };
    text = delta.kind === 'reset' ? '' : text + delta.text_delta;
  }
  return text;
}

describe('DeltaWriter', () => {
  it('joins pieces and returns the unwritten rest at the end', async () => {
    const { writer, events } = writerWith(async () => true);
    for (const piece of ['a', 'b', 'c']) writer.push(piece);
    await until(() => events.length === 1);
    writer.push('d');
    const rest = await writer.finish();
    expect(events).toHaveLength(1);
    expect(foldText(events)).toBe('abc');
    expect(foldText([...events, ...rest])).toBe('abcd');
  });

  it('writes a long text at once', async () => {
    const { writer, events } = writerWith(async () => true);
    writer.push('x'.repeat(5_000));
    expect(events).toHaveLength(1);
    expect(await writer.finish()).toEqual([]);
  });

  it('writes one piece at a time, in order', async () => {
    let release: () => void = () => undefined;
    const { writer, events } = writerWith(() => new Promise((resolve) => (release = () => resolve(true))));
    writer.push('1'.repeat(5_000));
    writer.push('2'.repeat(5_000));
    expect(events).toHaveLength(1);
    release();
    await until(() => events.length === 2);
    release();
    await writer.finish();
    expect(foldText(events)).toBe('1'.repeat(5_000) + '2'.repeat(5_000));
  });

  it('returns text that arrived during the last write without also writing it', async () => {
    let release: () => void = () => undefined;
    const { writer, events } = writerWith(() => new Promise((resolve) => (release = () => resolve(true))));
    writer.push('1'.repeat(5_000));
    writer.push('2');
    const finished = writer.finish();
    release();
    const rest = await finished;
    await sleep(FLUSH_MS * 2);
    expect(events).toHaveLength(1);
    expect(foldText(rest)).toBe('2');
  });

  it('stops writing when the lease is lost', async () => {
    const { writer, events } = writerWith(async () => false);
    writer.push('x'.repeat(5_000));
    await until(() => writer.isLost);
    writer.push('y'.repeat(5_000));
    await writer.finish();
    expect(events).toHaveLength(1);
  });

  it('resets the readers after a write with an unknown outcome', async () => {
    const { writer, events } = writerWith(async (call) => {
      if (call === 2) throw new Error('connection lost');
      return true;
    });
    writer.push('1'.repeat(5_000));
    await until(() => events.length === 1);
    writer.push('2'.repeat(5_000));
    await until(() => events.length === 2);
    writer.push('3');
    const rest = await writer.finish();
    const all = `${'1'.repeat(5_000)}${'2'.repeat(5_000)}3`;
    expect(foldText([...events, ...rest])).toBe(all);
    expect(foldText([events[0]!, ...rest])).toBe(all);
  });
});
