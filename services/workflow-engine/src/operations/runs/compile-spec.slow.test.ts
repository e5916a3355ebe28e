import { create } from '@bufbuild/protobuf';
import { afterAll, describe, expect, it } from '@jest/globals';
import { PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { startCall } from '@tollgate/rpc';
import { CompileThread } from '../../clients/compile-thread.js';
import { compileSpec } from '../../domain/compile/compile.js';
import type { AgentConfig } from '../../domain/compile/nodes/agent-config.js';
import { compileLargeSpec } from './compile-spec.js';

const thread = new CompileThread();
afterAll(() => thread.stop());

const principal = create(PrincipalSchema, { kind: PrincipalKind.SECRET_KEY, accountId: 'a', projectId: 'p' });
const call = () => startCall({ principal, timeoutMs: 60_000 });

const input = { input: [{ type: 'message', role: 'user', content: [{ type: 'text', text: 'hi' }] }] };
const buildNodes = (count: number): object[] =>
  Array.from({ length: count }, (_, i) => ({ id: `n${i}`, type: 'llm.responses', input }));
const buildSpec = (nodes: number, edges: object[] = []): object => ({
  kind: 'workflow.v1',
  nodes: buildNodes(nodes),
  edges,
});
const agent = (fragment: object): AgentConfig =>
  ({
    slug: 'helper',
    revision: 1,
    name: 'helper',
    system: '',
    tools: [{ name: 'look', fragment: { ref: 'look' } }] as never,
    fragments: { look: fragment as never },
    maxSteps: 3,
    maxDurationSec: 60,
    stepTimeoutSec: 60,
    toolFailurePolicy: 'continue' as never,
    toolRetryCount: undefined,
  }) as never;

describe('compiling a large spec', () => {
  it.each([
    ['a valid graph', buildSpec(40, [{ from: 'n0', to: 'n1' }])],
    ['a graph with issues', buildSpec(40, [{ from: 'n0', to: 'ghost' }, { from: 7 }])],
  ])('returns for %s what compiling it here returns', async (_name, spec) => {
    const compiled = await compileLargeSpec(thread, { value: spec }, new Map(), call());
    expect(compiled).toEqual(compileSpec(spec));
    expect(thread.isRunning).toBe(true);
  });

  it('takes the agents along, and counts the nodes of their fragments', async () => {
    const directory = new Map([['helper', agent({ inputs: [], nodes: buildNodes(40) })]]);
    const spec = { kind: 'workflow.v1', nodes: [{ id: 'a', type: 'agent.run', input: { agent: 'helper' } }] };
    let isInThread = false;
    const watched = {
      run: ((...job: Parameters<typeof thread.run>) => {
        isInThread = true;
        return thread.run(...job);
      }) as typeof thread.run,
    };
    const compiled = await compileLargeSpec(watched, { value: spec }, directory, call());
    expect(compiled).toEqual(compileSpec(spec, directory));
    expect(isInThread).toBe(true);
  });

  it('rejects it when too many of one account wait', async () => {
    const compile = () => compileLargeSpec(thread, { value: buildSpec(30) }, new Map(), call());
    const outcomes = await Promise.allSettled(Array.from({ length: 300 }, compile));
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(refused.length).toBeGreaterThan(0);
    for (const error of refused) {
      expect(error).toBeInstanceOf(AppError);
      expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterSeconds: 1 });
    }
  });

  it('ends the wait of a call that is aborted', async () => {
    const left = new AbortController();
    const running = Array.from({ length: 8 }, () =>
      compileLargeSpec(thread, { value: buildSpec(100) }, new Map(), call()),
    );
    const aborted = startCall({ principal, timeoutMs: 60_000, signal: left.signal });
    const waiting = compileLargeSpec(thread, { value: buildSpec(30) }, new Map(), aborted);
    left.abort(new AppError('INVALID_INPUT', 'the client left'));
    await expect(waiting).rejects.toThrow('the client left');
    await Promise.all(running);
  });
});
