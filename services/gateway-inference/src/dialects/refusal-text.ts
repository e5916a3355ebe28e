/** Text of a refusal that has none: an empty refusal would look like an empty answer. */
export const REFUSAL_TEXT = 'The model declined to answer.';
