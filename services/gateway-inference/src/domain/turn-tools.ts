import { writeExactJson } from '@tollgate/runtime/exact-json';
import { canonicalToolName, type ServerToolName, underscoredToolName } from '@tollgate/tools';
import type { Citation } from './citation.js';

/** A function tool that a request declares. */
export interface DeclaredTool {
  /** In the client's spelling. */
  name: string;
  /** Set when the tool runs in the service. */
  serverTool: ServerToolName | undefined;
  /** The client's own JSON Schema of the arguments. */
  parameters: Readonly<Record<string, unknown>> | undefined;
}

/** The tools that a request declares, and their limits. */
export interface TurnTools {
  /** Tools that run at the provider are declared, so the provider may pause the turn. */
  mayPause: boolean;
  /** The caller runs the tools; the service only continues turns that the provider paused. */
  areCallers?: boolean;
  /** By name with underscores. */
  declared: ReadonlyMap<string, DeclaredTool>;
  /** Set when an image_generation tool is declared. */
  imageModel: string | undefined;
  /** The client's bound of the whole answer. */
  maxOutputTokens: number | undefined;
}

/** Where key-value pairs and tasks of a request are stored. Both absent: nowhere; they end with the response. */
export interface StorageContext {
  stateId?: string | undefined;
  sessionId?: string | undefined;
}

/** The result of a tool that the service ran. */
export interface ToolResult {
  toolCallId: string;
  /** In the client's spelling. */
  name: string;
  /** The tool's JSON, or `{error: {code, message}}`. */
  output: unknown;
}

/** The outcome of a tool call. */
export interface ToolOutcome {
  /** For the client. */
  output: unknown;
  /** For the model, if it differs from `output`: it does not read the bytes of an image. */
  modelOutput?: unknown;
  citations?: readonly Citation[];
  /** Already charged by separate requests. */
  costMicrocents?: bigint;
  /** Set on a failure that another try may avoid, although its code says that nothing runs the tool. */
  mayRetry?: boolean;
}

export function declareTool(
  name: string,
  parameters: Readonly<Record<string, unknown>> | undefined,
): [string, DeclaredTool] {
  return [underscoredToolName(name), { name, serverTool: canonicalToolName(name), parameters }];
}

/** Returns the result as the model reads it: text unchanged, everything else as JSON. */
export function textForModel({ output, modelOutput = output }: ToolOutcome): string {
  return typeof modelOutput === 'string' ? modelOutput : writeExactJson(modelOutput);
}
