import { describe, expect, it } from '@jest/globals';
import { apiAddress, formatAddress, parseAddress } from './address.js';

const project = '0d6f5c1e-6d3b-4e0f-9a44-5d1c2f3b4a59';
const run = 'b8f3c2d1-1c2d-4e5f-8a9b-0c1d2e3f4a5b';

describe('parseAddress', () => {
  it.each([
    [`run:${run}`, { kind: 'run', runId: run }],
    [`run:${run.toUpperCase()}`, { kind: 'run', runId: run }],
    [`agent:api@${project}`, { kind: 'agent', slug: 'api', projectId: project }],
    [`agent:Re_search-2.1@${project.toUpperCase()}`, { kind: 'agent', slug: 'Re_search-2.1', projectId: project }],
  ])('reads %s', (text, address) => {
    expect(parseAddress(text)).toEqual({ ok: true, address });
  });

  it.each([
    '',
    'run:',
    'run:42',
    `run:${run} `,
    `Run:${run}`,
    `run:${run}@${project}`,
    'agent:api',
    'agent:api@',
    'agent:api@here',
    `agent:@${project}`,
    `agent:-api@${project}`,
    `agent:a b@${project}`,
    `agent:a@b@${project}`,
    `agent:${'a'.repeat(129)}@${project}`,
    `mail:api@${project}`,
    `agent:api@${project}\n`,
  ])('refuses %j as malformed', (text) => {
    expect(parseAddress(text)).toEqual({ ok: false, reason: 'must be run:<run_id> or agent:<slug>@<project_id>' });
  });

  it.each(['topic:', `topic:news@${project}`, 'topic:anything'])('rejects %s as reserved', (text) => {
    expect(parseAddress(text)).toEqual({ ok: false, reason: 'topic addresses are reserved' });
  });

  it('parses what formatAddress writes', () => {
    for (const address of [{ kind: 'run', runId: run } as const, apiAddress(project)]) {
      expect(parseAddress(formatAddress(address))).toEqual({ ok: true, address });
    }
  });
});
