/** Keeps browsers from guessing another content type: answers contain text from users and models. */
export const NO_SNIFF = ['X-Content-Type-Options', 'nosniff'] as const;
