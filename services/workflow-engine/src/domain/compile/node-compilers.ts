import type { NodeCompiler } from './compiled-node.js';
import { compileJoinAll } from './join-all.js';
import { compileLlmResponses } from './llm-responses.js';
import { compileTransformJson } from './transform-json.js';

/** Every node type that this engine runs. */
export const nodeCompilers: Readonly<Record<string, NodeCompiler>> = {
  'llm.responses': compileLlmResponses,
  'join.all': compileJoinAll,
  'transform.json': compileTransformJson,
};

/** Types of the spec language that this engine knows of and refuses with a message of its own. */
export const unsupportedNodeTypes: ReadonlySet<string> = new Set([
  'agent.run',
  'agent.scheduler',
  'route.switch',
  'join.any',
  'join.collect',
  'map.fanout',
]);
