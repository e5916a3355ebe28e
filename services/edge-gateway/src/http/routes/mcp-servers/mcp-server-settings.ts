import type { updateMcpServerBody } from '@tollgate/api/hooks';
import type { z } from 'zod';

/** Converts the settings of a body for the service; null counts as absent. */
export function mcpServerSettings({ enabled, timeout_ms: timeoutMs }: z.output<typeof updateMcpServerBody>) {
  return {
    ...(typeof enabled === 'boolean' && { enabled }),
    ...(typeof timeoutMs === 'number' && { timeoutMs }),
  };
}
