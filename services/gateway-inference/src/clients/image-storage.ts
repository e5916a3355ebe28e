/** Stores the files of images. This service chooses the keys: letters, digits and dashes. */
export interface ImageStorage {
  put(key: string, bytes: Uint8Array, mimeType: string): Promise<void>;
  /** Returns undefined if the file does not exist. */
  get(key: string): Promise<Uint8Array | undefined>;
  /** Succeeds also if the file does not exist. */
  delete(key: string): Promise<void>;
}
