/** The form in which an e-mail address is unique: people write the same one in different case. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase();
}
