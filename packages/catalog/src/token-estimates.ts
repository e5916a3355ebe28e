import type { CatalogModel } from './model-record.js';
import { type ProviderToolKind, reserveForResults } from './provider-tools.js';
import { countSandboxTokens, SANDBOX_TOKENS_PER_FILE, SANDBOX_TOKENS_PER_MESSAGE } from './sandbox-tokens.js';

/** The parts of a request that a model reads. */
export interface RequestInput {
  /** The text of each message, tool-call arguments and tool results included. */
  messages: readonly string[];
  /** Other text the model sees: tool definitions, output schemas, as JSON. */
  extras?: readonly string[];
  /** Attached files, decoded size. */
  files?: readonly { mimeType: string; bytes: number }[];
  /** Reasoning that comes back to the vendor that sealed it; others do not read it. */
  sealedBytes?: number;
  /** Tools that the vendor may run on its side. */
  providerTools?: readonly ProviderToolKind[];
  /** The vendor is asked to cache the prompt for an hour. */
  cachesForHour?: true;
  /** The service tier that is asked for, by the vendor's name. */
  serviceTier?: string;
}

/** Markup around a message in any vendor's chat format: role, separators, names. */
const MARKUP_TOKENS_PER_MESSAGE = 16;
/** The instructions that vendors put in front of tool definitions and output schemas. */
const PREAMBLE_TOKENS_WITH_EXTRAS = 1024;
/** The most expensive image of the vendors in the catalog, at full resolution. */
const TOKENS_PER_IMAGE_MAX = 16_384;
/** A page of a document is read as text and as an image, so even a tiny file costs this. */
const TOKENS_PER_DOCUMENT_MIN = 16_384;
/** Bytes of UTF-8 per token in ordinary text, over the vocabularies in use. */
const TYPICAL_BYTES_PER_TOKEN = 4;
const TYPICAL_TOKENS_PER_MESSAGE = 4;
const TYPICAL_TOKENS_PER_IMAGE = 1024;
/** Documents and audio: a compressed page or second has far fewer tokens than bytes. */
const TYPICAL_FILE_BYTES_PER_TOKEN = 16;

/**
 * An upper bound of the request's input tokens, for the hold before dispatch. Exact for the sandbox. For every other
 * model: the UTF-8 bytes of all text plus the chat format's markup, because a byte-level BPE starts from one token per
 * byte and only ever merges, so it never makes more tokens than there are bytes; what the server's chat template adds; and
 * never more than the context window, since longer requests are refused (`exceedsContextWindow`). A plain string is a text
 * to embed: one message without a template. Includes the results of tools that the vendor may run.
 */
export function estimateInputTokens(model: CatalogModel, input: RequestInput | string): number {
  const request = typeof input === 'string' ? { messages: [input] } : input;
  if (model.tokenizer === 'sandbox') return countSandboxInput(request);
  const template = typeof input === 'string' ? 0 : model.prompt_overhead_tokens;
  const bound = sum(request.messages, boundOfMessage) + boundOfRest(request) + template;
  const read = Math.min(bound, model.context_window);
  return read + reserveForResults(request.providerTools ?? []);
}

/** The bound of one message, with its markup. */
export function boundOfMessage(text: string): number {
  return byteLength(text) + MARKUP_TOKENS_PER_MESSAGE;
}

/** The bound of everything other than the messages. */
export function boundOfRest({ extras = [], files = [], sealedBytes = 0 }: RequestInput): number {
  const preamble = extras.length > 0 ? PREAMBLE_TOKENS_WITH_EXTRAS : 0;
  return sum(extras, byteLength) + preamble + sum(files, boundOfFile) + sealedBytes;
}

/**
 * The likely input tokens, to charge (marked as estimated) when a provider gave no figure. Exact for the sandbox; about
 * a quarter of the bytes otherwise, since the bound above would overcharge ordinary text fourfold.
 */
export function likelyInputTokens(model: CatalogModel, input: RequestInput | string): number {
  const request = typeof input === 'string' ? { messages: [input] } : input;
  const likely = uncappedLikelyTokens(model, request);
  return model.tokenizer === 'sandbox' ? likely : Math.min(likely, model.context_window);
}

/**
 * Whether a request exceeds the model's window and must be refused. Uses the likely count, so a request near the limit
 * may pass and be refused by its provider.
 */
export function exceedsContextWindow(model: CatalogModel, input: RequestInput): boolean {
  return uncappedLikelyTokens(model, input) > model.context_window;
}

/**
 * The likely number of tokens of delivered output, by its bytes, for a stream that ended before its provider reported
 * usage.
 */
export function likelyOutputTokens(bytes: number): number {
  return Math.ceil(bytes / TYPICAL_BYTES_PER_TOKEN);
}

/**
 * Input tokens by the sandbox's rule: per message, one token per 4 bytes of UTF-8 text (rounded up) and 4 more; for
 * each tool definition and schema, one token per 4 bytes (rounded up); 256 per file.
 */
export function countSandboxInput(input: RequestInput): number {
  return (
    sum(input.messages, (text) => countSandboxTokens(text) + SANDBOX_TOKENS_PER_MESSAGE) +
    sum(input.extras ?? [], countSandboxTokens) +
    (input.files?.length ?? 0) * SANDBOX_TOKENS_PER_FILE
  );
}

function uncappedLikelyTokens(model: CatalogModel, input: RequestInput): number {
  if (model.tokenizer === 'sandbox') return countSandboxInput(input);
  return (
    sum(input.messages, (text) => typicalTokens(text) + TYPICAL_TOKENS_PER_MESSAGE) +
    sum(input.extras ?? [], typicalTokens) +
    sum(input.files ?? [], likelyTokensOfFile)
  );
}

function likelyTokensOfFile(file: { mimeType: string; bytes: number }): number {
  return isImage(file.mimeType) ? TYPICAL_TOKENS_PER_IMAGE : Math.ceil(file.bytes / TYPICAL_FILE_BYTES_PER_TOKEN);
}

function boundOfFile(file: { mimeType: string; bytes: number }): number {
  return isImage(file.mimeType) ? TOKENS_PER_IMAGE_MAX : Math.max(file.bytes, TOKENS_PER_DOCUMENT_MIN);
}

function isImage(mimeType: string): boolean {
  return mimeType.toLowerCase().startsWith('image/');
}

function typicalTokens(text: string): number {
  return Math.ceil(byteLength(text) / TYPICAL_BYTES_PER_TOKEN);
}

function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

function sum<Item>(items: readonly Item[], amountOf: (item: Item) => number): number {
  return items.reduce((total, item) => total + amountOf(item), 0);
}
