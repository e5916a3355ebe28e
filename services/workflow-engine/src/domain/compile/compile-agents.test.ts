import { describe, expect, it } from '@jest/globals';
import { workflowSpecSchema } from '@tollgate/api/runs';
import type { AgentNode, Plan, SchedulerNode } from '../plan/plan.js';
import { compileSpec } from './compile.js';
import type { AgentConfig } from './nodes/agent-config.js';
import { findAgentReferences } from './nodes/agent-references.js';

const message = (text: string) => ({ type: 'message', role: 'user', content: [{ type: 'text', text }] });
const input = [message('hi')];

function agent(slug: string, revision: number, more: Partial<AgentConfig> = {}): AgentConfig {
  return {
    id: `id-of-${slug}`,
    slug,
    revision,
    system: `${slug} ${revision}`,
    model: 'm',
    tools: [],
    fragments: {},
    maxSteps: 10,
    maxDurationSec: 300,
    stepTimeoutSec: 60,
    toolFailurePolicy: 'stop',
    toolRetryCount: undefined,
    ...more,
  };
}

const fragments = {
  deep: {
    inputs: [{ name: 'q', type: 'string', required: true }],
    nodes: [{ id: 'n', type: 'transform.json', input: { from_input: 'q' } }],
    outputs: [{ name: 'o', from: 'n' }],
  },
};
const loop = {
  again: {
    nodes: [{ id: 'n', type: 'agent.run', agent: 'loop', input }],
    outputs: [{ name: 'o', from: 'n' }],
  },
};
const broken = {
  bad: {
    nodes: [
      { id: 'n', type: 'transform.json', input: { from: 'nowhere' } },
      { id: 'm', type: 'agent.run', agent: 'missing', input },
    ],
    outputs: [{ name: 'o', from: 'n' }],
  },
};

const directory = new Map([
  ['helper', agent('helper', 2)],
  ['helper@1', agent('helper', 1)],
  ['helper@2', agent('helper', 2)],
  ['deep', agent('deep', 1, { tools: [{ fragment: { ref: 'deep' } }], fragments })],
  ['loop', agent('loop', 1, { tools: [{ fragment: { ref: 'again' } }], fragments: loop })],
  ['broken', agent('broken', 1, { tools: [{ fragment: { ref: 'bad' } }], fragments: broken })],
  ['torn', agent('torn', 1, { tools: [{ fragment: { ref: 'gone' } }] })],
]);

const spec = (node: object, kind = 'workflow.v1', more: object = {}) => ({
  kind,
  nodes: [{ id: 'a', ...node }],
  ...more,
});
const run = (more: object = {}, kind?: string) => spec({ type: 'agent.run', agent: 'helper', input, ...more }, kind);
const scheduler = (more: object = {}) =>
  spec({
    type: 'agent.scheduler',
    agents: [{ agent: 'helper', input }],
    coordinator: { agent: 'helper@1', input },
    ...more,
  });

function compilePlan(value: unknown): Plan {
  const result = compileSpec(value, directory);
  if (!result.ok) throw new Error(JSON.stringify(result.issues));
  // A spec compiles exactly when the published schema accepts it.
  expect(workflowSpecSchema.safeParse(value).error).toBeUndefined();
  return result.plan;
}

function compileNode(value: unknown): AgentNode {
  return compilePlan(value).nodes[0] as AgentNode;
}

function computeHash(value: unknown): string {
  const result = compileSpec(value, directory);
  return result.ok ? result.hash : '';
}

