import { describe, expect, it } from '@jest/globals';
import { type AppError, isAppError } from '@tollgate/errors';
import { checkConnection, mergeSecrets } from './connection.js';

const good = {
  name: 'mine',
  mode: 'prefer' as const,
  entryJson: '{}',
  models: [{ modelId: 'alias', upstreamModel: 'claude' }],
};
const find = (name: string) => (name === 'alias' || name === 'vendor/model' ? 'vendor/model' : undefined);

function listFaults(settings: object): string[] {
  try {
    checkConnection({ ...good, ...settings }, find);
    return [];
  } catch (error) {
    if (!isAppError(error)) throw error;
    return ((error as AppError).fields ?? []).map(({ field, message }) => `${field}: ${message}`);
  }
}

describe('checkConnection', () => {
  it('returns the ids that the catalog has for the models', () => {
    expect(checkConnection(good, find)).toEqual({
      ...good,
      models: [{ modelId: 'vendor/model', upstreamModel: 'claude' }],
    });
  });

  it.each([
    [{ name: 'sandbox' }, 'name: is reserved for the connection without network; choose another one'],
    [{ name: 'No Spaces' }, 'name: must be at most 64 lower-case letters, digits and . _ -'],
    [{ mode: undefined }, 'mode: must be prefer or only'],
    [{ models: [] }, 'models: must be 1 to 100'],
    [{ entryJson: 'x'.repeat(40_000) }, 'connection: must be at most 32768 characters of JSON'],
    [
      { models: [{ modelId: 'free', upstreamModel: 'x' }] },
      'models[0].model: free is not a model with prices; use an id that GET /api/v1/models lists',
    ],
    [{ models: [{ modelId: 'alias', upstreamModel: '' }] }, 'models[0].upstream_model: must be 1 to 200 characters'],
    [{ models: [...good.models, { modelId: 'vendor/model', upstreamModel: 'y' }] }, 'models[1].model: is listed twice'],
  ])('rejects %j', (settings, fault) => {
    expect(listFaults(settings)).toEqual([fault]);
  });
});

describe('mergeSecrets', () => {
  it('replaces the given members and keeps the others', () => {
    expect(JSON.parse(mergeSecrets('{"keys":[1],"headers":{"a":"b"}}', '{"keys":[2]}'))).toEqual({
      keys: [2],
      headers: { a: 'b' },
    });
  });

  it('rejects text that is not a JSON object without quoting it', () => {
    expect(() => mergeSecrets('', 'sk-secret')).toThrow('the secrets of a connection must be a JSON object');
    expect(() => mergeSecrets('', `{"keys":"${'k'.repeat(300_000)}"}`)).toThrow('at most 262144 characters');
  });
});
