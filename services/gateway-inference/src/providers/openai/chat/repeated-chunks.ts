import { endOfString } from '../../convert/replace-member.js';
import { replaceModel } from '../replace-model.js';
import { type ChatChunk, reasoningText } from './chat-answer.js';

/** A chunk of output that repeats an earlier one. */
export interface RepeatedChunk {
  text: string;
  /** The chunk with the model name under which the stream is forwarded. */
  data: string;
}

/** The parts of a chunk around its text, and around its padding if it has some. */
interface Pattern {
  before: string;
  forwardedBefore: string;
  after: string;
  afterPadding: string | undefined;
}

/** A stream whose chunks keep changing is no longer compared. */
const PATTERNS_MAX = 4;
const PROBE = 'probe';
/** Characters that need no escape, so that a string of them is valid JSON as it is. */
const PLAIN_STRING = /^"[ !#-[\]-~]*"$/;

/**
 * Recognizes chunks that differ from an earlier one only in the text of their delta and in random padding (OpenAI's
 * `obfuscation`), as most chunks of a stream do. All else in them is known, so only their text is parsed.
 */
export class RepeatedChunks {
  readonly #modelName: string | undefined;
  #pattern: Pattern | undefined;
  #patterns = 0;

  /** `modelName`: the name under which chunks are forwarded; undefined if they are converted. */
  constructor(modelName: string | undefined) {
    this.#modelName = modelName;
  }

  /** Takes a chunk that was parsed as the pattern of the following ones, if it has no other output than text. */
  learn(data: string, chunk: ChatChunk): void {
    if (this.#patterns >= PATTERNS_MAX || !isText(chunk)) return;
    this.#patterns++;
    this.#pattern = this.#findPattern(data, chunk);
  }

  /** Returns undefined for a chunk that has to be parsed. */
  read(data: string): RepeatedChunk | undefined {
    const pattern = this.#pattern;
    if (!pattern || !isAt(data, 0, pattern.before)) return undefined;
    const { before, after, afterPadding } = pattern;
    const end = endOfString(data, before.length);
    if (!isAt(data, end, after)) return undefined;
    const at = end + after.length;
    if (afterPadding === undefined ? at !== data.length : !isPadded(data, at, afterPadding)) return undefined;
    const text = parseString(data.slice(before.length, end));
    return text === undefined ? undefined : { text, data: pattern.forwardedBefore + data.slice(before.length) };
  }

  #findPattern(data: string, chunk: ChatChunk): Pattern | undefined {
    const start = findValue(data, 'content');
    if (start === undefined) return undefined;
    const before = data.slice(0, start);
    const rest = data.slice(endOfString(data, start));
    const padding = findValue(rest, 'obfuscation');
    const after = rest.slice(0, padding);
    const afterPadding = padding === undefined ? undefined : rest.slice(endOfString(rest, padding));
    const end = after + (afterPadding === undefined ? '' : `"${PROBE}"${afterPadding}`);
    if (!isProbed(`${before}"${PROBE}"${end}`, afterPadding !== undefined)) return undefined;
    const forwardedBefore = this.#rename(before, `"${PROBE}"${end}`, chunk);
    return forwardedBefore === undefined ? undefined : { before, forwardedBefore, after, afterPadding };
  }

  /** Replaces the model's name in front of the text; returns undefined if it is elsewhere. */
  #rename(before: string, rest: string, chunk: ChatChunk): string | undefined {
    if (this.#modelName === undefined) return before;
    const renamed = replaceModel(before + rest, chunk, this.#modelName);
    return renamed.endsWith(rest) ? renamed.slice(0, -rest.length) : undefined;
  }
}

/** The same as `startsWith`, which compares character by character; two strings are compared as memory. */
function isAt(data: string, at: number, part: string): boolean {
  return data.slice(at, at + part.length) === part;
}

function isText({ choices, usage }: ChatChunk): boolean {
  const choice = Array.isArray(choices) ? choices[0] : undefined;
  const delta = choice?.delta;
  if (!delta || typeof delta.content !== 'string' || delta.content === '' || usage) return false;
  const hasMore = delta.refusal || delta.annotations || delta.tool_calls || reasoningText(delta) !== '';
  return !choice.finish_reason && !hasMore;
}

/** Returns the index of the string that follows the last such name. */
function findValue(data: string, name: string): number | undefined {
  const quoted = `"${name}":`;
  const found = data.lastIndexOf(quoted);
  if (found === -1) return undefined;
  let at = found + quoted.length;
  while (data[at] === ' ') at++;
  return data[at] === '"' ? at : undefined;
}

/** Whether the probes are where the text and the padding are read: the names may also occur in texts. */
function isProbed(data: string, isPadded: boolean): boolean {
  try {
    const chunk = JSON.parse(data) as ChatChunk & { obfuscation?: unknown };
    return chunk.choices?.[0]?.delta?.content === PROBE && (!isPadded || chunk.obfuscation === PROBE);
  } catch {
    return false;
  }
}

function isPadded(data: string, at: number, afterPadding: string): boolean {
  const end = endOfString(data, at);
  return (
    PLAIN_STRING.test(data.slice(at, end)) && data.length === end + afterPadding.length && data.endsWith(afterPadding)
  );
}

/** Returns undefined for a text that is no JSON string. */
function parseString(json: string): string | undefined {
  if (PLAIN_STRING.test(json)) return json.slice(1, -1);
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
