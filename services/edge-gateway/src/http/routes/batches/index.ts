import { endpoints } from '../../server/endpoints.js';
import { cancelFileBatch } from './cancel-file-batch.js';
import { createFile } from './create-file.js';
import { createFileBatch } from './create-file-batch.js';
import { deleteFile } from './delete-file.js';
import { getFile } from './get-file.js';
import { getFileBatch } from './get-file-batch.js';
import { getFileContent } from './get-file-content.js';
import { listFileBatches } from './list-file-batches.js';
import { listFiles } from './list-files.js';

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
