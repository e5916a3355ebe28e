import { describe, expect, it } from '@jest/globals';
import { endpointUrlFault, parseEventTypes } from './endpoint-rules.js';

describe('endpoint URL', () => {
  it.each([
    ['https://example.com/hook', undefined],
    ['https://example.com:8443/hook?x=1', undefined],
    ['', 'endpoint_url required'],
    ['example.com/hook', 'endpoint_url must be a valid URL'],
    ['http://example.com/hook', 'endpoint_url must use https'],
    ['ftp://example.com/hook', 'endpoint_url must use https'],
    ['file:///etc/passwd', 'endpoint_url must use https'],
    ['https://user:word@example.com/', 'endpoint_url must not contain credentials'],
    [`https://example.com/${'x'.repeat(2048)}`, 'endpoint_url is longer than 2048 characters'],
  ])('checks %s', (url, fault) => {
    expect(endpointUrlFault(url, { allowPrivate: false })).toBe(fault);
  });

  it('accepts http only for local development', () => {
    expect(endpointUrlFault('http://127.0.0.1:9/', { allowPrivate: true })).toBeUndefined();
    expect(endpointUrlFault('ftp://127.0.0.1/', { allowPrivate: true })).toBe('endpoint_url must use https');
  });
});

describe('event types', () => {
  it('accepts types of the closed list, each once', () => {
    expect(parseEventTypes(['request.completed', 'customer.created', 'request.completed'])).toEqual({
      ok: true,
      types: ['request.completed', 'customer.created'],
    });
  });

  it.each([
    [[], 'events required'],
    [['request.started'], 'unknown event type: request.started'],
  ])('rejects %j', (events, fault) => {
    expect(parseEventTypes(events)).toEqual({ ok: false, fault });
  });
});
