import type { MessageInitShape } from '@bufbuild/protobuf';
import type { CompileBody } from '@tollgate/api/runs';
import type { CompileInputSchema } from '@tollgate/contracts/workflow/v1/compile_pb.js';
import { AppError } from '@tollgate/errors';

/** Drafting makes several model calls of some seconds each, and downloading a repository also takes time. */
export const COMPILE_TIMEOUT_MS = 300_000;

/** @throws AppError source_or_files_required unless exactly one of the two is given */
export function compileInput(body: CompileBody): MessageInitShape<typeof CompileInputSchema> {
  const { source, files, model, max_attempts: maxAttempts } = body;
  const rest = { model: model ?? '', maxAttempts };
  if (source && !files) return { ...rest, from: { case: 'source', value: source } };
  if (files && !source) return { ...rest, from: { case: 'files', value: { contentsByPath: files } } };
  throw new AppError('source_or_files_required', 'exactly one of source and files is required');
}
