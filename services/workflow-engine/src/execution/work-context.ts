import type { Catalog } from '@tollgate/catalog';
import type { ToolStateService } from '@tollgate/contracts/agents/v1/tool_state_pb.js';
import type { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { InferenceService } from '@tollgate/contracts/inference/v1/inference_pb.js';
import type { ToolService } from '@tollgate/contracts/inference/v1/tools_pb.js';
import type { Relay } from '@tollgate/events';
import type { Client } from '@tollgate/rpc';
import type { Logger, Loop } from '@tollgate/runtime';
import type { Ledger } from '@tollgate/spending';
import type { ModelNode } from '../domain/plan/plan.js';
import type { WorkItem } from '../domain/run/work-item.js';
import type { ModelStep } from '../domain/step/model-step.js';
import type { ToolTask } from '../domain/tools/tool-task.js';
import type { EngineMetrics } from '../metrics.js';
import type { Pool } from '../store/database.js';
import type { PlanStore } from '../store/plans.js';
import type { Lease } from '../store/queues/run-work.js';
import type { EarlyAdmissions } from './model-steps/early-admissions.js';
import type { RunStates } from './run-states.js';
import type { RunWriter } from './run-writer.js';
import type { WakeUps } from './wake-ups.js';
import type { WorkPool } from './work-pool.js';

/** The dependencies of a transition of a run. */
export interface TransitionContext {
  pool: Pool;
  plans: PlanStore;
  runStates: RunStates;
  runWriter: RunWriter;
  work: WorkPool;
  /** The leases of this process. */
  lease: Lease;
  wakeUps: WakeUps;
  relay: Relay;
  sessionWriter: Loop;
  metrics: EngineMetrics;
  logger: Logger;
}

/** What executing a piece of work uses. */
export interface WorkContext extends TransitionContext {
  catalog: Catalog;
  ledger: Ledger;
  earlyAdmissions: EarlyAdmissions;
  clients: {
    billing: Client<typeof BillingService>;
    inference: Client<typeof InferenceService>;
    tools: Client<typeof ToolService>;
    toolState: Client<typeof ToolStateService>;
  };
}

/** A node that asks a model, as the holder of its work runs it. `signal` aborts when the lease is lost. */
export interface NodeRun {
  item: WorkItem;
  node: ModelNode;
  signal: AbortSignal;
}

/** One model step of a node. */
export interface StepRun extends NodeRun {
  step: ModelStep;
}

/** One tool call of a node. */
export interface ToolRun extends NodeRun {
  task: ToolTask;
}
