/** Returns the form in which an email is unique: people write the same address in different case. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase();
}
