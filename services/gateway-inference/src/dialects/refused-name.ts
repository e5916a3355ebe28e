/** Most characters of a function's name at OpenAI, which does not allow dots either. */
const NAME_CHARS_MAX = 64;

/** Whether OpenAI refuses a function of this name, which is accepted here: such a body is converted. */
export function isRefusedName(name: string): boolean {
  return name.length > NAME_CHARS_MAX || name.includes('.');
}
