import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AppError } from '@tollgate/errors';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import fc from 'fast-check';
import { checkLog } from '../../testing/check-log.js';
import { createPeers, type Peers, type TestEngine } from '../../testing/engine-fixture.js';
import { awaitEnd, createRun, parseJson, say, until } from '../../testing/run-client.js';

let database: TestDatabase;
let peers: Peers;
let engines: TestEngine[];

beforeAll(async () => {
  database = await testDatabase(import.meta.url, {
    migrations: new URL('../../../prisma/migrations', import.meta.url),
  });
  peers = createPeers(database);
  peers.inference.reply = ({ prompt }) =>
    prompt.startsWith('fail') ? { error: new AppError('INVALID_INPUT', 'as requested') } : {};
  engines = [await peers.engine({ work: { slots: 3 } }), await peers.engine({ work: { slots: 3 } })];
});
afterAll(async () => {
  await peers.stopAll();
  await database.drop();
});

const KINDS = ['say', 'fail', 'switch', 'fan', 'object', 'join.all', 'join.any', 'join.collect'] as const;
const WHENS = ['always', 'route', 'failed', 'canceled'] as const;

interface Shape {
  kind: (typeof KINDS)[number];
  /** Edges from earlier nodes, as fractions of their number, and when they are taken. */
  edges: { from: number; when: (typeof WHENS)[number] }[];
  limit: number;
}

const shape = fc.record<Shape>({
  kind: fc.constantFrom(...KINDS),
  edges: fc.array(
    fc.record({
      from: fc.double({ min: 0, max: 0.999, noNaN: true }),
      when: fc.constantFrom('always', 'always', ...WHENS),
    }),
    { maxLength: 3 },
  ),
  limit: fc.integer({ min: 1, max: 3 }),
});

interface Edge {
  from: number;
  when: (typeof WHENS)[number];
}

interface Node {
  id: string;
  kind: Shape['kind'];
  edges: Edge[];
  /** What an object reads. */
  reads: number | undefined;
  limit: number;
}

/** Every node depends only on earlier ones, so there is no cycle. */
function toNodes(shapes: readonly Shape[]): Node[] {
  return shapes.map(({ kind, edges, limit }, index): Node => {
    const leading = index === 0 ? [] : edges.map(({ from, when }) => ({ from: Math.floor(from * index), when }));
    const isJoin = kind.startsWith('join.');
    if (isJoin && leading.length === 0) return { id: `n${index}`, kind: 'say', edges: [], reads: undefined, limit };
    const [first, ...rest] = leading;
    if (kind === 'object' && first) return { id: `n${index}`, kind, edges: rest, reads: first.from, limit };
    return { id: `n${index}`, kind: kind === 'object' ? 'say' : kind, edges: leading, reads: undefined, limit };
  });
}

const conditions = {
  always: undefined,
  route: { source: 'node_output', op: 'equals', path: '$.route', value: 'r1' },
  failed: { source: 'node_status', op: 'equals', path: '$.error.code', value: 'INVALID_INPUT' },
  canceled: { source: 'node_status', op: 'matches', value: '^cancel' },
};

function toSpec(nodes: readonly Node[], parallelism: number): object {
  return {
    kind: 'workflow.v1',
    inputs: [{ name: 'k', type: 'integer' }, { name: 'list' }],
    nodes: nodes.map(nodeSpec),
    edges: nodes.flatMap(({ id, edges }) =>
      edges.map(({ from, when }) => ({
        from: `n${from}`,
        to: id,
        ...(conditions[when] && { when: conditions[when] }),
      })),
    ),
    outputs: nodes.map(({ id }) => ({ name: id, from: id })),
    execution: { max_parallelism: parallelism },
  };
}

function nodeSpec({ id, kind, reads, limit }: Node): object {
  switch (kind) {
    case 'say':
    case 'fail':
      return say(id, `${kind} ${id}`);
    case 'switch': {
      const cases = [0, 1, 2].map((k) => ({ route: `r${k}`, op: 'equals', value: k }));
      return { id, type: 'route.switch', input: { from_input: 'k', cases } };
    }
    case 'fan': {
      const subnode = { type: 'transform.json', input: { object: { [id]: { from: 'item' } } } };
      return { id, type: 'map.fanout', input: { items: { from_input: 'list' }, subnode, max_parallelism: 2 } };
    }
    case 'object':
      return { id, type: 'transform.json', input: { object: { [`n${reads}`]: { from: `n${reads}` } } } };
    case 'join.collect':
      return { id, type: kind, input: { limit: limit + 2 } };
    default:
      return { id, type: kind };
  }
}

