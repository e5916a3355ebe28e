import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { createMessage } from '@tollgate/contracts/codec';
import { type Principal, PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import type { OwnConnections } from '@tollgate/contracts/common/v1/usage_pb.js';
import { Dialect, type GenerateResponse, InferenceService } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { ToolService } from '@tollgate/contracts/inference/v1/tools_pb.js';
import { type TestDatabase, testDatabase } from '@tollgate/postgres';
import { type Call, type Client, LocalNetwork, startCall } from '@tollgate/rpc';
import { type Clock, silentLogger } from '@tollgate/runtime';
import type { SafeFetchClient } from '@tollgate/safe-fetch';
import { type RunningService, startService } from '@tollgate/service';
import { ImageFetcher } from '../clients/web/image-fetcher.js';
import { configFromEnv } from '../config.js';
import { createContext } from '../context.js';
import { defineInference, gatewayInference } from '../server.js';
import { FakeLedger } from './fake-ledger.js';
import { ToolPeers } from './tool-peers.js';

export interface TurnOptions {
  dialect?: Dialect;
  stream?: boolean;
  modelId?: string;
  maxOutputTokens?: number;
  principal?: Principal;
  requestId?: string;
  /** Default: the request's id. */
  holdId?: string;
  signal?: AbortSignal;
  timeoutMs?: number;
  usesCache?: boolean;
  returnsToolCalls?: boolean;
  awaitsSettlement?: boolean;
  answersBeforeSettlement?: boolean;
  betas?: string[];
  ownConnections?: OwnConnections;
  storage?: {
    previousKey: string;
    historyItems: number;
    conversationKey?: string;
    isUnlisted?: boolean;
    backgroundId?: string;
  };
}

/** The service in one process with a fake ledger, called through its own RPCs. */
export class InferenceSystem {
  readonly ledger = new FakeLedger();
  readonly peers = new ToolPeers();
  readonly client: Client<typeof InferenceService>;
  readonly tools: Client<typeof ToolService>;
  readonly #running: RunningService;
  readonly network: LocalNetwork;
  readonly database: TestDatabase;

  private constructor(network: LocalNetwork, running: RunningService, database: TestDatabase) {
    this.database = database;
    this.network = network;
    this.#running = running;
    this.ledger.join(network);
    this.peers.join(network);
    this.client = network.client(InferenceService);
    this.tools = network.client(ToolService);
  }

  /** `web`: answers when linked images are read, instead of the network. */
  static async start(
    env: Record<string, string> = {},
    { web, ...parts }: { clock?: Clock; web?: SafeFetchClient } = {},
  ): Promise<InferenceSystem> {
    const network = new LocalNetwork();
    const database = await testDatabase('inference');
    const defaults = {
      DATABASE_URL: database.url,
      DATABASE_SCHEMA: database.schema,
      SANDBOX_PROVIDER: '1',
      ALLOW_PRIVATE_ENDPOINTS: '1',
      MODEL_CATALOG_FILE: fileURLToPath(new URL('models.json', import.meta.url)),
    };
    const config = configFromEnv({ ...defaults, ...env });
    const definition = web
      ? defineInference(async (own) => ({ ...(await createContext(own)), images: new ImageFetcher(web) }))
      : gatewayInference;
    return new InferenceSystem(
      network,
      await startService(definition, config, { network, logger: silentLogger, ...parts }),
      database,
    );
  }

  async stop(): Promise<void> {
    await this.#running.stop();
    await this.network.close();
    await this.database.drop();
  }

  call(options: TurnOptions = {}): Call {
    const principal =
      options.principal ?? createMessage(PrincipalSchema, { kind: PrincipalKind.SECRET_KEY, projectId: 'p' });
    return startCall({
      requestId: options.requestId ?? randomUUID(),
      principal,
      timeoutMs: options.timeoutMs ?? 30_000,
      ...(options.signal ? { signal: options.signal } : {}),
    });
  }

  turn(body: unknown, options: TurnOptions = {}, call = this.call(options)): AsyncIterable<GenerateResponse> {
    const request = {
      dialect: options.dialect ?? Dialect.NATIVE,
      body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
      stream: options.stream ?? false,
      modelId: options.modelId ?? 'sandbox/echo-1',
      maxOutputTokens: options.maxOutputTokens ?? 1000,
      inputTokensEstimate: 1000n,
      holdTtlMs: 30_000,
      usesCache: options.usesCache ?? false,
      holdId: options.holdId ?? '',
      returnsToolCalls: options.returnsToolCalls ?? false,
      awaitsSettlement: options.awaitsSettlement ?? false,
      answersBeforeSettlement: options.answersBeforeSettlement ?? false,
      betas: options.betas ?? [],
      ...(options.ownConnections && { ownConnections: options.ownConnections }),
      ...(options.storage && { storage: options.storage }),
    };
    return this.client.generate(request, call);
  }

  /** The answer of a plain turn, parsed. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look inside
  async answer(body: unknown, options: TurnOptions = {}): Promise<any> {
    const frames = await collect(this.turn(body, { ...options, stream: false }));
    if (frames.length !== 1) throw new Error(`${frames.length} frames of a plain answer`);
    return JSON.parse(Buffer.from(frames[0]!.data).toString('utf8'));
  }

  /** The events of a streamed turn, as text. */
  async events(body: unknown, options: TurnOptions = {}): Promise<string[]> {
    return (await collect(this.turn(body, { ...options, stream: true }))).flatMap(decodeEvents);
  }
}

export function ask(text: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  return { input: [{ type: 'message', role: 'user', content: [{ type: 'text', text }] }], ...more };
}

export function decodeEvents(frame: GenerateResponse): string[] {
  const all = frame.data.length > 0 ? [frame.data] : frame.more.map(({ data }) => data);
  return all.map((data) => Buffer.from(data).toString('utf8'));
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
