import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { takeCredential } from './upgrade.js';

function read(headers: IncomingHttpHeaders): string | undefined {
  takeCredential(headers);
  return headers.authorization;
}

describe('takeCredential', () => {
  it('reads the credential of a browser from its subprotocols', () => {
    const protocols = 'realtime, openai-insecure-api-key.a.b-c_d';
    expect(read({ 'sec-websocket-protocol': protocols })).toBe('Bearer a.b-c_d');
  });

  it('leaves a header in force', () => {
    const protocols = 'openai-insecure-api-key.theirs';
    expect(read({ authorization: 'Bearer mine', 'sec-websocket-protocol': protocols })).toBe('Bearer mine');
  });

  it('reads nothing from other subprotocols', () => {
    expect(read({ 'sec-websocket-protocol': 'realtime' })).toBeUndefined();
    expect(read({})).toBeUndefined();
  });
});
