import { describe, expect, it } from '@jest/globals';
import { readNotification, writeNotifications } from './notification.js';

const runs = (count: number) => new Set(Array.from({ length: count }, (_, index) => `${index}`.padStart(36, '0')));

describe('writeNotifications', () => {
  it('writes each change once, in payloads that NOTIFY can carry', () => {
    const payloads = writeNotifications('me', { runs: runs(400), cut: true, work: true });
    expect(payloads).toHaveLength(3);
    expect(Math.max(...payloads.map((payload) => payload.length))).toBeLessThan(8_000);
    const notifications = payloads.map((payload) => readNotification(payload)!);
    expect(new Set(notifications.flatMap((notification) => notification.runs))).toEqual(runs(400));
    expect(notifications.map(({ cut, work }) => [cut, work])).toEqual([
      [true, true],
      [false, false],
      [false, false],
    ]);
  });

  it('writes a payload for work alone', () => {
    const [payload] = writeNotifications('me', { runs: runs(0), cut: false, work: true });
    expect(readNotification(payload!)).toEqual({ origin: 'me', runs: [], cut: false, work: true });
  });
});

describe('readNotification', () => {
  it.each(['', 'text', '{}', '{"origin":1,"runs":[]}', 'null'])('ignores the payload %j', (payload) => {
    expect(readNotification(payload)).toBeUndefined();
  });
});
