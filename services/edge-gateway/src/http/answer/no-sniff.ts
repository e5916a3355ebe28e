/** Answers contain text of users and models. Browsers must not interpret it as another type than the declared one. */
export const NO_SNIFF = ['X-Content-Type-Options', 'nosniff'] as const;
