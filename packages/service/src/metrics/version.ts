/** The version of Tollgate: that of every package.json. A bundled service has no package.json to read it from. */
export const VERSION = '0.2.0';
