/** The form of a route's error bodies. Chosen per route, or per client where two vendors' libraries call it. */
export type ErrorShape = 'native' | 'simple' | 'images' | 'openai' | 'anthropic' | 'google';