describe('an agent.run node', () => {
  it.each(['workflow.v0', 'workflow.v1'])('pins the agent to a revision and copies its settings (%s)', (kind) => {
    expect(compileNode(run({}, kind))).toEqual({
      id: 'a',
      type: 'agent.run',
      after: [],
      agent: { id: 'id-of-helper', slug: 'helper', revision: 2 },
      system: 'helper 2',
      request: { model: 'm', input, tools: [{ type: 'function', function: { name: 'memory_write' } }] },
      bindings: [],
      routes: {},
      stream: true,
      tool_execution: { mode: 'server' },
      tool_limits: { max_llm_calls: 10, max_tool_calls_per_step: 16, wait_ttl_ms: 86_400_000 },
      max_duration_ms: 300_000,
      step_timeout_ms: 60_000,
      tool_failure: { policy: 'stop', retries: 0 },
    });
  });

  it('has a plan hash that depends on the named or current revision', () => {
    expect(computeHash(run())).toBe(computeHash(run({ agent: 'helper@2' })));
    expect(computeHash(run())).not.toBe(computeHash(run({ agent: 'helper@1' })));
  });

  it.each<[string, object]>([
    ['on the node', { agent: 'helper@1', input, max_steps: 3 }],
    ['under its input', { agent: undefined, input: { agent: 'helper@1', input, max_steps: 3 } }],
    ['here and there', { agent: 'helper@1', input: { input, max_steps: 3 } }],
  ])('reads its fields %s', (_place, fields) => {
    expect(computeHash(run(fields))).toBe(computeHash(run({ agent: 'helper@1', max_steps: 3 })));
    expect(computeHash(run(fields))).not.toBe('');
  });

  it.each<[string, object, Partial<AgentNode>]>([
    ['model', { model: 'x' }, { request: expect.objectContaining({ model: 'x' }) as never }],
    ['max_steps', { max_steps: 3 }, { tool_limits: expect.objectContaining({ max_llm_calls: 3 }) as never }],
    ['max_duration_sec', { max_duration_sec: 3 }, { max_duration_ms: 3_000 }],
    ['step_timeout_sec', { step_timeout_sec: 3 }, { step_timeout_ms: 3_000 }],
    ['tool_failure_policy', { tool_failure_policy: 'retry' }, { tool_failure: { policy: 'retry', retries: 1 } }],
    [
      'tool_retry_count',
      { tool_failure_policy: 'retry', tool_retry_count: 4 },
      { tool_failure: { policy: 'retry', retries: 4 } },
    ],
    ['tool_retry_count alone', { tool_retry_count: 4 }, { tool_failure: { policy: 'stop', retries: 0 } }],
    ['client tools', { tool_execution: { mode: 'client' } }, { tool_execution: { mode: 'client' } }],
  ])('overrides %s of its agent', (_name, fields, node) => {
    expect(compileNode(run(fields))).toMatchObject(node);
  });

  it('reads other nodes through bindings, which may fill its whole input', () => {
    const plan = compilePlan({
      kind: 'workflow.v1',
      inputs: [{ name: 'in', type: 'array' }],
      nodes: [
        { id: 'a', type: 'agent.run', agent: 'helper', bindings: [{ from_input: 'in', to: '/input' }] },
        {
          id: 'b',
          type: 'agent.run',
          agent: 'helper',
          input: { input: [message('{{x}}')], bindings: [{ from: 'a', to_placeholder: 'x' }] },
        },
      ],
    });
    expect(plan.nodes.map(({ after }) => after)).toEqual([[], ['a']]);
  });

  it('keeps the tools of its agent in order, with routes for those of hooks and fragments', () => {
    const tools = [
      { definition: { type: 'function' as const, function: { name: 'a.b' } }, hook_id: 'h' },
      { definition: { type: 'function' as const, function: { name: 'memory.write' } } },
      { fragment: { ref: 'deep', inputs: { q: '/x' } } },
    ];
    const agents = new Map([['helper', agent('helper', 1, { tools, fragments })]]);
    const compiled = compileSpec(run(), agents);
    if (!compiled.ok) throw new Error('faulty');
    const node = compiled.plan.nodes[0] as AgentNode;
    expect((node.request.tools as { function: { name: string } }[]).map((tool) => tool.function.name)).toEqual([
      'a.b',
      'memory.write',
      'deep',
    ]);
    expect(node.routes).toEqual({
      a_b: { to: 'hook', hook_id: 'h' },
      deep: { to: 'fragment', key: 'helper@1/deep', inputs: { q: '/x' } },
    });
    expect(Object.keys(compiled.plan.fragments ?? {})).toEqual(['helper@1/deep']);
  });

  it('rejects a hook for a tool that the provider executes', () => {
    const tools = [{ definition: { type: 'web' as const }, hook_id: 'h' }];
    const agents = new Map([['helper', agent('helper', 1, { tools })]]);
    expect(compileSpec(run(), agents)).toMatchObject({
      ok: false,
      issues: [{ code: 'UNSUPPORTED_FIELD', message: 'the provider runs web; a tool hook cannot' }],
    });
  });

  it('compiles a fragment that runs the same agent once', () => {
    expect(Object.keys(compilePlan(run({ agent: 'loop' })).fragments ?? {})).toEqual(['loop@1/again']);
  });

  it('compiles as the sub-node of a fan-out, with retries', () => {
    const plan = compilePlan({
      kind: 'workflow.v1',
      inputs: [{ name: 'items', type: 'array' }],
      nodes: [
        {
          id: 'f',
          type: 'map.fanout',
          input: {
            items: { from_input: 'items' },
            item_bindings: [{ path: '$', to_placeholder: 'x' }],
            subnode: { type: 'agent.run', agent: 'helper', input: [message('{{x}}')], retry: { max_attempts: 2 } },
          },
        },
      ],
    });
    expect(plan.nodes[0]).toMatchObject({ subnode: { type: 'agent.run', retry: { max_attempts: 2 } } });
  });
});

