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
