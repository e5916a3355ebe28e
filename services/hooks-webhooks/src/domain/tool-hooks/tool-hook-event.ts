export type ToolHookStatus = 'success' | 'blocked' | 'timeout' | 'error';

/** One call of a hook's endpoint, as its owner sees it in the log. */
export interface ToolHookEvent {
  id: string;
  hookId: string;
  requestId: string;
  toolCallId: string;
  status: ToolHookStatus;
  responseStatus: number | undefined;
  /** Its beginning. */
  responseBody: string;
  latencyMs: number;
  error: string | undefined;
  createdAt: Date;
}
