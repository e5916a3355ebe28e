import { create } from '@bufbuild/protobuf';
import { expect, it } from '@jest/globals';
import { type Principal, PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { startCall } from '@tollgate/rpc';
import { countTurns } from '@tollgate/testkit';
import { lintWorkflow } from './compile-workflow.js';

const principal: Principal = create(PrincipalSchema, {
  kind: PrincipalKind.SECRET_KEY,
  accountId: 'a',
  projectId: 'p',
});
// Nodes without agents need no other service.
const ctx = { clients: {} } as never;

function buildSpec(nodes: number): string {
  const input = { input: [{ type: 'message', role: 'user', content: [{ type: 'text', text: 'hi' }] }] };
  return JSON.stringify({
    kind: 'workflow.v1',
    nodes: Array.from({ length: nodes }, (_, i) => ({ id: `n${i}`, type: 'llm.responses', input })),
    edges: [],
    outputs: [],
  });
}

/** Ten specs that arrive at the same time. */
function lintTen(nodes: number): Promise<unknown> {
  const call = startCall({ principal, timeoutMs: 30_000 });
  return Promise.all(Array.from({ length: 10 }, () => lintWorkflow(ctx, principal, buildSpec(nodes), call)));
}

it('compiles large specs in turns of the event loop of their own', async () => {
  expect(await countTurns(() => lintTen(200))).toBeGreaterThanOrEqual(10);
});

it('compiles small specs without waiting', async () => {
  expect(await countTurns(() => lintTen(2))).toBeLessThan(5);
});
