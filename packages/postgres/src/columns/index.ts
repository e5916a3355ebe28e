// The encoders of batches that statements in .sql files receive.
export { arrayLiteral } from './array-literal.js';
export { bigintArray, binaryArray, byteaArray, type ElementType, textArray, uuidArray } from './binary-arrays.js';
