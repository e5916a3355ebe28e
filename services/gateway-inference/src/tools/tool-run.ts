import type { Call } from '@tollgate/rpc';
import type { StateScope } from './state-scope.js';

/** On whose behalf, and with which state, one tool call runs. */
export interface ToolRun {
  call: Call;
  /** The client's id of the request; tool hooks receive it. */
  requestId: string;
  /** Id under which the request is charged; charges of the call are derived from it. */
  holdId: string;
  toolCallId: string;
  /** Id of the call as the model made it: the same for every try. Default `toolCallId`. */
  callId?: string | undefined;
  scope: StateScope;
  /** Set inside a run. */
  runId: string | undefined;
  /** Set inside an agent's run. */
  agent: { id: string; slug: string } | undefined;
  /** Set when an image_generation tool is declared. */
  imageModel: string | undefined;
}
