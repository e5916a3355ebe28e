import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import fc from 'fast-check';
import { compileSpec } from '../../domain/compile/compile.js';
import type { Plan, PureNode } from '../../domain/plan/plan.js';
import { bindRequest } from '../../domain/step/bind-request.js';
import { evaluateNode, evaluateOutputs } from '../../domain/values/evaluate.js';
import type { Json } from '../../domain/values/json.js';
import { checkLog } from '../../testing/check-log.js';
import { createPeers, type Peers, type TestEngine } from '../../testing/engine-fixture.js';
import { awaitEnd, createRun, parseJson, say, TEXT } from '../../testing/run-client.js';

let database: TestDatabase;
let peers: Peers;
let engines: TestEngine[];

beforeAll(async () => {
  database = await testDatabase(import.meta.url, {
    migrations: new URL('../../../prisma/migrations', import.meta.url),
  });
  peers = createPeers(database);
  engines = [await peers.engine({ work: { slots: 3 } }), await peers.engine({ work: { slots: 3 } })];
});
afterAll(async () => {
  await peers.stopAll();
  await database.drop();
});

interface Shape {
  kind: 'say' | 'echo' | 'join' | 'object' | 'merge';
  /** Which earlier nodes it depends on, as fractions of their number. */
  from: number[];
}

const shape = fc.record<Shape>({
  kind: fc.constantFrom('say', 'echo', 'join', 'object', 'merge'),
  from: fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 1, maxLength: 3 }),
});

/** Turns shapes into a spec in which every node reads only from earlier ones, so that there is no cycle. */
function toSpec(shapes: readonly Shape[], parallelism: number) {
  const edges: object[] = [];
  const models: string[] = [];
  const nodes = shapes.map(({ kind, from }, index) => {
    const id = `n${index}`;
    const upstream = [...new Set(from.map((fraction) => `n${Math.floor(fraction * index)}`))];
    const model = models[Math.floor(from[0]! * models.length)];
    if (index === 0 || kind === 'say' || (kind === 'echo' && !model)) {
      models.push(id);
      return say(id, `${id} speaks`);
    }
    if (kind === 'echo') {
      models.push(id);
      return say(id, `${id} heard {{x}}`, { bindings: [{ from: model, pointer: TEXT, to_placeholder: 'x' }] });
    }
    if (kind === 'join') {
      edges.push(...upstream.map((up) => ({ from: up, to: id })));
      return { id, type: 'join.all' };
    }
    if (kind === 'merge') return { id, type: 'transform.json', input: { merge: upstream.map((up) => ({ from: up })) } };
    return {
      id,
      type: 'transform.json',
      input: { object: Object.fromEntries(upstream.map((up) => [up, { from: up }])) },
    };
  });
  const outputs = shapes.map((_, index) => ({ name: `o${index}`, from: `n${index}` }));
  return { kind: 'workflow.v0', nodes, edges, outputs, execution: { max_parallelism: parallelism } };
}

/** The reference interpreter: the output of every node, in the order of the spec, without a database. */
function oracle(plan: Plan): Json {
  const outputs = new Map<string, Json>();
  for (const node of plan.nodes) {
    if (node.type === 'llm.responses') {
      const request = bindRequest(node, outputs);
      const part = request.ok ? request.value.input[0]?.content?.[0] : undefined;
      const text = part?.type === 'text' ? part.text : '';
      outputs.set(node.id, { output: [{ content: [{ text }] }] });
    } else {
      const value = evaluateNode(node as PureNode, outputs, node.after);
      if (!value.ok) throw new Error(value.failure.message);
      outputs.set(node.id, value.value);
    }
  }
  const result = evaluateOutputs(plan.outputs, outputs);
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

/** Compares only the text of model answers: their ids and usage are not predictable. */
function essence(value: Json): Json {
  if (Array.isArray(value)) return value.map(essence);
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value.output))
    return Object.fromEntries(Object.entries(value).map(([key, it]) => [key, essence(it)]));
  const text = (value.output as { content: { text: string }[] }[])[0]?.content[0]?.text ?? '';
  return { output: [{ content: [{ text }] }] };
}

it('runs any workflow.v0 graph on two engines like the reference interpreter', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(shape, { minLength: 1, maxLength: 14 }),
      fc.integer({ min: 1, max: 6 }),
      async (shapes, parallelism) => {
        const spec = toSpec(shapes, parallelism);
        const compiled = compileSpec(spec);
        if (!compiled.ok) throw new Error(JSON.stringify(compiled.issues));
        const { client } = engines[shapes.length % 2]!;
        const runId = await createRun(client, spec);
        const run = await awaitEnd(client, runId);
        expect(run.status).toBe('succeeded');
        const models = compiled.plan.nodes.filter((node) => node.type === 'llm.responses').length;
        expect(run.costSummary?.lineItems).toHaveLength(models);
        expect(essence(parseJson(run.outputsJson) as Json)).toEqual(essence(oracle(compiled.plan)));
        await checkLog(client, runId);
      },
    ),
    { numRuns: 25 },
  );
  expect(peers.billing.open.size).toBe(0);
});
