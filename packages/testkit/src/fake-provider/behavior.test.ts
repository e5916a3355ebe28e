import { describe, expect, it } from '@jest/globals';
import { type Behavior, parseBehavior } from './behavior.js';

const rows: [string, Behavior][] = [
  ['hello', {}],
  ['Fail with 429', { status: 429 }],
  ['fail with 503, retry after 12', { status: 503, retryAfterSeconds: 12 }],
  ['fail with timeout', { hang: 'before_headers' }],
  ['hang mid-stream', { hang: 'mid_stream' }],
  ['fail with cut', { cutAfterTokens: 3 }],
  ['cut after 1 token', { cutAfterTokens: 1 }],
  ['fail with malformed', { malformed: true }],
  ['wait 200 ms then slow 50 ms', { delayFirstTokenMs: 200, delayPerTokenMs: 50 }],
  ['say 40 tokens without usage', { tokens: 40, omitUsage: true }],
  ['call tool kv.write with {"key":"a"}', { toolCalls: [{ name: 'kv.write', arguments: { key: 'a' } }] }],
  ['call tool kv_list', { toolCalls: [{ name: 'kv_list' }] }],
  ['call tool broken with {"a"}', { toolCalls: [{ name: 'broken' }] }],
];

describe('behaviorOf', () => {
  it.each(rows)('reads from %p the behavior %j', (text, behavior) => {
    expect(parseBehavior(text)).toEqual(behavior);
  });
});
