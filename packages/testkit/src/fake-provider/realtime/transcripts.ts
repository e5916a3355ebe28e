/** A transcript of speech that the fake wrote, with the usage that the vendor would bill. */
export interface RealtimeTranscriptEntry {
  model: string;
  /** Of the speech, for models that are sold by its length. */
  seconds: number;
  inputTokens: number;
  outputTokens: number;
}

const TOKENS_PER_SECOND = 10;
const TRANSCRIPT_TOKENS = 3;

export function toTranscript(model: string, ms: number): RealtimeTranscriptEntry {
  const seconds = ms / 1_000;
  return { model, seconds, inputTokens: Math.ceil(seconds * TOKENS_PER_SECOND), outputTokens: TRANSCRIPT_TOKENS };
}

/** `usage` of the event: by length for whisper-1, by tokens for others. */
export function toTranscriptUsage({ model, seconds, inputTokens, outputTokens }: RealtimeTranscriptEntry): object {
  if (model === 'whisper-1') return { type: 'duration', seconds };
  return {
    type: 'tokens',
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    input_token_details: { audio_tokens: inputTokens, text_tokens: 0 },
  };
}
