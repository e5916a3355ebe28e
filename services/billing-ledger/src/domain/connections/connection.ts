import { connectionId } from '@tollgate/catalog';
import { AppError } from '@tollgate/errors';
import { z } from 'zod';

/** Connections of one project. */
export const CONNECTIONS_PER_PROJECT_MAX = 20;
const MODELS_MAX = 100;
const ENTRY_CHARS_MAX = 32 * 1024;
const SECRETS_CHARS_MAX = 256 * 1024;

/** Whether the installation's routes follow those of the connection. */
export type ConnectionMode = 'prefer' | 'only';

/** A model that a connection serves. */
export interface ConnectedModel {
  /** Id in the catalog. */
  modelId: string;
  /** The provider's name of the model. */
  upstreamModel: string;
}

/** The settings of a connection, without its secrets. */
export interface ConnectionSettings {
  name: string;
  mode: ConnectionMode;
  /** JSON object that the edge has checked; the service that makes the requests reads it. */
  entryJson: string;
  models: readonly ConnectedModel[];
}

const upstreamModel = z.string().min(1).max(200);

/**
 * Checks settings. `findModel` returns the id of a model of the catalog that has prices.
 *
 * @throws AppError VALIDATION_ERROR naming the faulty fields
 */
export function checkConnection(
  { name, mode, entryJson, models }: Omit<ConnectionSettings, 'mode'> & { mode: ConnectionMode | undefined },
  findModel: (name: string) => string | undefined,
): ConnectionSettings {
  const faults: { field: string; message: string }[] = [];
  const add = (field: string, message: string) => faults.push({ field, message });
  const named = connectionId.safeParse(name);
  if (!named.success) add('name', named.error.issues[0]!.message);
  else if (name === 'sandbox') add('name', 'is reserved for the connection without network; choose another one');
  if (!mode) add('mode', 'must be prefer or only');
  if (entryJson.length > ENTRY_CHARS_MAX) add('connection', `must be at most ${ENTRY_CHARS_MAX} characters of JSON`);
  if (models.length < 1 || models.length > MODELS_MAX) add('models', `must be 1 to ${MODELS_MAX}`);
  const known = models.map((model, i) => {
    const modelId = findModel(model.modelId);
    if (modelId === undefined)
      add(`models[${i}].model`, `${model.modelId} is not a model with prices; use an id that GET /api/v1/models lists`);
    if (!upstreamModel.safeParse(model.upstreamModel).success)
      add(`models[${i}].upstream_model`, 'must be 1 to 200 characters');
    return { modelId: modelId ?? '', upstreamModel: model.upstreamModel };
  });
  known.forEach(({ modelId }, i) => {
    const isRepeated = known.findIndex((other) => other.modelId === modelId) < i;
    if (modelId !== '' && isRepeated) add(`models[${i}].model`, 'is listed twice');
  });
  if (faults.length > 0 || !mode)
    throw new AppError('VALIDATION_ERROR', `${faults[0]?.field}: ${faults[0]?.message}`, { fields: faults });
  return { name, mode, entryJson, models: known };
}

const jsonObject = z.record(z.string(), z.unknown());

/**
 * Returns the JSON of the stored secrets with the members that an update brings. Absent JSON brings none.
 *
 * @throws AppError INVALID_INPUT for text that is not a JSON object, or too long
 */
export function mergeSecrets(storedJson: string, givenJson: string): string {
  const merged = JSON.stringify({ ...readObject(storedJson), ...readObject(givenJson) });
  if (merged.length <= SECRETS_CHARS_MAX) return merged;
  throw new AppError('INVALID_INPUT', `the secrets of a connection must be at most ${SECRETS_CHARS_MAX} characters`);
}

/** The message of a syntax error quotes the text, so it is not passed on. */
function readObject(json: string): object {
  if (json === '') return {};
  try {
    return jsonObject.parse(JSON.parse(json));
  } catch {
    throw new AppError('INVALID_INPUT', 'the secrets of a connection must be a JSON object');
  }
}
