import { describe, expect, it } from '@jest/globals';
import { parseToolArguments } from './tool-arguments.js';
import { offeredFunction, toolDefinition } from './tool-definitions.js';
import { type ServerToolName, serverToolNames } from './tool-names.js';

const id = 'a0000000-0000-4000-8000-000000000001';

describe('arguments that a tool takes', () => {
  it.each<[ServerToolName, unknown, unknown]>([
    ['kv_write', { key: 'a/b', value: '1', more: true }, { key: 'a/b', value: '1' }],
    ['kv_read', { key: 'a' }, { key: 'a' }],
    ['kv_list', {}, {}],
    ['kv_delete', { key: 'a' }, { key: 'a' }],
    ['tasks_write', { tasks: [{ content: '', status: 'pending' }] }, { tasks: [{ content: '', status: 'pending' }] }],
    ['tasks_write', { tasks: [] }, { tasks: [] }],
    ['memory_write', { content: '' }, { content: '' }],
    ['message_send', { to: 'agent:a@p', subject: 's', body: {} }, { to: 'agent:a@p', subject: 's', body: {} }],
    ['message_inbox', {}, { limit: 20 }],
    ['message_reply', { message_id: id, body: { a: 1 } }, { message_id: id, body: { a: 1 } }],
    ['image_generation', { prompt: 'a cat' }, { prompt: 'a cat' }],
    ['web_search', { query: 'q' }, { query: 'q', num_results: 5 }],
    ['web_fetch', { url: 'https://example.com' }, { url: 'https://example.com' }],
  ])('accepts as arguments of %s: %j', (name, written, expected) => {
    expect(parseToolArguments(name, JSON.stringify(written))).toEqual({ ok: true, arguments: expected });
  });

  it('reads empty text as no arguments', () => {
    expect(parseToolArguments('kv_list', ' ')).toEqual({ ok: true, arguments: {} });
  });
});

describe('arguments that a tool refuses', () => {
  it.each<[ServerToolName, string, string]>([
    ['kv_write', '{', 'not valid JSON'],
    ['kv_write', '[]', 'arguments:'],
    ['kv_write', '{"key":"a"}', 'value:'],
    ['kv_write', '{"value":"a"}', 'key:'],
    ['kv_write', '{"key":1,"value":"a"}', 'key:'],
    ['kv_write', '{"key":"a","value":{}}', 'value:'],
    ['kv_write', '{"key":"a","value":"\\u0000"}', 'cannot be stored'],
    ['kv_write', '{"key":"a","value":"\\ud800"}', 'cannot be stored'],
    ['kv_read', '{}', 'key:'],
    ['kv_delete', '{}', 'key:'],
    ['tasks_write', '{}', 'tasks:'],
    ['tasks_write', '{"tasks":[{"content":"a"}]}', 'tasks.0.status:'],
    ['tasks_write', '{"tasks":[{"content":"a","status":"done"}]}', 'tasks.0.status:'],
    ['tasks_write', '{"tasks":[{"status":"pending"}]}', 'tasks.0.content:'],
    ['memory_write', '{}', 'content:'],
    ['message_send', '{"to":"a","subject":"s"}', 'body:'],
    ['message_send', '{"to":"a","subject":"s","body":"text"}', 'body:'],
    ['message_send', '{"subject":"s","body":{}}', 'to:'],
    ['message_inbox', '{"limit":51}', 'limit:'],
    ['message_reply', '{"message_id":"x","body":{}}', 'message_id:'],
    ['image_generation', '{}', 'prompt:'],
    ['image_generation', '{"prompt":"a","response_format":"png"}', 'response_format:'],
    ['web_search', '{}', 'query:'],
    ['web_search', '{"query":"q","num_results":0}', 'num_results:'],
    ['web_search', '{"query":"q","num_results":21}', 'num_results:'],
    ['web_search', '{"query":"q","site":"a b"}', 'site:'],
    ['web_fetch', '{}', 'url:'],
    ['web_fetch', '{"url":"https://example.com","max_length":0}', 'max_length:'],
  ])('rejects as arguments of %s: %s', (name, written, message) => {
    expect(parseToolArguments(name, written)).toEqual({
      ok: false,
      error: { error: { code: 'INVALID_INPUT', message: expect.stringContaining(message) } },
    });
  });

  it('names every fault at once', () => {
    const parsed = parseToolArguments('kv_write', '{}');
    expect(parsed.ok || parsed.error.error.message).toMatch(/key: .*; value: /);
  });
});

describe('definitions', () => {
  it.each(serverToolNames.map((name) => [name]))('describes %s with an object schema of its arguments', (name) => {
    const { description, parameters } = toolDefinition(name);
    expect(description.length).toBeGreaterThan(10);
    expect(parameters).toMatchObject({ type: 'object', properties: expect.any(Object) });
    expect(parameters).not.toHaveProperty('$schema');
  });

  it('fills in the parts that a declaration omits and keeps the others', () => {
    const { description, parameters } = toolDefinition('kv_read');
    expect(offeredFunction({ name: 'kv.read' })).toEqual({ name: 'kv.read', description, parameters });
    const own = { name: 'kv_read', description: 'own', parameters: { type: 'object' } };
    expect(offeredFunction(own)).toEqual(own);
    expect(offeredFunction({ name: 'weather' })).toEqual({ name: 'weather' });
  });

  it('does not require arguments that have a default', () => {
    expect(toolDefinition('web_search').parameters).toMatchObject({
      required: ['query'],
      properties: { num_results: { type: 'integer', default: 5 } },
    });
    expect(toolDefinition('kv_write').parameters).toMatchObject({ required: ['key', 'value'] });
  });
});
