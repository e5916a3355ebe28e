import { endpoints } from '../../server/endpoints.js';
import { cancelFileBatch, createFileBatch, getFileBatch, listFileBatches } from './file-batches.js';
import { createFile, deleteFile, getFile, getFileContent, listFiles } from './files.js';

/** OpenAI's files and batches. */
export const batchRouter = endpoints(
  createFile,
  listFiles,
  getFile,
  getFileContent,
  deleteFile,
  createFileBatch,
  listFileBatches,
  getFileBatch,
  cancelFileBatch,
);
