import { z } from 'zod';
import { openAiErrorSchema } from '../values/errors.js';

const modelName = z.string().min(1).max(256);

/** Body of `POST /v1/audio/speech`. Source: the request types of the official `openai` client library, version 6.49. */
export const speechBody = z.looseObject({
  model: modelName,
  input: z.string().min(1, 'must not be empty').max(4_096),
  voice: z.union([z.string().min(1).max(256), z.looseObject({ id: z.string().min(1).max(256) })]),
  instructions: z.string().max(4_096).nullish(),
  response_format: z.enum(['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm']).nullish(),
  speed: z.number().min(0.25).max(4).nullish(),
  /** `sse`: the audio in events, with the usage in the last one. */
  stream_format: z.enum(['audio', 'sse']).nullish(),
});

/** Forms send text only. */
const number = (min: number, max: number) =>
  z.string().refine((value) => value.trim() !== '' && Number(value) >= min && Number(value) <= max, {
    error: `must be a number from ${min} to ${max}`,
  });

const shared = {
  model: modelName,
  prompt: z.string().max(8_192).optional(),
  temperature: number(0, 1).optional(),
};

const streamedFormats: readonly string[] = ['json', 'diarized_json'];

/** Fields of the form of `POST /v1/audio/transcriptions`, in addition to `file`. */
export const transcriptionForm = z
  .looseObject({
    ...shared,
    language: z.string().max(16).optional(),
    response_format: z.enum(['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json']).optional(),
    /** `true`: the transcript in events, with the usage in the last one. */
    stream: z.enum(['true', 'false']).optional(),
  })
  .refine((form) => form.stream !== 'true' || streamedFormats.includes(form.response_format ?? 'json'), {
    path: ['response_format'],
    error: `must be ${streamedFormats.join(' or ')} with stream`,
  });

/** Fields of the form of `POST /v1/audio/translations`, in addition to `file`. */
export const translationForm = z.looseObject({
  ...shared,
  stream: z.literal('false', { error: 'translations cannot be streamed' }).optional(),
  response_format: z.enum(['json', 'text', 'srt', 'verbose_json', 'vtt']).optional(),
});

/** The data of one event of streamed speech, of the type `speech.audio.delta` or `speech.audio.done`. */
export const speechEventSchema = z.union([z.looseObject({ type: z.string() }), openAiErrorSchema]);

/** The data of one event of a streamed transcript, for example of the type `transcript.text.delta`. */
export const transcriptEventSchema = z.union([z.looseObject({ type: z.string() }), openAiErrorSchema]);

export const transcriptionResponse = z.looseObject({ text: z.string() });

export type SpeechBody = z.output<typeof speechBody>;
