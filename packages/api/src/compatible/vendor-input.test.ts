// Parts of a body that only the dialect's own vendor reads: they are counted, so that the hold covers them.
import { describe, expect, it } from '@jest/globals';
import { inputOfChat } from '../model-requests/request-input.js';
import { messagesBody } from './anthropic-messages.js';
import { inputOfMessages } from './anthropic-messages-input.js';
import { chatCompletionsBody } from './chat.js';
import { compatibleResponsesBody } from './compatible-responses.js';
import { inputOfCompatibleResponses } from './compatible-responses-input.js';

function ofMessages(role: 'user' | 'assistant', ...content: object[]) {
  return inputOfMessages(messagesBody.parse({ max_tokens: 1, messages: [{ role, content }] }));
}

describe('input of /v1/messages', () => {
  const image = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } };

  it('includes an image by URL as a file of unknown size, in tool results as well', () => {
    const files = [{ mimeType: 'image/*', bytes: 0 }];
    expect(ofMessages('user', image)).toEqual({ messages: [''], files });
    const result = { type: 'tool_result', tool_use_id: 't', content: [image] };
    expect(ofMessages('user', result)).toEqual({ messages: ['', ''], files });
  });

  it('counts the bytes of thinking that returns to the vendor separately from the text', () => {
    const thinking = { type: 'thinking', thinking: 'häh', signature: 'c2ln' };
    const redacted = { type: 'redacted_thinking', data: 'ZGF0YQ==' };
    expect(ofMessages('assistant', thinking, redacted, { type: 'text', text: 'x' })).toEqual({
      messages: ['x'],
      sealedBytes: 4 + 4 + 8,
    });
  });
});

describe('input of /v1/chat/completions', () => {
  const ofAssistant = (more: object) =>
    inputOfChat(chatCompletionsBody.parse({ messages: [{ role: 'assistant', content: 'x', ...more }] }));

  it('counts earlier thinking, which some servers read again, separately from the text', () => {
    expect(ofAssistant({ reasoning_content: 'häh', reasoning: 'so' })).toEqual({ messages: ['x'], sealedBytes: 4 + 2 });
    expect(ofAssistant({ reasoning_content: null, reasoning: { a: 1 } })).toEqual({ messages: ['x'] });
  });

  it('includes the text of a refusal', () => {
    expect(ofAssistant({ content: null, refusal: 'no' })).toEqual({ messages: ['no'] });
  });
});

describe('input of /v1/responses', () => {
  it('counts the bytes of encrypted reasoning and ignores other reasoning', () => {
    const reasoning = { type: 'reasoning', id: 'r', summary: [{ type: 'summary_text', text: 'so' }] };
    const input = [reasoning, { ...reasoning, encrypted_content: 'gAAAA' }, { role: 'user', content: 'hi' }];
    expect(inputOfCompatibleResponses(compatibleResponsesBody.parse({ input }))).toEqual({
      messages: ['hi'],
      sealedBytes: 5,
    });
  });
});
