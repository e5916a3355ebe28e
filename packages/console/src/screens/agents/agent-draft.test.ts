import { describe, expect, it } from '@jest/globals';
import type { Agent } from '../../api/types.js';
import { findJsonFaults, newAgent, toAgentBody, toDraft, toRestoreBody } from './agent-draft.js';

const at = '2026-11-24T00:00:00.000Z';
const version = {
  ...{ revision: 2, system: 'Answer briefly.', tools: [], max_steps: 10, max_duration_sec: 300, step_timeout_sec: 60 },
  ...{ tool_failure_policy: 'stop', created_at: at },
} as const;
const ids = { id: '7d7a1a2e-0000-4000-8000-000000000001', project_id: '7d7a1a2e-0000-4000-8000-000000000002' };
const agent: Agent = {
  agent: { ...ids, slug: 'helper', name: 'Helper', current_revision: 2, created_at: at, updated_at: at },
  version: { ...version, tools: [] },
};

describe('toAgentBody', () => {
  it('sends back what the service has, and the defaults for what is empty', () => {
    expect(toAgentBody(toDraft(agent))).toEqual({
      ...{ name: 'Helper', slug: 'helper', description: null, model: null, system: 'Answer briefly.' },
      ...{ tools: null, fragments: null, input_schema: null, tool_failure_policy: 'stop', tool_retry_count: null },
      ...{ max_steps: 10, max_duration_sec: 300, step_timeout_sec: 60 },
    });
  });

  it('sends retries only with the policy that retries', () => {
    const draft = { ...newAgent(), toolRetryCount: '3' };
    expect(toAgentBody(draft).tool_retry_count).toBeNull();
    expect(toAgentBody({ ...draft, toolFailurePolicy: 'retry' }).tool_retry_count).toBe(3);
  });
});

describe('toRestoreBody', () => {
  it('resets what the earlier configuration does not have, and names the revision that it replaces', () => {
    expect(toRestoreBody(agent.version, 7)).toMatchObject({ model: null, fragments: null, expected_revision: 7 });
  });
});

describe('findJsonFaults', () => {
  it('names the fields that are not JSON', () => {
    const faults = findJsonFaults({ ...newAgent(), tools: '[', inputSchema: '{"type":"object"}' });
    expect(Object.keys(faults)).toEqual(['tools']);
  });
});
