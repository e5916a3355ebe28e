import { beforeEach, describe, expect, it } from '@jest/globals';
import { Channel } from './channel.js';

let consumed: number[];
let returns: number;
let channel: Channel<string>;

beforeEach(() => {
  consumed = [];
  returns = 0;
  channel = new Channel(
    (units) => consumed.push(units),
    () => returns++,
  );
});

describe('Channel', () => {
  it('delivers items in order, then ends', async () => {
    channel.push('a', 1);
    channel.push('b', 2);
    channel.end();
    channel.push('after the end', 4);
    const items: string[] = [];
    for await (const item of channel) items.push(item);
    expect(items).toEqual(['a', 'b']);
  });

  it('hands an item to a reader that waits', async () => {
    const next = channel.next();
    channel.push('a', 3);
    expect(await next).toEqual({ value: 'a', done: false });
    expect(consumed).toEqual([3]);
  });

  it('reports the units of an item only when the reader takes it', async () => {
    channel.push('a', 3);
    expect(consumed).toEqual([]);
    await channel.next();
    expect(consumed).toEqual([3]);
  });

  it('delivers the remaining items before an error, and the error once', async () => {
    channel.push('a', 1);
    channel.fail(new Error('cut'));
    expect((await channel.next()).value).toBe('a');
    await expect(channel.next()).rejects.toThrow('cut');
    expect((await channel.next()).done).toBe(true);
  });

  it('rejects a reader that waits when the writer fails', async () => {
    const next = channel.next();
    channel.fail(new Error('cut'));
    await expect(next).rejects.toThrow('cut');
  });

  it('reports once that the reader left, and drops the remaining items', async () => {
    channel.push('a', 1);
    await channel.return();
    await channel.return();
    expect(returns).toBe(1);
    expect((await channel.next()).done).toBe(true);
  });
});
