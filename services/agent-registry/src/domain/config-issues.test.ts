import { describe, expect, it } from '@jest/globals';
import { agentLimits, type Fragment, type ToolRef } from '@tollgate/api/runs';
import { newAgent } from './agent-values.js';
import { agentIssues } from './config-issues.js';

const lookup: Fragment = {
  inputs: [{ name: 'query' }],
  nodes: [{ id: 'n', type: 'transform.json' }],
  outputs: [{ name: 'out', from: 'n' }],
};
const functionTool = (name: string): ToolRef => ({ definition: { type: 'function', function: { name } } });
const fragmentTool = (ref: string, inputs?: Record<string, string>): ToolRef => ({
  fragment: { ref, ...(inputs && { inputs }) },
});

function findIssues(values: Parameters<typeof newAgent>[0]) {
  const { profile, config } = newAgent({ name: 'Helper', ...values });
  return agentIssues(profile, config);
}

describe('agentIssues', () => {
  it.each([
    ['an agent without tools', {}],
    [
      'every form of tool',
      {
        tools: [
          functionTool('kv_write'),
          { definition: { type: 'web' as const } },
          { hook_id: '7f3c1a52-9d6e-4b0a-8f21-3c4d5e6f7a8b', ...functionTool('act') },
          fragmentTool('lookup', { query: '/q' }),
          { mcp_server: 'notes' },
          { mcp_server: 'issues' },
        ],
        fragments: { lookup },
      },
    ],
    ['a fragment tool without a mapping', { tools: [fragmentTool('lookup')], fragments: { lookup } }],
    [
      'a fragment that declares no inputs',
      {
        tools: [fragmentTool('free', { any: '' })],
        fragments: { free: { nodes: lookup.nodes, outputs: lookup.outputs } },
      },
    ],
    ['a fragment that no tool uses', { fragments: { lookup } }],
    ['bounds at their ends', { maxSteps: 1, maxDurationSec: agentLimits.durationSec, toolRetryCount: 0 }],
  ])('reports no issue for %s', (_, values) => {
    expect(findIssues(values)).toEqual([]);
  });

  it.each([
    ['no name', { name: undefined }, 'name'],
    ['too few steps', { maxSteps: 0 }, 'max_steps'],
    ['too long a run', { maxDurationSec: agentLimits.durationSec + 1 }, 'max_duration_sec'],
    ['no time for a step', { stepTimeoutSec: 0 }, 'step_timeout_sec'],
    ['too many retries', { toolRetryCount: agentLimits.toolRetries + 1 }, 'tool_retry_count'],
    ['an MCP server named twice', { tools: [{ mcp_server: 'a' }, { mcp_server: 'a' }] }, 'tools[1]'],
    ['too many MCP servers', { tools: Array.from({ length: 17 }, (_, n) => ({ mcp_server: `s${n}` })) }, 'tools'],
    ['a fragment tool without its fragment', { tools: [fragmentTool('lookup')] }, 'tools[0].fragment.ref'],
    ['a fragment named like a method of objects', { tools: [fragmentTool('toString')] }, 'tools[0].fragment.ref'],
    [
      'an input that the fragment does not have',
      {
        tools: [fragmentTool('lookup', { text: '/q' })],
        fragments: { lookup },
      },
      'tools[0].fragment.inputs.text',
    ],
    ['two tools of one name', { tools: [functionTool('a'), functionTool('a')] }, 'tools[1]'],
    ['two spellings of one name', { tools: [functionTool('kv.write'), functionTool('kv_write')] }, 'tools[1]'],
    [
      'a fragment and a function of one name',
      {
        tools: [functionTool('lookup'), fragmentTool('lookup')],
        fragments: { lookup },
      },
      'tools[1]',
    ],
    [
      'two web tools',
      { tools: [{ definition: { type: 'web' as const } }, { definition: { type: 'web' as const } }] },
      'tools[1]',
    ],
    [
      'tools and fragments of more than their bytes',
      {
        fragments: { lookup: { ...lookup, note: 'x'.repeat(agentLimits.toolingBytes) } },
      },
      'tools',
    ],
  ])('names the field for %s', (_, values, field) => {
    expect(findIssues(values).map((issue) => issue.field)).toEqual([field]);
  });

  it('reports all issues together', () => {
    const fields = findIssues({ maxSteps: 0, stepTimeoutSec: 0, tools: [fragmentTool('x')] }).map(
      (issue) => issue.field,
    );
    expect(fields).toEqual(['max_steps', 'step_timeout_sec', 'tools[0].fragment.ref']);
  });
});
