import { describe, expect, it } from '@jest/globals';
import { readNotice, writeNotices } from './notice.js';

const runs = (count: number) => new Set(Array.from({ length: count }, (_, index) => `${index}`.padStart(36, '0')));

describe('notices', () => {
  it('say everything once, in payloads that NOTIFY can carry', () => {
    const payloads = writeNotices('me', { runs: runs(400), cut: true, work: true });
    expect(payloads).toHaveLength(3);
    expect(Math.max(...payloads.map((payload) => payload.length))).toBeLessThan(8_000);
    const notices = payloads.map((payload) => readNotice(payload)!);
    expect(new Set(notices.flatMap((notice) => notice.runs))).toEqual(runs(400));
    expect(notices.map(({ cut, work }) => [cut, work])).toEqual([
      [true, true],
      [false, false],
      [false, false],
    ]);
  });

  it('are sent for work alone', () => {
    const [payload] = writeNotices('me', { runs: runs(0), cut: false, work: true });
    expect(readNotice(payload!)).toEqual({ origin: 'me', runs: [], cut: false, work: true });
  });

  it.each(['', 'text', '{}', '{"origin":1,"runs":[]}', 'null'])('are not read from %j', (payload) => {
    expect(readNotice(payload)).toBeUndefined();
  });
});
