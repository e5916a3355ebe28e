type Json = Record<string, unknown>;

/** Settings with which the vendor begins a session. */
export function defaultSession(id: string, model: string): Json {
  return {
    object: 'realtime.session',
    type: 'realtime',
    id,
    model,
    output_modalities: ['audio'],
    instructions: 'You are a helpful assistant.',
    tools: [],
    tool_choice: 'auto',
    max_output_tokens: 'inf',
    truncation: 'auto',
    audio: {
      input: {
        format: { type: 'audio/pcm', rate: 24_000 },
        transcription: null,
        noise_reduction: null,
        turn_detection: {
          type: 'server_vad',
          threshold: 0.5,
          prefix_padding_ms: 300,
          silence_duration_ms: 500,
          idle_timeout_ms: null,
          create_response: true,
          interrupt_response: true,
        },
      },
      output: { format: { type: 'audio/pcm', rate: 24_000 }, voice: 'alloy' },
    },
  };
}

/** Sets the members of the update; objects below them are merged, lists replaced. */
export function merge(current: Json, update: Json): Json {
  const merged: Json = { ...current };
  for (const [name, value] of Object.entries(update)) {
    const known = merged[name];
    merged[name] = isObject(value) && isObject(known) ? merge(known, value) : value;
  }
  return merged;
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
