import { expect, it } from '@jest/globals';
import { toTokenUsage } from './converse-answer.js';

it('counts at most the written tokens as cached for an hour', () => {
  const cacheDetails = [{ ttl: '1h', inputTokens: 9 }];
  const usage = { inputTokens: 1, outputTokens: 1, cacheWriteInputTokens: 4, cacheDetails };
  expect(toTokenUsage(usage)).toMatchObject({ inputTokens: 5, cacheWriteInputTokens: 4, cacheWriteHourTokens: 4 });
});
