import { createHash } from 'node:crypto';
import { z } from 'zod';
import { isWithinDepth } from '../json-value.js';
import { findHeaderParams, headerParamSchema, withoutHeaderMarks } from './header-params.js';
import { isStatelessVersion, type McpServer } from './mcp-server.js';
import { type Redact, redactSchema } from './redaction.js';

/** Tools of one server that models may call. */
const TOOLS_MAX = 64;
const REFUSED_MAX = 100;
const DESCRIPTION_CHARS_MAX = 4_096;
const SCHEMA_CHARS_MAX = 16_384;
/** Schemas of one server together. They are part of each request to a model. */
const SCHEMAS_CHARS_MAX = 131_072;
/** The limit of the model providers. */
const NAME_CHARS_MAX = 64;
const REASON_CHARS_MAX = 200;

/** A tool as it is offered to models. */
export const offeredToolSchema = z.object({
  name: z.string(),
  /** The name at the server. */
  tool: z.string(),
  description: z.string(),
  parametersJson: z.string(),
  /** The server declares that a second call does no harm. */
  isRepeatable: z.boolean(),
  /** Arguments that calls repeat in headers. Absent in listings of older versions of Tollgate. */
  headerParams: z.array(headerParamSchema).default([]),
});
export type OfferedTool = z.output<typeof offeredToolSchema>;

export const listingSchema = z.object({
  tools: z.array(offeredToolSchema),
  refused: z.array(z.object({ tool: z.string(), reason: z.string() })),
  /** The version of the protocol that the server speaks. Absent in listings of older versions of Tollgate. */
  version: z.string().optional(),
});
/** The tools of a server, as models may call them. */
export type Listing = z.output<typeof listingSchema>;

const foreignTool = z.object({
  name: z.string().regex(/^[\w./:-]{1,128}$/),
  description: z.string().catch(''),
  inputSchema: z.record(z.string(), z.unknown()),
  annotations: z
    .object({ readOnlyHint: z.boolean().catch(false), idempotentHint: z.boolean().catch(false) })
    .catch({ readOnlyHint: false, idempotentHint: false }),
  execution: z.object({ taskSupport: z.string().optional() }).catch(() => ({})),
});

/**
 * Returns the name under which a tool is offered. A server's name has no underscores, so tools of different servers never
 * get the same name. A tool's name that a model's provider would refuse is cut, and a digest makes it unique.
 */
export function offeredName(server: string, tool: string): string {
  const plain = `mcp__${server}__${tool}`;
  if (plain.length <= NAME_CHARS_MAX && /^[\w-]+$/.test(tool)) return plain;
  const digest = createHash('sha256').update(tool).digest('hex').slice(0, 8);
  const cut = plain.replace(/[^\w-]/g, '_').slice(0, NAME_CHARS_MAX - digest.length - 1);
  return `${cut}_${digest}`;
}

/** Returns why a schema cannot be used; undefined if it can. Bounds the time of all checks together. */
export type CheckSchema = (schema: Readonly<Record<string, unknown>>) => Promise<string | undefined>;

/**
 * Returns which of the tools that a server listed are offered, and why the others are not. Texts and annotations are redacted,
 * names never: a call needs them.
 */
export async function judgeTools(
  { name: server, toolsAllowlist }: Pick<McpServer, 'name' | 'toolsAllowlist'>,
  { tools: listed, version }: { tools: readonly unknown[]; version: string },
  { check, redact }: { check: CheckSchema; redact: Redact },
): Promise<Listing> {
  const tools = new Map<string, OfferedTool>();
  const refused: Listing['refused'] = [];
  let schemasChars = 0;

  const judge = async (given: unknown): Promise<OfferedTool | string | undefined> => {
    const parsed = foreignTool.safeParse(given);
    if (!parsed.success) return 'it has no valid name or schema';
    const { name: tool, description, inputSchema, annotations, execution } = parsed.data;
    if (toolsAllowlist.length > 0 && !toolsAllowlist.includes(tool)) return undefined;
    const name = offeredName(server, tool);
    if (tools.has(name)) return 'another tool has the same name';
    if (tools.size >= TOOLS_MAX) return `the server offers more than ${TOOLS_MAX} tools; set an allowlist`;
    if (execution.taskSupport === 'required') return 'it can only be called as a task';
    if (inputSchema.type !== 'object') return 'its schema does not describe an object';
    if (!isWithinDepth(inputSchema)) return 'its schema is nested too deeply';
    // Earlier versions give the marks no meaning.
    const headerParams = isStatelessVersion(version) ? findHeaderParams(inputSchema) : [];
    if (typeof headerParams === 'string') return `its schema ${headerParams}`;
    const { $schema: _dialect, ...parameters } = withoutHeaderMarks(inputSchema) as typeof inputSchema;
    const parametersJson = JSON.stringify(redactSchema(parameters, redact));
    if (parametersJson.length > SCHEMA_CHARS_MAX) return `its schema has more than ${SCHEMA_CHARS_MAX} characters`;
    if (schemasChars + parametersJson.length > SCHEMAS_CHARS_MAX) {
      return `the server's schemas have more than ${SCHEMAS_CHARS_MAX} characters together; set an allowlist`;
    }
    const fault = await check(parameters);
    if (fault !== undefined) return `its schema ${fault}`;
    schemasChars += parametersJson.length;
    const isRepeatable = annotations.readOnlyHint || annotations.idempotentHint;
    const shown = redact(description).slice(0, DESCRIPTION_CHARS_MAX);
    return { name, tool, description: shown, parametersJson, isRepeatable, headerParams };
  };

  for (const given of listed) {
    const judged = await judge(given);
    if (typeof judged === 'object') tools.set(judged.name, judged);
    else if (judged !== undefined && refused.length < REFUSED_MAX) {
      refused.push({ tool: toShownName(given), reason: redact(judged).slice(0, REASON_CHARS_MAX) });
    }
  }
  return { tools: [...tools.values()], refused, version };
}

function toShownName(given: unknown): string {
  const named = z.object({ name: z.string() }).safeParse(given);
  return named.success ? named.data.name.slice(0, 128) : '';
}
