export const runStatuses = ['running', 'waiting', 'succeeded', 'failed', 'canceled'] as const;
export type RunStatus = (typeof runStatuses)[number];

export const nodeStatuses = ['pending', 'running', 'waiting', 'succeeded', 'failed', 'canceled'] as const;
export type NodeStatus = (typeof nodeStatuses)[number];

export function isTerminal(status: RunStatus | NodeStatus): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'canceled';
}
