import type { CatalogModel } from '@tollgate/catalog';
import { AppError } from '@tollgate/errors';
import { isJsonObject, type JsonObject } from '@tollgate/runtime/json-object';
import { toChild } from './json.js';

/** A model that writes down what the client says. It is billed by itself. */
export interface Transcriber {
  model: CatalogModel;
  /** The client's name of the model. */
  name: string;
  /** Its name at the vendor of the session. */
  upstreamModel: string;
  /** The text that guides it. */
  hints: string;
}

/** The figures of one transcript, in the unit of its model. Seconds are fractions. */
export interface TranscriptUsage {
  inputUnits: number;
  outputUnits: number;
}

/** Returns a priced model for transcripts with its name at the session's vendor. */
export type FindTranscriber = (name: string) => Pick<Transcriber, 'model' | 'upstreamModel'> | undefined;

const FIELD = 'session.audio.input.transcription';

/**
 * Returns what an update of the client says about transcripts: undefined when it says nothing, null when it turns them off.
 *
 * @throws AppError for a model without a price, and for another model than `current`
 */
export function readTranscriber(
  event: JsonObject,
  current: Transcriber | undefined,
  find: FindTranscriber,
): Transcriber | null | undefined {
  const asked = toChild(toChild(toChild(event, 'session'), 'audio'), 'input').transcription;
  if (asked === undefined || asked === null) return asked;
  if (!isJsonObject(asked)) throw refused(FIELD, 'must be an object or null');
  const name = asked.model ?? current?.name;
  if (typeof name !== 'string') throw refused(`${FIELD}.model`, 'is required');
  // Speech that arrives while the vendor changes its model could be billed by either.
  if (current && current.name !== name) throw refused(`${FIELD}.model`, 'cannot change within a session');
  const found = find(name);
  if (!found)
    throw refused(`${FIELD}.model`, `${JSON.stringify(name.slice(0, 128))} is no priced model for transcripts`);
  const hints = typeof asked.prompt === 'string' ? asked.prompt : '';
  return { ...found, name, hints: hints === '' ? (current?.hints ?? '') : hints };
}

/**
 * Reads `usage` of `conversation.item.input_audio_transcription.completed` in the unit of the model. Returns undefined when the
 * vendor reports none in this unit.
 *
 * Source: TranscriptTextUsageTokens and TranscriptTextUsageDuration in the `openai` client library 6.49.
 */
export function readTranscriptUsage({ metered_in: unit }: CatalogModel, usage: unknown): TranscriptUsage | undefined {
  if (!isJsonObject(usage)) return undefined;
  const isTokens = unit === 'tokens';
  const inputUnits = isTokens ? usage.input_tokens : usage.seconds;
  const outputUnits = isTokens ? usage.output_tokens : 0;
  return isCount(inputUnits) && isCount(outputUnits) ? { inputUnits, outputUnits } : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
}

function refused(field: string, message: string): AppError {
  return new AppError('VALIDATION_ERROR', `${field}: ${message}`, { fields: [{ field, message }] });
}
