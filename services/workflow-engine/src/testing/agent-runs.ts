import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AgentRunMode } from '@tollgate/contracts/workflow/v1/agent_runs_pb.js';
import { AppError, type ErrorCode } from '@tollgate/errors';
import { callAs, type TestEngine } from './engine-fixture.js';
import type { FakeCall } from './fake-inference.js';

export interface AgentRunInput {
  slug?: string;
  mode?: AgentRunMode;
  input?: object[];
  options?: {
    model?: string;
    maxSteps?: number;
    maxDurationSec?: number;
    stepTimeoutSec?: number;
    toolFailurePolicy?: string;
    toolRetryCount?: number;
    dryRun?: boolean;
  };
  mocks?: object;
  replayRunId?: string;
  idempotencyKey?: string;
  keyUntilEnd?: boolean;
  principal?: Principal;
}

export const userText = (text: string) => ({ type: 'message', role: 'user', content: [{ type: 'text', text }] });

/** Returns a function tool in an agent's definition. */
export const definition = (name: string, more: object = {}) => ({
  definition: { type: 'function', function: { name, ...more } },
});

/** Starts an agent's run; returns its id. */
export async function startAgent(engine: TestEngine, ask: AgentRunInput = {}): Promise<string> {
  const { slug = 'helper', mode = AgentRunMode.RUN, input, options = {}, mocks, replayRunId = '' } = ask;
  const messages = input ?? (replayRunId === '' ? [userText('hello')] : undefined);
  const request = {
    slug,
    mode,
    inputJson: bytes(messages),
    options,
    mockToolsJson: bytes(mocks),
    replayRunId,
    idempotencyKey: ask.idempotencyKey ?? '',
    keyUntilEnd: ask.keyUntilEnd ?? false,
  };
  return (await engine.agentRuns.startAgentRun(request, callAs(ask.principal))).runId;
}

/** Returns the result of the run. @throws AppError of its refusal */
export async function awaitResult(engine: TestEngine, runId: string, principal?: Principal) {
  const result = await engine.agentRuns.awaitAgentRun({ runId }, callAs(principal));
  const { outputJson, mocksJson, refused, ...rest } = result;
  if (refused) throw new AppError(rest.error!.code as ErrorCode, rest.error!.message);
  return {
    ...rest,
    output: JSON.parse(Buffer.from(outputJson).toString('utf8')) as Message[],
    outputText: Buffer.from(outputJson).toString('utf8'),
    ...(mocksJson.length > 0 && { mocks: JSON.parse(Buffer.from(mocksJson).toString('utf8')) as object }),
  };
}

interface Message {
  role: string;
  content?: { type: string; text: string }[];
  tool_calls?: object[];
}

/** Runs an agent to its end. */
export async function runAgent(engine: TestEngine, ask: AgentRunInput = {}) {
  return awaitResult(engine, await startAgent(engine, ask), ask.principal);
}

export function readOutputText(output: readonly Message[]): string {
  return output.at(-1)?.content?.[0]?.text ?? '';
}

function bytes(value: unknown): Uint8Array {
  return value === undefined ? new Uint8Array(0) : Buffer.from(JSON.stringify(value));
}

/**
 * Simulates a model that calls the tools in its last user text (JSON `[["name", {…}], …]`), one per step, and then answers
 * with the last result.
 */
export function callsTools({ body }: FakeCall) {
  const user = body.input.findLast(({ role }) => role === 'user');
  const wanted = JSON.parse(textIn(user?.content)) as [name: string, args: object][];
  const results = body.input.filter(({ role }) => role === 'tool');
  const next = wanted[results.length];
  if (!next) return { text: textIn(results.at(-1)?.content) };
  const [name, args] = next;
  return { text: '', toolCalls: [{ id: `call_${results.length}`, name, arguments: JSON.stringify(args) }] };
}

export const calling = (...tools: [name: string, args: object][]) => [userText(JSON.stringify(tools))];

function textIn(content: FakeCall['body']['input'][number]['content']): string {
  return (content ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** Returns the system prompt of a model call. */
export function findSystemPrompt({ body }: FakeCall): string {
  return textIn(body.input.find(({ role }) => role === 'system')?.content);
}
