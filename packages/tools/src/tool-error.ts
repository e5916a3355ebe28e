/** Codes of failed tool calls that are decided here; each is a code of the closed catalog of `@tollgate/errors`. */
export type ToolErrorCode = 'INVALID_INPUT';

/** A tool call that was refused. The model reads it as the call's result and may try again. */
export interface ToolError<Code extends string = string> {
  error: { code: Code; message: string };
}

/** A refused call in the form in which it is given to the model and to clients. */
export function toolError<Code extends string>(code: Code, message: string): ToolError<Code> {
  return { error: { code, message } };
}

/** Whether the result of a tool call says that it failed. */
export function isToolError(output: unknown): output is ToolError {
  if (typeof output !== 'object' || output === null || !('error' in output)) return false;
  const { error } = output;
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string';
}