type End = { status: 'succeeded'; output: unknown } | { status: 'failed' | 'canceled' };

/** Predicts how each node ends, one node after the other. Returns undefined if the run fails. */
function oracle(nodes: readonly Node[], k: number, list: readonly unknown[]): End[] | undefined {
  const ends: End[] = [];
  const isTaken = ({ from, when }: Edge): boolean => {
    const end = ends[from] as End;
    if (when === 'failed' || when === 'canceled') return end.status === when;
    if (end.status !== 'succeeded') return false;
    return when === 'always' || (end.output as { route?: string } | null)?.route === 'r1';
  };
  for (const [index, node] of nodes.entries()) {
    const upstream = [...new Set(node.edges.map((edge) => edge.from))].sort((a, b) => a - b);
    const taken = upstream.filter((from) => node.edges.some((edge) => edge.from === from && isTaken(edge)));
    const read = node.reads === undefined ? undefined : ends[node.reads];
    const isMet =
      node.kind === 'join.any' || node.kind === 'join.collect' ? taken.length > 0 : taken.length === upstream.length;
    if (!isMet || (read && read.status !== 'succeeded')) ends.push({ status: 'canceled' });
    else if (node.kind === 'fail') ends.push({ status: 'failed' });
    else ends.push({ status: 'succeeded', output: predictOutput(node, read, taken, ends, k, list) });
    const wantsFailure = nodes.some((it) => it.edges.some((edge) => edge.from === index && edge.when === 'failed'));
    if (ends[index]?.status === 'failed' && !wantsFailure) return undefined;
  }
  return ends;
}

function predictOutput(
  node: Node,
  read: End | undefined,
  taken: number[],
  ends: End[],
  k: number,
  list: readonly unknown[],
): unknown {
  switch (node.kind) {
    case 'say':
      return `say ${node.id}`;
    case 'switch':
      return { route: `r${k}`, value: k };
    case 'fan':
      return { results: list.map((item) => ({ [node.id]: item })) };
    case 'object':
      return { [`n${node.reads}`]: read?.status === 'succeeded' ? read.output : undefined };
    case 'join.any':
      return ANY;
    default:
      return Object.fromEntries(
        taken.flatMap((from) => {
          const end = ends[from] as End;
          return end.status === 'succeeded' ? [[`n${from}`, end.output]] : [];
        }),
      );
  }
}

/** Stands for the output of a join.any, which depends on the node that ends first. */
const ANY = '(any)';

/** Replaces model answers by their text, and outputs of join.any by a constant. */
function essence(value: unknown, anyOf: ReadonlySet<string>, name?: string): unknown {
  if (name !== undefined && anyOf.has(name)) return ANY;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((it) => essence(it, anyOf));
  const { output } = value as { output?: { content: { text: string }[] }[] };
  if (Array.isArray(output)) return output[0]?.content[0]?.text;
  return Object.fromEntries(Object.entries(value).map(([key, it]) => [key, essence(it, anyOf, key)]));
}

it('runs any workflow.v1 graph on two engines like the reference interpreter', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(shape, { minLength: 1, maxLength: 14 }),
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 0, max: 2 }),
      fc.array(fc.integer(), { maxLength: 4 }),
      async (shapes, parallelism, k, list) => {
        const nodes = toNodes(shapes);
        const anyOf = new Set(nodes.filter(({ kind }) => kind === 'join.any').map(({ id }) => id));
        const { client } = engines[shapes.length % 2]!;
        const runId = await createRun(client, toSpec(nodes, parallelism), undefined, { input: { k, list } });
        const run = await awaitEnd(client, runId);
        await checkLog(client, runId);
        const expected = oracle(nodes, k, list);
        if (!expected) {
          expect(run).toMatchObject({ status: 'failed', error: { code: 'INVALID_INPUT' } });
          return;
        }
        expect(run.status).toBe('succeeded');
        const own = run.nodes.filter(({ id }) => !id.includes('.'));
        expect(own.map(({ status }) => status)).toEqual(expected.map(({ status }) => status));
        const outputs = expected.flatMap((end, index) =>
          end.status === 'succeeded' ? [[`n${index}`, end.output]] : [],
        );
        expect(essence(parseJson(run.outputsJson), anyOf)).toEqual(essence(Object.fromEntries(outputs), anyOf));
      },
    ),
    { numRuns: 40, endOnFailure: true },
  );
  await until(() => peers.billing.open.size === 0);
});
