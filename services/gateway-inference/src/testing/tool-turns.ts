import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { type AppError, asAppError } from '@tollgate/errors';
import { chatScript, type ScriptedAnswer } from './chat-script.js';
import { InferenceSystem, type TurnOptions } from './inference-system.js';
import { startUpstreamServer, type UpstreamServer } from './upstream-server.js';

/** The service in front of a scripted provider, for tests of turns that call tools. */
export class ToolTurns {
  readonly mini: TurnOptions = { modelId: 'test-mini' };
  provider!: UpstreamServer;
  system!: InferenceSystem;

  /** Starts and stops with the test file, and resets between its tests. */
  static forThisFile(env: Record<string, string> = {}): ToolTurns {
    const turns = new ToolTurns();
    beforeAll(async () => {
      turns.provider = await startUpstreamServer(chatScript({ text: 'hi' }));
      const defaults = { OPENAI_BASE_URL: turns.provider.baseUrl, SETTLE_WAIT: '300' };
      turns.system = await InferenceSystem.start({ ...defaults, ...env });
    });
    afterAll(async () => {
      await turns.system.stop();
      await turns.provider.stop();
    });
    beforeEach(() => {
      turns.provider.requests.length = 0;
      turns.provider.cuts = 0;
      turns.system.peers.reset();
      turns.system.ledger.refusal = undefined;
      turns.system.ledger.extensions.length = 0;
    });
    return turns;
  }

  /** Sets the answers of the provider, in order. */
  plays(...answers: ScriptedAnswer[]): void {
    this.provider.handler = chatScript(...answers);
  }

  /** Returns the body of a request that the provider received. */
  asked(index: number): { messages: Record<string, unknown>[]; tools?: unknown } {
    return this.provider.requests[index]!.body as { messages: Record<string, unknown>[] };
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look inside
  answer(body: unknown, options: TurnOptions = this.mini): Promise<any> {
    return this.system.answer(body, options);
  }

  async events(body: unknown, options: TurnOptions = this.mini): Promise<Record<string, unknown>[]> {
    return (await this.system.events(body, options)).map((data) => JSON.parse(data) as Record<string, unknown>);
  }

  async catchError(body: unknown, options: TurnOptions = this.mini): Promise<AppError> {
    return await this.system.answer(body, options).then(
      () => Promise.reject(new Error('it was answered')),
      (error: unknown) => asAppError(error),
    );
  }
}

/** Function tools by their names alone. */
export function declare(...names: string[]): { tools: object[] } {
  return { tools: names.map((name) => ({ type: 'function', function: { name } })) };
}

/** A call of kv_write. */
export function write(key: string, value = 'v') {
  return { name: 'kv_write', args: { key, value } };
}
