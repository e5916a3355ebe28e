import type { Context } from '../../context.js';
import type { ToolCallContext } from '../../tools/execute-tool.js';
import type { HeldWorkContext } from '../held-work/held-work.js';

/** The parts of the context that a turn uses, the tools of its loop included. */
export type TurnContext = HeldWorkContext &
  ToolCallContext &
  Pick<
    Context,
    | 'circuits'
    | 'connections'
    | 'holds'
    | 'images'
    | 'jsonThread'
    | 'ownConnections'
    | 'pool'
    | 'responseCache'
    | 'responseLimits'
  >;
