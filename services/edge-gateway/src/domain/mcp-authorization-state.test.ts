import { describe, expect, it } from '@jest/globals';
import { readStateServer } from './mcp-authorization-state.js';

const [a, b] = ['0b5d3f0e-6f0c-4a53-8f67-0d2f5a1f2a3b', '1c5d3f0e-6f0c-4a53-8f67-0d2f5a1f2a3b'];

describe('readStateServer', () => {
  it('returns the project and the server', () => {
    expect(readStateServer(`random.${a}.${b}`)).toEqual({ projectId: a, serverId: b });
  });

  it.each(['', 'random', `random.${a}`, `random.${a}.x`, `random.../evil.${b}`])('returns nothing for %j', (state) => {
    expect(readStateServer(state)).toBeUndefined();
  });
});
