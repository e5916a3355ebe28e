/** Stands for the words of a model that declined without any: an empty refusal would read like an empty answer. */
export const REFUSAL_TEXT = 'The model declined to answer.';
