/** Packages with native code: a bundle loads them from node_modules. */
export const NATIVE = ['@node-rs/argon2'];

/** Packages that worker threads load from node_modules, beside the bundle. */
export const IN_WORKERS = ['@guanmingchiu/sqlparser-ts', 'html-to-text'];

/** Optional parts of bundled packages that are not installed. */
export const ABSENT = ['pg-native'];
