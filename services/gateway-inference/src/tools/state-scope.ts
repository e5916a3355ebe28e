import type { ToolStateService } from '@tollgate/contracts/agents/v1/tool_state_pb.js';
import type { Call, Client } from '@tollgate/rpc';
import {
  applyToolOperation,
  contextRequired,
  type StateChange,
  type StateToolName,
  type ToolArguments,
  type ToolState,
} from '@tollgate/tools';
import type { StorageContext } from '../domain/turn-tools.js';

/** Where the key-value and task tools of one turn keep things. */
export interface StateScope {
  apply<Name extends StateToolName>(name: Name, args: ToolArguments<Name>, call: Call): Promise<unknown>;
}

/** Nothing outlives its owner: a single response, or a run whose engine keeps what comes back. */
export class PassingScope implements StateScope {
  #state: ToolState;
  #change: StateChange | undefined;

  constructor(state: ToolState) {
    this.#state = state;
  }

  get state(): ToolState {
    return this.#state;
  }

  /** What the last operation that wrote has written. */
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

/** There is no response that things could live for. */
export const noScope: StateScope = { apply: async () => contextRequired() };

/** A state handle or a session, kept by agent-registry. */
export class StoredScope implements StateScope {
  readonly #client: Client<typeof ToolStateService>;
  readonly #scope: { case: 'stateId' | 'sessionId'; value: string };

  constructor(client: Client<typeof ToolStateService>, { stateId, sessionId }: StorageContext) {
    this.#client = client;
    this.#scope = stateId ? { case: 'stateId', value: stateId } : { case: 'sessionId', value: sessionId ?? '' };
  }

  /** @throws AppError NOT_FOUND for a scope that is expired, deleted or somebody else's. */
  async check(call: Call): Promise<void> {
    await this.#client.applyToolOperations({ scope: this.#scope, operations: [] }, call);
  }

  async apply<Name extends StateToolName>(name: Name, args: ToolArguments<Name>, call: Call): Promise<unknown> {
    const operations = [{ name, argumentsJson: JSON.stringify(args) }];
    const { outputs } = await this.#client.applyToolOperations({ scope: this.#scope, operations }, call);
    return JSON.parse(outputs[0]!);
  }
}
