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
  ])('%s is refused when it is registered', (url) => {
    expect(() => read(url)).toThrow(/^endpoint_url is not allowed: /);
  });

  it('may be private where local development allows it, metadata addresses never', () => {
    expect(read('http://127.0.0.1:3000/hook', true).endpointUrl).toBe('http://127.0.0.1:3000/hook');
    expect(() => read('http://169.254.169.254/', true)).toThrow(/not allowed/);
  });
});
