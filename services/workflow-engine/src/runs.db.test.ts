import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import { createPeers, type Peers, type TestEngine } from './testing/engine-fixture.js';
import { createRun, endOf, jsonOf, readEvents, say, TEXT } from './testing/run-helpers.js';

let database: TestDatabase;
let peers: Peers;
let engine: TestEngine;

beforeAll(async () => {
  database = await testDatabase(import.meta.url, { migrations: new URL('../prisma/migrations', import.meta.url) });
});
afterAll(() => database.drop());
beforeEach(async () => {
  peers = createPeers(database);
  engine = await peers.engine();
});
afterEach(() => peers.stopAll());

const diamond = {
  kind: 'workflow.v0',
  name: 'diamond',
  nodes: [
    say('first', 'hello there'),
    say('left', 'left of {{said}}', { bindings: [{ from: 'first', pointer: TEXT, to_placeholder: 'said' }] }),
    say('right', 'right', { bindings: [{ from: 'first', pointer: TEXT, to: '/input/0/content/0/text' }] }),
    { id: 'both', type: 'join.all' },
    {
      id: 'shape',
      type: 'transform.json',
      input: {
        object: { l: { from: 'both', pointer: `/left${TEXT}` }, r: { from: 'both', pointer: `/right${TEXT}` } },
      },
    },
  ],
  edges: [
    { from: 'left', to: 'both' },
    { from: 'right', to: 'both' },
  ],
  outputs: [
    { name: 'all', from: 'shape' },
    { name: 'l', from: 'shape', pointer: '/l' },
  ],
};

describe('a run', () => {
  it('goes through a graph of model calls, joins and transforms to its outputs', async () => {
    const runId = await createRun(engine.client, diamond);
    const run = await endOf(engine.client, runId);
    expect(run.status).toBe('succeeded');
    expect(jsonOf(run.outputsJson)).toEqual({
      all: { l: 'left of hello there', r: 'hello there' },
      l: 'left of hello there',
    });
    console.log((await readEvents(engine.client, runId)).map((e) => JSON.stringify(e)).join('\n'));
  });
});
