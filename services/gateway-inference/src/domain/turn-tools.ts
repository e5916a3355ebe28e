import { canonicalToolName, type ServerToolName, underscoredToolName } from '@tollgate/tools';
import type { Citation } from './model-answer.js';

/** A function tool that a request declares. */
export interface DeclaredTool {
  /** In the client's spelling. */
  name: string;
  /** Set when the tool runs in the service. */
  serverTool: ServerToolName | undefined;
  /** The client's own JSON Schema of the arguments. */
  parameters: Readonly<Record<string, unknown>> | undefined;
}

/** What a request says about the tools of its turn. */
export interface TurnTools {
  /** Tools that run at the provider are declared: it may pause in the middle of its work. */
  mayPause: boolean;
  /** Their caller runs the tools; the service only goes on where the provider has paused. */
  areCallers?: boolean;
  /** By name with underscores. */
  declared: ReadonlyMap<string, DeclaredTool>;
  /** Set when an image_generation tool is declared. */
  imageModel: string | undefined;
  /** The client's own bound of the whole answer. */
  maxOutputTokens: number | undefined;
}

/** Where key-value pairs and tasks of a request are kept; both absent: nowhere, they end with the response. */
export interface StorageContext {
  stateId?: string | undefined;
  sessionId?: string | undefined;
}

/** What a tool that the service ran gave. */
export interface ToolResult {
  toolCallId: string;
  /** In the client's spelling. */
  name: string;
  /** The tool's JSON, or `{error: {code, message}}`. */
  output: unknown;
}

/** What a tool call came to. */
export interface ToolOutcome {
  /** For the client. */
  output: unknown;
  /** For the model, where that is not `output`: it need not read the bytes of an image. */
  modelOutput?: unknown;
  citations?: readonly Citation[];
  /** Charged already, by requests of their own. */
  costMicrocents?: bigint;
}

export function declareTool(
  name: string,
  parameters: Readonly<Record<string, unknown>> | undefined,
): [string, DeclaredTool] {
  return [underscoredToolName(name), { name, serverTool: canonicalToolName(name), parameters }];
}

/** The result as the model reads it: text stays text, everything else is JSON. */
export function textForModel({ output, modelOutput = output }: ToolOutcome): string {
  return typeof modelOutput === 'string' ? modelOutput : JSON.stringify(modelOutput);
}
