import { describe, expect, it } from '@jest/globals';
import { toCacheKey } from './cache-key.js';

const subject = { projectId: 'p', customerId: 'c', dialect: 1, modelId: 'm', maxOutputTokens: 9 };
const body = { input: [{ role: 'user', content: 'x' }], temperature: 0 };
const key = toCacheKey({ ...subject, body });

describe('toCacheKey', () => {
  it('keeps its value from one version to the next', () => {
    const content = [{ text: 'é "x"', type: 'text' }];
    const asked = { model: 'm', stream: true, input: [{ type: 'message', role: 'user', content }], temperature: 0.5 };
    const other = { projectId: 'p', customerId: '', dialect: 1, modelId: 'm', maxOutputTokens: 256, body: asked };
    expect(toCacheKey(other)).toBe('95b4ce8aa448761374fb069d837a2c39ba3afea8aa5579d71a2e0b97e5fb98be');
  });

  it.each([
    ['the order of fields', { temperature: 0, input: [{ content: 'x', role: 'user' }] }],
    ['how the answer is delivered', { ...body, stream: true, stream_options: { include_usage: true } }],
  ])('does not depend on %s', (_what, same) => {
    expect(toCacheKey({ ...subject, body: same })).toBe(key);
  });

  it.each([
    ['project', { ...subject, projectId: 'q', body }],
    ['customer', { ...subject, customerId: '', body }],
    ['dialect', { ...subject, dialect: 2, body }],
    ['model', { ...subject, modelId: 'n', body }],
    ['bound of output', { ...subject, maxOutputTokens: 8, body }],
    ['text', { ...subject, body: { ...body, input: [{ role: 'user', content: 'y' }] } }],
    ['order of messages', { ...subject, body: { ...body, input: [...body.input, { role: 'user', content: 'z' }] } }],
  ])('differs by %s', (_what, other) => {
    expect(toCacheKey(other)).not.toBe(key);
  });
});
