import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Connection } from '@tollgate/catalog';
import type {
  TestConnectionRequest,
  TestConnectionResponseSchema,
} from '@tollgate/contracts/inference/v1/inference_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { elapsed } from '@tollgate/runtime';
import type { Context } from '../../context.js';
import type { ModelRequest } from '../../domain/model-request.js';
import { ProviderFailure } from '../../domain/provider-failure.js';
import { openConnection } from '../../providers/connections/open-connection.js';
import { toOwnConnection, toSettingError } from '../../providers/connections/own-connection.js';
import type { ModelListener, Provider } from '../../providers/contract/provider.js';

const DEADLINE_MS = 20_000;
/** The least that every vendor accepts. */
const OUTPUT_TOKENS = 16;
const MESSAGE_CHARS_MAX = 1_000;

type TestContext = Pick<Context, 'config' | 'connectionClient' | 'connectionOptions'>;
type Result = MessageInitShape<typeof TestConnectionResponseSchema>;

/**
 * Makes one tiny request to a connection of the caller's project and returns how it ended.
 *
 * @throws AppError VALIDATION_ERROR for settings that cannot be used; NOT_FOUND for an unknown stored connection
 */
export async function testConnection(ctx: TestContext, req: TestConnectionRequest, call: Call): Promise<Result> {
  const connection = await readTested(ctx, req, call);
  const open = openTested(ctx, connection);
  const startedAtMs = elapsed();
  try {
    await ask(open.models, req, call);
    return { succeeded: true, latencyMs: Math.round(elapsed() - startedAtMs) };
  } catch (error) {
    const { status, message } = describe(error, connection);
    const latencyMs = Math.round(elapsed() - startedAtMs);
    return { succeeded: false, status, message: message.slice(0, MESSAGE_CHARS_MAX), latencyMs };
  } finally {
    await open.models.close();
  }
}

async function readTested(ctx: TestContext, req: TestConnectionRequest, call: Call): Promise<Connection> {
  const { connectionId, name, entryJson, secretsJson } = req;
  let secrets = secretsJson === '' ? {} : (JSON.parse(secretsJson) as object);
  if (connectionId !== '') {
    const { connections } = await ctx.connectionClient.openConnections({}, call);
    const stored = connections.find(({ connection }) => connection?.id === connectionId);
    if (!stored) throw new AppError('NOT_FOUND', 'connection not found');
    secrets = { ...(JSON.parse(stored.secretsJson) as object), ...secrets };
  }
  const tested = { name, entryJson, secretsJson: JSON.stringify(secrets) };
  return toOwnConnection(tested, { allowPrivate: ctx.config.allowPrivateEndpoints });
}

function openTested(ctx: TestContext, connection: Connection) {
  try {
    return openConnection(connection, { ...ctx.connectionOptions, usesMachine: false });
  } catch (error) {
    throw toSettingError(error);
  }
}

const hello: ModelRequest = {
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'Reply with OK.' }], toolCalls: [], toolCallId: undefined },
  ],
  tools: [],
  toolChoice: undefined,
  outputFormat: undefined,
  temperature: undefined,
  topP: undefined,
  stop: [],
  reasoningEffort: undefined,
};

/** Resolves with the first answer of any content. @throws ProviderFailure */
async function ask(provider: Provider, { upstreamModel, modelId }: TestConnectionRequest, call: Call): Promise<void> {
  const { requestId, principal } = call;
  await new Promise<void>((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer);
      call.offAbort(cut);
      settle();
    };
    const cut = () => {
      exchange.abort();
      end(() => reject(new ProviderFailure({ kind: 'timeout', provider: provider.id })));
    };
    const listener = createListener(
      () => end(resolve),
      (failure) => end(() => reject(failure)),
    );
    const exchange = provider.start(
      {
        requestId,
        accountId: principal?.accountId ?? '',
        holdId: requestId,
        upstreamModel,
        modelId,
        reasons: false,
        isStream: false,
        maxOutputTokens: OUTPUT_TOKENS,
        request: () => hello,
        input: () => ({ text: 'Reply with OK.' }) as never,
        encode: JSON.stringify,
        forward: undefined,
      },
      listener,
    );
    const timer = setTimeout(cut, Math.min(DEADLINE_MS, Math.max(1, call.remainingMs())));
    call.onAbort(cut);
  });
}

function createListener(onAnswer: () => void, onFailure: (failure: ProviderFailure) => void): ModelListener {
  const ignore = () => undefined;
  return {
    ...{ onOpen: ignore, onText: ignore, onReasoning: ignore, onToolCall: ignore, onToolArguments: ignore },
    ...{ onForward: ignore, onUsage: ignore, onAnswer, onFailure },
  };
}

/** Returns the vendor's own words where it sent any, without the secrets of the connection. */
function describe(error: unknown, connection: Connection): { status: number; message: string } {
  if (!(error instanceof ProviderFailure)) return { status: 0, message: (error as Error).message };
  const { status = 0 } = error;
  const said = toSentence(error, new URL(connection.base_url).host);
  const keys = connection.keys.flatMap(({ secret, session_token: token = '' }) => [secret, token]);
  const hidden = [...keys, ...Object.values(connection.headers)].filter(({ length }) => length > 3);
  return { status, message: hidden.reduce((message, secret) => message.replaceAll(secret, '[redacted]'), said) };
}

function toSentence({ status, detail, accountDetail, kind, cause }: ProviderFailure, host: string): string {
  if (kind === 'timeout') return `${host} did not answer in time`;
  if (kind === 'invalid_response') return `${host} sent an answer that the wire does not have`;
  const words = detail ?? accountDetail;
  if (words) return `${host} answered${status === undefined ? '' : ` ${status}`}: ${words}`;
  if (status !== undefined) return `${host} answered ${status}`;
  const reason = cause instanceof Error ? `: ${cause.message}` : '';
  return kind === 'unauthorized' ? `the credential was refused${reason}` : `${host} cannot be reached${reason}`;
}