describe('an agent.scheduler node', () => {
  it('has pinned agents, a coordinator that can end it, and a policy with defaults', () => {
    const node = compilePlan(scheduler({ policy: { max_rounds: 2 } })).nodes[0] as SchedulerNode;
    expect(node.policy).toEqual({ max_rounds: 2, max_concurrency: 4, max_steps: 100, timeout_ms: 600_000 });
    expect(node.agents).toMatchObject([{ count: 1, agent: { agent: { slug: 'helper', revision: 2 }, routes: {} } }]);
    expect(node.coordinator).toMatchObject({
      agent: { slug: 'helper', revision: 1 },
      routes: { scheduler_done: { to: 'end' } },
    });
  });

  it('reads its fields from the node or its input', () => {
    const fields = { agents: [{ agent: 'helper', input }], coordinator: { agent: 'helper@1', input } };
    const under = { type: 'agent.scheduler', input: fields };
    expect(computeHash(spec(under))).toBe(computeHash(scheduler()));
    expect(computeHash(spec(under))).not.toBe('');
  });
});

describe('an invalid spec', () => {
  it.each<[string, unknown, string[]]>([
    ['an unknown agent', run({ agent: 'nobody' }), ['UNKNOWN_AGENT /nodes/0/agent']],
    ['an unknown revision', run({ agent: 'helper@9' }), ['UNKNOWN_AGENT /nodes/0/agent']],
    [
      'an unknown agent under input',
      run({ agent: undefined, input: { agent: 'x', input } }),
      ['UNKNOWN_AGENT /nodes/0/input/agent'],
    ],
    ['no agent', run({ agent: undefined }), ['REQUIRED /nodes/0/agent']],
    ['a malformed reference', run({ agent: 'a@b' }), ['INVALID_VALUE /nodes/0/agent']],
    ['no input', run({ input: undefined }), ['REQUIRED /nodes/0/input']],
    ['no message', run({ input: [] }), ['INVALID_VALUE /nodes/0/input']],
    [
      'a bad message',
      run({ input: [{ type: 'message', role: 'nobody', content: [{ type: 'text', text: '' }] }] }),
      ['INVALID_VALUE /nodes/0/input/0/role'],
    ],
    ['too many steps', run({ max_steps: 1_001 }), ['LIMIT_EXCEEDED /nodes/0/max_steps']],
    ['no steps', run({ max_steps: 0 }), ['INVALID_VALUE /nodes/0/max_steps']],
    ['an unknown policy', run({ tool_failure_policy: 'ignore' }), ['INVALID_VALUE /nodes/0/tool_failure_policy']],
    [
      'a binding without a place',
      run({ bindings: [{ from: 'b', to_placeholder: 'x' }] }),
      ['BINDING_TARGET /nodes/0/bindings/0/to_placeholder', 'UNKNOWN_NODE /nodes/0/bindings/0/from'],
    ],
    ['a missing fragment', run({ agent: 'torn' }), ['UNKNOWN_FRAGMENT /nodes/0/agent']],
    ['a faulty fragment', run({ agent: 'broken' }), ['UNKNOWN_AGENT /nodes/0/agent', 'UNKNOWN_NODE /nodes/0/agent']],
    ['retry in workflow.v0', run({ retry: { max_attempts: 2 } }, 'workflow.v0'), ['UNSUPPORTED_FIELD /nodes/0/retry']],
    ['a scheduler without agents', scheduler({ agents: [] }), ['INVALID_VALUE /nodes/0/agents']],
    ['a scheduler without a coordinator', scheduler({ coordinator: undefined }), ['REQUIRED /nodes/0/coordinator']],
    [
      'a scheduler of unknown agents',
      scheduler({
        agents: [
          { agent: 'x', input },
          { agent: 'helper', input },
        ],
        coordinator: { agent: 'y', input },
      }),
      ['UNKNOWN_AGENT /nodes/0/agents/0/agent', 'UNKNOWN_AGENT /nodes/0/coordinator/agent'],
    ],
    [
      'a scheduler of too many agents',
      scheduler({
        agents: [
          { agent: 'helper', input, count: 60 },
          { agent: 'helper', input, count: 60 },
        ],
      }),
      ['INVALID_VALUE /nodes/0/agents'],
    ],
    ['a scheduler that tries again', scheduler({ retry: { max_attempts: 2 } }), ['UNSUPPORTED_FIELD /nodes/0/retry']],
    ...(['max_rounds', 'max_concurrency', 'max_steps', 'timeout_ms'] as const).map(
      (name): [string, unknown, string[]] => [
        `no ${name}`,
        scheduler({ policy: { [name]: 0 } }),
        [`INVALID_VALUE /nodes/0/policy/${name}`],
      ],
    ),
  ])('rejects a spec with %s', (_name, value, issues) => {
    const result = compileSpec(value, directory);
    expect(result.ok ? [] : result.issues.map(({ code, path }) => `${code} ${path}`)).toEqual(issues);
  });

  it('reports the path of an issue in a fragment', () => {
    const result = compileSpec(run({ agent: 'broken' }), directory);
    expect(result.ok ? [] : result.issues.map(({ message: text }) => text)).toEqual([
      'in fragment broken@1/bad/nodes/1/agent: no agent missing',
      'in fragment broken@1/bad/nodes/0/input/from: no node nowhere',
    ]);
  });
});

