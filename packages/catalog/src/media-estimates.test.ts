import { describe, expect, it } from '@jest/globals';
import { loadCatalog } from './load-catalog.js';
import { countCharacters, estimateModeration, estimateSpeech, estimateTranscription } from './media-estimates.js';
import { toPublicModel } from './public-model.js';

const catalog = loadCatalog({ sandbox: true });
const speech = catalog.find('sandbox/speech-1')!;
const transcription = catalog.find('sandbox/transcribe-1')!;

describe('holds for speech and recordings', () => {
  it('estimates speech exactly where characters are sold', () => {
    expect(countCharacters('héllo 👋')).toBe(7);
    expect(estimateSpeech(speech, 'héllo 👋')).toEqual({ inputUnits: 7, outputUnits: 0 });
  });

  it('covers a recording at the lowest rate in use', () => {
    expect(estimateTranscription(transcription, 60_000)).toEqual({ inputUnits: 60, outputUnits: 0 });
  });

  it('covers input and output where tokens are sold', () => {
    const tokens = { ...speech, metered_in: 'tokens' as const };
    expect(estimateSpeech(tokens, 'four')).toEqual({ inputUnits: 4, outputUnits: 16 });
    expect(estimateTranscription(tokens, 1_001)).toEqual({ inputUnits: 50, outputUnits: 16 });
  });

  it('covers the other text of the request, where tokens are sold', () => {
    const tokens = { ...speech, metered_in: 'tokens' as const };
    expect(estimateSpeech(tokens, 'four', 'härter').inputUnits).toBe(4 + 7);
    expect(estimateTranscription(tokens, 1_001, 'names').inputUnits).toBe(50 + 5);
    expect(estimateSpeech(speech, 'four', 'härter').inputUnits).toBe(4);
    expect(estimateTranscription(transcription, 60_000, 'names').inputUnits).toBe(60);
  });
});

describe('estimateModeration', () => {
  const model = catalog.find('sandbox/moderation-1')!;

  it.each([
    ['Grüße 👋', 7],
    [['four', '👋'], 5],
    [
      [
        { type: 'text', text: 'four' },
        { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
      ],
      4,
    ],
    ['', 0],
  ])('counts the characters of %j', (input, inputUnits) => {
    expect(estimateModeration(model, input)).toEqual({ inputUnits, outputUnits: 0 });
  });

  it('bounds the tokens of models that are sold by them', () => {
    expect(estimateModeration({ ...model, metered_in: 'tokens' }, 'Grüße').inputUnits).toBe(7);
  });
});

describe('the public record', () => {
  it('names the unit of a price where it is not tokens, and what such a model serves', () => {
    expect(toPublicModel(transcription)).toMatchObject({ metered_in: 'seconds', serves: 'transcription' });
    expect(toPublicModel(catalog.find('sandbox/echo-1')!)).not.toHaveProperty('metered_in');
  });
});
