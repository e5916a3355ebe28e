/**
 * What a Claude model takes. The vendor answers 400 to settings that a model has lost, so they are not sent to it.
 *
 * Source: platform.claude.com/docs/en/models/{opus-5-5,sonnet-5-5,haiku-5-5,fable-5-1,opus-5,sonnet-5}/migration-guide
 * and /docs/en/build-with-claude/{effort,adaptive-thinking}, read 2026-11-20.
 */
export interface ModelTraits {
  /** Temperature and top_p. */
  hasSampling: boolean;
  /** How much it reasons: by a level, by a budget of tokens, or not to be told. */
  reasoning: 'effort' | 'budget' | 'none';
  /** What to send so that it does not reason; undefined when it always does. */
  thinkingOff: { type: 'disabled' | 'between_tools' } | undefined;
  /** Whether a call of a tool can be demanded. */
  canForceTools: boolean;
}

const modern = {
  hasSampling: false,
  reasoning: 'effort',
  canForceTools: true,
  thinkingOff: { type: 'disabled' },
} as const;

/** First match counts; unknown models are taken for the newest kind, which takes the least. */
const traits: readonly (readonly [name: RegExp, traits: ModelTraits])[] = [
  [/^claude-(opus-5-5|fable|mythos)/, { ...modern, canForceTools: false, thinkingOff: undefined }],
  [/^claude-sonnet-5-5/, { ...modern, canForceTools: false, thinkingOff: { type: 'between_tools' } }],
  [/^claude-(opus-5|sonnet-5|haiku-5|opus-4-[78])/, modern],
  [/^claude-(opus|sonnet)-4-6/, { ...modern, hasSampling: true }],
  [/^claude-(opus|sonnet|haiku)-4/, { ...modern, hasSampling: true, reasoning: 'budget' }],
  [/^claude-3/, { ...modern, hasSampling: true, reasoning: 'none', thinkingOff: undefined }],
  [/^claude/, { ...modern, canForceTools: false, thinkingOff: undefined }],
];

/** Servers that speak the dialect with models of their own take everything. */
const foreign: ModelTraits = { ...modern, hasSampling: true };

export function traitsOf(upstreamModel: string): ModelTraits {
  return traits.find(([name]) => name.test(upstreamModel))?.[1] ?? foreign;
}
