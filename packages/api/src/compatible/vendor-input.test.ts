// What only the vendor of a dialect reads of a body: it is counted, so that the hold covers it.
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

  it('has an image by URL as a file of unknown size, also in results of tools', () => {
    const files = [{ mimeType: 'image/*', bytes: 0 }];
    expect(ofMessages('user', image)).toEqual({ messages: [''], files });
    const result = { type: 'tool_result', tool_use_id: 't', content: [image] };
    expect(ofMessages('user', result)).toEqual({ messages: ['', ''], files });
  });

  it('has the bytes of thinking, which come back to the vendor, apart from its text', () => {
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

  it('has what a model thought, which some servers read again, apart from its text', () => {
    expect(ofAssistant({ reasoning_content: 'häh', reasoning: 'so' })).toEqual({ messages: ['x'], sealedBytes: 4 + 2 });
    expect(ofAssistant({ reasoning_content: null, reasoning: { a: 1 } })).toEqual({ messages: ['x'] });
  });

  it('has what it refused to say', () => {
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