describe('large agents', () => {
  it('limits the number of references to large agents in a plan', () => {
    const large = new Map([['big', agent('big', 1, { system: 'x'.repeat(1024 * 1024) })]]);
    const nodes = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ id: `n${n}`, type: 'agent.run', agent: 'big', input }));
    const findIssues = (count: number) => {
      const result = compileSpec({ kind: 'workflow.v0', nodes: nodes(count) }, large);
      return result.ok ? [] : result.issues.map(({ code, path }) => `${code} ${path}`);
    };
    expect(findIssues(15)).toEqual([]);
    expect(findIssues(16)).toEqual(['LIMIT_EXCEEDED /nodes/15/agent']);
  });
});

describe('findAgentReferences', () => {
  it('finds agents in every kind of node', () => {
    const nodes = [
      { id: 'a', type: 'agent.run', agent: 'one' },
      { id: 'b', type: 'agent.run', input: { agent: 'two@3' } },
      { id: 'c', type: 'map.fanout', input: { subnode: { type: 'agent.run', agent: 'three' } } },
      { id: 'd', type: 'agent.scheduler', agents: [{ agent: 'four' }, 7], coordinator: { agent: 'one' } },
      { id: 'e', type: 'agent.run', agent: { not: 'a text' } },
      'nonsense',
      { id: 'f', type: 'llm.responses', agent: 'none' },
    ];
    expect(findAgentReferences({ nodes })).toEqual(['one', 'two@3', 'three', 'four']);
    expect(findAgentReferences(null)).toEqual([]);
  });
});
