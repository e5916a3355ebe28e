/**
 * The settings that a Claude model supports. The vendor answers 400 to others, so they are not sent.
 *
 * Source: platform.claude.com/docs/en/models/{opus-5-5,sonnet-5-5,haiku-5-5,fable-5-1,opus-5,sonnet-5}/migration-guide
 * and /docs/en/build-with-claude/{effort,adaptive-thinking}, read 2026-11-20.
 */
export interface ModelTraits {
  /** Temperature and top_p. */
  hasSampling: boolean;
  /** How reasoning is set: by a level, by a token budget, or not at all. */
  reasoning: 'effort' | 'budget' | 'none';
  /** The setting that disables reasoning; undefined if the model always reasons. */
  thinkingOff: { type: 'disabled' | 'between_tools' } | undefined;
  /** Whether a tool call can be forced. */
  canForceTools: boolean;
  /** Whether it continues an assistant's message that ends the conversation. */
  hasPrefill: boolean;
}

const modern = {
  hasSampling: false,
  reasoning: 'effort',
  canForceTools: true,
  hasPrefill: false,
  thinkingOff: { type: 'disabled' },
} as const;

/** The first match applies. Unknown models are treated as the newest kind, which supports the fewest settings. */
const traits: readonly (readonly [name: RegExp, traits: ModelTraits])[] = [
  [/^claude-(opus-5-5|fable|mythos)/, { ...modern, canForceTools: false, thinkingOff: undefined }],
  [/^claude-sonnet-5-5/, { ...modern, canForceTools: false, thinkingOff: { type: 'between_tools' } }],
  [/^claude-(opus-5|sonnet-5|haiku-5|opus-4-[78])/, modern],
  [/^claude-(opus|sonnet)-4-6/, { ...modern, hasSampling: true }],
  [/^claude-(opus|sonnet|haiku)-4/, { ...modern, hasSampling: true, hasPrefill: true, reasoning: 'budget' }],
  [/^claude-3/, { ...modern, hasSampling: true, hasPrefill: true, reasoning: 'none', thinkingOff: undefined }],
  [/^claude/, { ...modern, canForceTools: false, thinkingOff: undefined }],
];

/** Compatible servers with other models support all settings. */
const foreign: ModelTraits = { ...modern, hasSampling: true, hasPrefill: true };

export function findTraits(upstreamModel: string): ModelTraits {
  return traits.find(([name]) => name.test(upstreamModel))?.[1] ?? foreign;
}
