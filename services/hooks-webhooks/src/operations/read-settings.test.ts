import { describe, expect, it } from '@jest/globals';
import { readSettings } from './read-settings.js';

const read = (endpointUrl: string, allowPrivate = false) =>
  readSettings({ endpointUrl, events: ['request.completed'] }, { allowPrivate });

describe('endpoint_url', () => {
  it.each([
    'https://127.0.0.1/',
    'https://10.1.2.3/hook',
    'https://[::1]:8443/',
    'https://0x7f000001/',
    'https://169.254.169.254/latest/meta-data',
    'https://metadata.google.internal/',
    'https://example.com:22/',
  ])('rejects %s', (url) => {
    expect(() => read(url)).toThrow(/^endpoint_url is not allowed: /);
  });

  it('accepts private addresses for local development, but never metadata addresses', () => {
    expect(read('http://127.0.0.1:3000/hook', true).endpointUrl).toBe('http://127.0.0.1:3000/hook');
    expect(() => read('http://169.254.169.254/', true)).toThrow(/not allowed/);
  });
});
