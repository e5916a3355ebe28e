import { describe, expect, it } from '@jest/globals';
import { FrameQueue, type QueueOwner } from './frame-queue.js';

class Owner implements QueueOwner {
  readonly emitted: string[] = [];
  readerIsSlow(): void {
    this.emitted.push('slow');
  }
  readerCaughtUp(): void {
    this.emitted.push('caught up');
  }
  readerLeft(): void {
    this.emitted.push('left');
  }
}

function queue(): { frames: FrameQueue; owner: Owner } {
  const owner = new Owner();
  return { frames: new FrameQueue(owner), owner };
}

describe('FrameQueue', () => {
  it('joins events of one tick and returns the first at once', async () => {
    const { frames } = queue();
    frames.setHead({ model: 'm', provider: 'openai' });
    const first = frames.next();
    frames.push({ data: 'a' });
    expect(await first).toEqual({
      done: false,
      value: { data: Buffer.from('a'), event: '', model: 'm', provider: 'openai' },
    });
    const second = frames.next();
    frames.push({ data: 'b' });
    frames.push({ data: 'c', event: 'x' });
    expect((await second).value).toEqual({
      more: [
        { data: Buffer.from('b'), event: '' },
        { data: Buffer.from('c'), event: 'x' },
      ],
    });
  });

  it('pauses the source above the high mark and resumes it below the low one, once each', async () => {
    const { frames, owner } = queue();
    const event = { data: 'x'.repeat(10_000) };
    for (let i = 0; i < 7; i++) frames.push(event);
    expect(owner.emitted).toEqual(['slow']);
    const sizes: number[] = [];
    while (frames.waitingBytes > 0) {
      const { value } = await frames.next();
      sizes.push(value.more?.length ?? 1);
    }
    expect(sizes).toEqual([3, 3, 1]);
    expect(owner.emitted).toEqual(['slow', 'caught up']);
  });

  it('returns usage and charge with the last frame, then ends', async () => {
    const { frames } = queue();
    const usage = {
      inputTokens: 1n,
      outputTokens: 2n,
      cacheReadInputTokens: 0n,
      cacheWriteInputTokens: 0n,
      reasoningTokens: 0n,
      estimated: false,
    };
    const charge = { customerMicrocents: 3n, ownerMicrocents: 4n };
    frames.push({ data: 'a' });
    frames.end({ usage, charge });
    expect((await frames.next()).value).toMatchObject({ usage, charge });
    expect((await frames.next()).done).toBe(true);
    frames.push({ data: 'late' });
    expect((await frames.next()).done).toBe(true);
  });

  it('fails a waiting reader, or the next one, and drops unread events', async () => {
    const one = queue().frames;
    const waiting = one.next();
    one.fail(new Error('left'));
    await expect(waiting).rejects.toThrow('left');
    const two = queue().frames;
    two.push({ data: 'a' });
    two.fail(new Error('left'));
    await expect(two.next()).rejects.toThrow('left');
    expect((await two.next()).done).toBe(true);
  });

  it('notifies its owner when the reader leaves early, and only then', async () => {
    const early = queue();
    early.frames.push({ data: 'a' });
    await early.frames.return();
    expect(early.owner.emitted).toEqual(['left']);
    const ended = queue();
    ended.frames.end({});
    await ended.frames.return();
    expect(ended.owner.emitted).toEqual([]);
  });
});
