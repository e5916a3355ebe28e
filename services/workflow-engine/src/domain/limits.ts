import { workflowLimits } from '@tollgate/api';

/** Bounds of a spec and of what a run may hold. A limit on everything that a caller can make grow. */
export const limits = {
  ...workflowLimits,
  /** Nodes of a run, those that fan-outs, fragments and schedulers make included. */
  runNodes: 2_500,
  /** Nodes that a node may be in: fragments of agents in fragments of agents. */
  nodeDepth: 16,
  /** Agents that a spec may name, with those that their fragments name. */
  agents: 100,
  /** What the agents of a spec add to its plan, once per place that names one. */
  agentsChars: 16 * 1024 * 1024,
  /** JSON of what an agent is given to work on. */
  agentInputBytes: 4 * 1024 * 1024,
  /** JSON of the mocks of one run. */
  mocksBytes: 1024 * 1024,
  /** Events of a run beyond which nothing new is begun; what has begun still tells its end. */
  runEvents: 200_000,
  /** JSON of everything that one node reads. */
  nodeInputBytes: 16 * 1024 * 1024,
  /** What bindings may add to one model request. */
  boundBytes: 16 * 1024 * 1024,
  /** JSON of one node's output. */
  nodeOutputBytes: 4 * 1024 * 1024,
  /** JSON of everything that a run keeps: outputs, items of fan-outs, key-value pairs and tasks. */
  runArtifactsBytes: 32 * 1024 * 1024,
  /** JSON of all outputs of a run. */
  runOutputsBytes: 8 * 1024 * 1024,
  /** JSON of a run's `input`. */
  runInputBytes: 1024 * 1024,
  /** A tool's result. */
  toolOutputChars: 1024 * 1024,
  /** Attempts of one model step whose outcome was lost before the node is given up. */
  lostAttempts: 12,
  /** Times one piece of work may be taken up again after its lease ran out or a peer was unreachable. */
  retries: 20,
} as const;
