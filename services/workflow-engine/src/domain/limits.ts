import { workflowLimits } from '@tollgate/api/runs';

/** Limits of a spec and of a run. Everything that a caller can make larger has a limit here. */
export const limits = {
  ...workflowLimits,
  /** Nodes of a run, including the sub-nodes of fan-outs, fragments and schedulers. */
  runNodes: 2_500,
  /** Ancestors of a node, for example through agents in fragments of agents. */
  nodeDepth: 16,
  /** Agents that a spec may name, including those in the agents' fragments. */
  agents: 100,
  /** Characters that the agents of a spec add to its plan, counted once per reference. */
  agentsChars: 16 * 1024 * 1024,
  /** JSON of an agent's input. */
  agentInputBytes: 4 * 1024 * 1024,
  /** JSON of the mocks of one run. */
  mocksBytes: 1024 * 1024,
  /** Events of a run, after which no new step starts. Active steps still emit their end. */
  runEvents: 200_000,
  /** JSON of all inputs of one node. */
  nodeInputBytes: 16 * 1024 * 1024,
  /** JSON that bindings may add to one model request. */
  boundBytes: 16 * 1024 * 1024,
  /** JSON of one node's output. */
  nodeOutputBytes: 4 * 1024 * 1024,
  /** JSON of all stored values of a run: outputs, items of fan-outs, key-value pairs and tasks. */
  runArtifactsBytes: 32 * 1024 * 1024,
  /** JSON of all outputs of a run. */
  runOutputsBytes: 8 * 1024 * 1024,
  /** JSON of a run's `input`. */
  runInputBytes: 1024 * 1024,
  /** A tool's result. */
  toolOutputChars: 1024 * 1024,
  /** Lost attempts of one model step, after which its node fails. */
  lostAttempts: 12,
  /** Failed tries and expired leases of one piece of work, after which its node fails. */
  retries: 20,
} as const;
