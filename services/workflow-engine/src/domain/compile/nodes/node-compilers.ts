import type { WorkflowKind } from '@tollgate/api/runs';
import type { NodeCompiler } from '../compiled-node.js';
import { compileAgentRun } from './agent-run.js';
import { compileAgentScheduler } from './agent-scheduler.js';
import { compileJoinAll, compileJoinAny, compileJoinCollect } from './join.js';
import { compileMapFanout } from './map-fanout.js';
import { compileLlmResponses } from './model-node.js';
import { compileRouteSwitch } from './route-switch.js';
import { compileTransformJson } from './transform-json.js';

const v0: Readonly<Record<string, NodeCompiler>> = {
  'llm.responses': compileLlmResponses,
  'join.all': compileJoinAll,
  'transform.json': compileTransformJson,
  'agent.run': compileAgentRun,
  'agent.scheduler': compileAgentScheduler,
};

/** The compilers of all node types, by the kind of spec. */
export const nodeCompilers: Readonly<Record<WorkflowKind, Readonly<Record<string, NodeCompiler>>>> = {
  'workflow.v0': v0,
  'workflow.v1': {
    ...v0,
    'route.switch': compileRouteSwitch,
    'join.any': compileJoinAny,
    'join.collect': compileJoinCollect,
    'map.fanout': compileMapFanout,
  },
};
