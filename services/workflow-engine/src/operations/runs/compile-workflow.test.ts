import { create } from '@bufbuild/protobuf';
import { expect, it } from '@jest/globals';
import { type Principal, PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { startCall } from '@tollgate/rpc';
import { lintWorkflow } from './compile-workflow.js';

const principal: Principal = create(PrincipalSchema, {
  kind: PrincipalKind.SECRET_KEY,
  accountId: 'a',
  projectId: 'p',
});

function buildSpec(nodes: number): string {
  const input = { input: [{ type: 'message', role: 'user', content: [{ type: 'text', text: 'hi' }] }] };
  return JSON.stringify({
    kind: 'workflow.v1',
    nodes: Array.from({ length: nodes }, (_, i) => ({ id: `n${i}`, type: 'llm.responses', input })),
    edges: [],
    outputs: [],
  });
}

/** Returns the jobs of the thread while a spec is checked. */
async function lintInThread(nodes: number): Promise<unknown[]> {
  const jobs: unknown[] = [];
  const run = async (kind: string, input: object) => {
    jobs.push({ kind, ...input });
    return { ok: false, issues: [] };
  };
  // Nodes without agents need no other service.
  const ctx = { clients: {}, compileThread: { run } } as never;
  await lintWorkflow(ctx, principal, buildSpec(nodes), startCall({ principal, timeoutMs: 30_000 }));
  return jobs;
}

it('compiles a large spec outside of the event loop, from the text that was sent', async () => {
  expect(await lintInThread(200)).toEqual([{ kind: 'spec', json: buildSpec(200), agents: new Map() }]);
});

it('compiles a small spec without the thread', async () => {
  expect(await lintInThread(2)).toEqual([]);
});
