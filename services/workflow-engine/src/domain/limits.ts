/** Bounds of a spec and of what a run may hold. A limit on everything that a caller can make grow. */
export const limits = {
  specBytes: 2 * 1024 * 1024,
  nodes: 500,
  edges: 5_000,
  outputs: 100,
  bindingsPerNode: 100,
  /** Keys of a transform's `object`, entries of its `merge`. */
  transformSources: 200,
  nodeIdLength: 64,
  nameLength: 256,
  parallelism: 100,
  /** JSON of everything that one node reads. */
  nodeInputBytes: 16 * 1024 * 1024,
  /** What bindings may add to one model request. */
  boundBytes: 16 * 1024 * 1024,
  /** JSON of one node's output. */
  nodeOutputBytes: 4 * 1024 * 1024,
  /** JSON of all node outputs of a run together: a snapshot shows them all. */
  runArtifactsBytes: 32 * 1024 * 1024,
  /** JSON of all outputs of a run. */
  runOutputsBytes: 8 * 1024 * 1024,
  /** JSON of a run's `input`. */
  runInputBytes: 1024 * 1024,
  nodeTimeoutMs: 60 * 60_000,
  runTimeoutMs: 7 * 24 * 60 * 60_000,
  llmCalls: 100,
  toolCallsPerStep: 128,
  /** Attempts of one model step whose outcome was lost before the node is given up. */
  lostAttempts: 12,
  /** Times one piece of work may be taken up again after its lease ran out or a peer was unreachable. */
  retries: 20,
} as const;

/** What applies when a spec names no bound. */
export const defaults = {
  maxParallelism: 16,
  nodeTimeoutMs: 10 * 60_000,
  runTimeoutMs: 24 * 60 * 60_000,
  maxLlmCalls: 8,
  maxToolCallsPerStep: 16,
  waitTtlMs: 24 * 60 * 60_000,
} as const;
