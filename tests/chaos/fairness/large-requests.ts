// Requests of one tenant that are as large, or ask for as much, as a limit permits.
import { chatBody, markdown, responsesBody } from '@tollgate/testkit';
import { SANDBOX_MODEL } from '../../system/start-system.js';
import { buildRun } from '../harness.js';

const MIB = 1024 * 1024;
const DAY_MS = 86_400_000;

/** A request of the project's secret key. */
export interface LargeRequest {
  path: string;
  body?: string | object;
}

const zeros = (count: number): string => Array(count).fill(0).join(',');
const members = (count: number): string => Array.from({ length: count }, (_, i) => `"k${i}":0`).join(',');
const tower = `${'['.repeat(190)}${']'.repeat(190)}`;

/** A turn with a field that the schema ignores. */
function withMetadata(json: string): string {
  return `${JSON.stringify(responsesBody('say 3 tokens', { model: SANDBOX_MODEL })).slice(0, -1)},"metadata":${json}}`;
}

const properties = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`field_${i}`, { type: 'string' }]));

const schema = { type: 'object', properties: properties(20_000), additionalProperties: false };

const words = (bytes: number): string => 'the gate opens and another carriage passes '.repeat(Math.ceil(bytes / 43));

/** Requests that a tenant sends four times at once. */
export const LARGE_REQUESTS: Record<string, () => LargeRequest> = {
  'bodies with 39,000 members of objects': () => ({ path: '/responses', body: withMetadata(`{${members(39_000)}}`) }),

  'bodies with 199,000 elements': () => ({ path: '/responses', body: withMetadata(`[${zeros(199_000)}]`) }),

  'bodies with 1,000 towers of 190 levels': () => ({
    path: '/responses',
    body: withMetadata(`[${Array(1_000).fill(tower).join(',')}]`),
  }),

  'schemas of 20,000 properties for the output': () => ({
    path: '/responses',
    body: responsesBody('x', { output_format: { type: 'json_schema', json_schema: { name: 'large', schema } } }),
  }),

  'schemas of 20,000 properties for a tool': () => ({
    path: '/responses',
    body: responsesBody('x', { tools: [{ type: 'function', function: { name: 'large', parameters: schema } }] }),
  }),

  'conversations of 10,000 messages': () => {
    const message = { type: 'message', role: 'user', content: 'a word' };
    return { path: '/responses', body: responsesBody('', { input: Array(10_000).fill(message) }) };
  },

  'chats of 10,000 messages': () => {
    const messages = Array.from({ length: 10_000 }, () => ({ role: 'user', content: 'a word' }));
    return { path: '/v1/chat/completions', body: chatBody('', { messages }) };
  },

  'texts of 24 MiB': () => ({ path: '/responses', body: responsesBody(words(24 * MIB)) }),

  'lists of 199,000 tokens to embed': () => ({
    path: '/v1/embeddings',
    body: `{"model":"test/embed-1","input":[${zeros(199_000)}]}`,
  }),

  'plugins of 190 agents with 1,300 keys each': () => {
    const keys = Array.from({ length: 1_300 }, (_, i) => `k${i}: v${i}`).join('\n');
    const agent = (i: number) => markdown(`name: agent-${i}\ndescription: Does part ${i}\n${keys}`, 'Do your part.');
    const files = Object.fromEntries(Array.from({ length: 190 }, (_, i) => [`agents/agent-${i}.md`, agent(i)]));
    const manifest = JSON.stringify({ name: 'large', description: 'large' });
    return {
      path: '/plugins/compile',
      body: { model: SANDBOX_MODEL, max_attempts: 1, files: { '.claude-plugin/plugin.json': manifest, ...files } },
    };
  },

  'workflows of 500 nodes with 5,000 edges': () => {
    const ids = Array.from({ length: 500 }, (_, i) => `n${i}`);
    const { spec } = buildRun(ids, responsesBody('a word or two')) as { spec: { edges: object[] } };
    const edges = Array.from({ length: 5_000 }, (_, i) => ({ from: ids[i % 250], to: ids[250 + ((i * 7) % 250)] }));
    return { path: '/workflows/lint', body: { ...spec, edges } };
  },

  'statements of 64 KiB': () => ({
    path: '/sql/validate',
    body: {
      sql: `select ${'1 + '.repeat(10_000)}1 from t`,
      policy: { dialect: 'postgres', read_only: true },
    },
  }),
};

/** Lists and reports over everything that the tenant has. */
export function listWideReports(projectId: string): LargeRequest[] {
  const now = Date.now();
  const from = new Date(now - 90 * DAY_MS).toISOString();
  const lastWeek = new Date(now - 7 * DAY_MS).toISOString();
  return [
    `/customers?q=user&total=true&limit=200`,
    `/projects/${projectId}/requests?from=${from}&limit=200`,
    `/projects/${projectId}/usage?from=${from}&interval=day&group_by=customer`,
    `/projects/${projectId}/usage?from=${lastWeek}&interval=hour&group_by=model`,
    `/account/usage?from=2000-01-01&group_by=customer&limit=200`,
  ].map((path) => ({ path }));
}

/** A prompt whose tokens are counted, because the funds do not cover one token per byte. */
export function countedPrompt(): LargeRequest {
  return { path: '/responses', body: responsesBody(words(60_000), { model: 'gpt-4.1-mini', max_output_tokens: 16 }) };
}

/** A schema within the bounds of an agent's input, which takes long to compile. */
export function wideSchema(): object {
  return { type: 'object', properties: properties(500) };
}
