export type ToolHookStatus = 'success' | 'blocked' | 'timeout' | 'error';

/** One call of a hook's endpoint, as shown in the owner's log. */
export interface ToolHookEvent {
  id: string;
  hookId: string;
  requestId: string;
  toolCallId: string;
  status: ToolHookStatus;
  responseStatus: number | undefined;
  /** Truncated. */
  responseBody: string;
  latencyMs: number;
  error: string | undefined;
  createdAt: Date;
}
