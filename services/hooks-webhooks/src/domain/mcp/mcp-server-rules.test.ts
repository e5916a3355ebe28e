import { describe, expect, it } from '@jest/globals';
import { mcpServerSettingsFault, type ProposedMcpServer } from './mcp-server-rules.js';

const valid: ProposedMcpServer = {
  name: 'issue-tracker',
  endpointUrl: 'https://mcp.example.com/mcp',
  timeoutMs: 30_000,
  toolsAllowlist: ['create_issue', 'repo/list'],
  headers: { Authorization: 'Bearer x', 'X-Team': 'a b' },
};
const judge = (given: Partial<ProposedMcpServer>) =>
  mcpServerSettingsFault({ ...valid, ...given }, { allowPrivate: false })?.message;

describe('mcpServerSettingsFault', () => {
  it('accepts valid settings', () => {
    expect([judge({}), judge({ headers: undefined }), judge({ headers: {} })]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it.each<[Partial<ProposedMcpServer>, RegExp]>([
    [{ name: '' }, /name required/],
    [{ name: 'with_underscore' }, /name must have/],
    [{ name: 'a'.repeat(21) }, /name must have/],
    [{ endpointUrl: 'http://mcp.example.com/' }, /must use https/],
    [{ endpointUrl: 'https://user:pass@mcp.example.com/' }, /must not contain credentials/],
    [{ timeoutMs: 0 }, /between 1 and 120000/],
    [{ timeoutMs: 120_001 }, /between 1 and 120000/],
    [{ toolsAllowlist: ['with space'] }, /must hold tool names/],
    [{ toolsAllowlist: Array(201).fill('a') }, /more than 200/],
    [{ headers: { Host: 'x' } }, /must not contain Host/],
    [{ headers: { 'Mcp-Session-Id': 'x' } }, /must not contain Mcp-Session-Id/],
    [{ headers: { 'a b': 'x' } }, /names of HTTP headers/],
    [{ headers: { a: 'x', A: 'y' } }, /twice/],
    [{ headers: { a: '' } }, /value of a must be/],
    [{ headers: { a: 'x'.repeat(9_000) } }, /at most 8192/],
    [{ headers: Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`h${n}`, 'x'])) }, /more than 16/],
  ])('rejects %j', (given, message) => {
    expect(judge(given)).toMatch(message);
  });

  it('rejects a value that would end the header, without showing it', () => {
    const message = judge({ headers: { 'X-Key': 'secret\r\nHost: evil' } });
    expect(message).toMatch(/value of X-Key/);
    expect(message).not.toContain('secret');
  });
});
