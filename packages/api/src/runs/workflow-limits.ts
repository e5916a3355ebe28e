/** Bounds of a workflow spec. Everything that its author can make larger has a limit. */
export const workflowLimits = {
  specBytes: 2 * 1024 * 1024,
  nodes: 500,
  edges: 5_000,
  inputs: 100,
  outputs: 100,
  bindingsPerNode: 100,
  /** Keys of a transform's `object`, entries of its `merge`. */
  transformSources: 200,
  /** Cases of a `route.switch`. */
  switchCases: 100,
  nodeIdLength: 64,
  nameLength: 256,
  placeholderLength: 256,
  pointerLength: 1_024,
  /** A regular expression of a condition. */
  patternLength: 512,
  parallelism: 100,
  /** Items of one `map.fanout`. */
  fanoutItems: 1_000,
  nodeTimeoutMs: 60 * 60_000,
  runTimeoutMs: 7 * 24 * 60 * 60_000,
  llmCalls: 100,
  toolCallsPerStep: 128,
  /** MCP servers of one node, or of one agent. */
  mcpServers: 16,
  retryAttempts: 10,
  retryBackoffMs: 60 * 60_000,
} as const;

/** Defaults for bounds that a spec does not set. */
export const workflowDefaults = {
  maxParallelism: 16,
  fanoutParallelism: 8,
  nodeTimeoutMs: 10 * 60_000,
  runTimeoutMs: 24 * 60 * 60_000,
  maxLlmCalls: 8,
  maxToolCallsPerStep: 16,
  waitTtlMs: 24 * 60 * 60_000,
  retryBackoffMs: 1_000,
} as const;
