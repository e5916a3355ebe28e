import { describe, expect, it } from '@jest/globals';
import { toStopReason } from '../providers/google/generate-answer.js';
import { toMessageOutcome } from './anthropic-messages/messages-answer.js';
import { lastCandidate } from './google-generate/generate-answer.js';
import { finishReason } from './openai-chat/chat-answer.js';
import { completionReason } from './openai-completions/completions-dialect.js';
import { toResponseOutcome } from './openai-responses/responses-answer.js';

const answer = { responseId: 'r1', text: '', toolCalls: [], usage: undefined };

describe('an answer that its vendor ended in an error', () => {
  // Source: `FinishReason` of `@google/genai`.
  it.each([
    'MALFORMED_FUNCTION_CALL',
    'MALFORMED_RESPONSE',
    'UNEXPECTED_TOOL_CALL',
    'TOO_MANY_TOOL_CALLS',
    'MISSING_THOUGHT_SIGNATURE',
    'NO_IMAGE',
    'IMAGE_OTHER',
    'OTHER',
  ])('has no natural end in any dialect: %s', (reason) => {
    const stopReason = toStopReason(reason, false);
    expect(finishReason(stopReason)).toBe('content_filter');
    expect(completionReason(stopReason)).toBe('content_filter');
    expect(toMessageOutcome({ stopReason }).stop_reason).toBe('refusal');
    expect(toResponseOutcome(stopReason).status).toBe('incomplete');
    expect(lastCandidate({ ...answer, stopReason }, [])).toMatchObject({ candidates: [{ finishReason: 'OTHER' }] });
  });
});
