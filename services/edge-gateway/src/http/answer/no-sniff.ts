/** Answers hold what users and models wrote; a browser must not take it for anything but what its type says. */
export const NO_SNIFF = ['X-Content-Type-Options', 'nosniff'] as const;
