import type { ToolStateService } from '@tollgate/contracts/agents/v1/tool_state_pb.js';
import type { ToolContext } from '@tollgate/contracts/inference/v1/tools_pb.js';
import type { Call, Client } from '@tollgate/rpc';
import {
  applyToolOperation,
  contextRequired,
  parseToolState,
  type StateChange,
  type StateToolName,
  type ToolArguments,
  type ToolState,
} from '@tollgate/tools';
import type { Context } from '../context.js';
import type { StorageContext } from '../domain/turn-tools.js';

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

/** Where the key-value and task tools of one turn store their state. */
export interface StateScope {
  apply<Name extends StateToolName>(name: Name, args: ToolArguments<Name>, call: Call): Promise<unknown>;
}

/** State that lives as long as one response, or that is returned to a run's engine, which stores it. */
export class PassingScope implements StateScope {
  #state: ToolState;
  #change: StateChange | undefined;

  constructor(state: ToolState) {
    this.#state = state;
  }

  get state(): ToolState {
    return this.#state;
  }

  /** The change of the last write. */
  get change(): StateChange | undefined {
    return this.#change;
  }

  async apply<Name extends StateToolName>(name: Name, args: ToolArguments<Name>): Promise<unknown> {
    const { state, output, change } = applyToolOperation(this.#state, name, args);
    this.#state = state;
    if (change) this.#change = change;
    return output;
  }
}

/** The scope of a call without a response, a run or a state handle. */
export const noScope: StateScope = { apply: async () => contextRequired() };

/** State of a state handle or a session, stored by agent-registry. */
export class StoredScope implements StateScope {
  readonly #client: Client<typeof ToolStateService>;
  readonly #scope: { case: 'stateId' | 'sessionId'; value: string };

  constructor(client: Client<typeof ToolStateService>, { stateId, sessionId }: StorageContext) {
    this.#client = client;
    this.#scope = stateId ? { case: 'stateId', value: stateId } : { case: 'sessionId', value: sessionId ?? '' };
  }

  /** @throws AppError NOT_FOUND for a scope that is expired, deleted or owned by another project. */
  async check(call: Call): Promise<void> {
    await this.#client.applyToolOperations({ scope: this.#scope, operations: [] }, call);
  }

  async apply<Name extends StateToolName>(name: Name, args: ToolArguments<Name>, call: Call): Promise<unknown> {
    const operations = [{ name, argumentsJson: JSON.stringify(args) }];
    const { outputs } = await this.#client.applyToolOperations({ scope: this.#scope, operations }, call);
    return JSON.parse(outputs[0]!);
  }
}

/** Returns where the tools store their state. The caller's context has precedence over the body. */
export function toScope(
  ctx: Pick<Context, 'toolState'>,
  context: ToolContext | undefined,
  storage: StorageContext,
  otherwise: StateScope,
): StateScope {
  if (context && isOfRun(context)) {
    return new PassingScope(parseToolState(Buffer.from(context.runStateJson).toString('utf8')));
  }
  const stored = context?.stateId || context?.sessionId ? context : storage;
  return stored.stateId || stored.sessionId ? new StoredScope(ctx.toolState, stored) : otherwise;
}

/** Whether the state belongs to a run, whose engine stores it. A run may name a state handle or session instead. */
function isOfRun(context: ToolContext): boolean {
  if (context.stateId !== '' || context.sessionId !== '') return false;
  return context.runStateJson.length > 0 || context.runId !== '';
}

export function toActor(context: ToolContext | undefined): Pick<ToolRun, 'runId' | 'agent'> {
  const { runId = '', agentId = '', agentSlug = '' } = context ?? {};
  return {
    runId: runId === '' ? undefined : runId,
    agent: agentId === '' ? undefined : { id: agentId, slug: agentSlug },
  };
}
