/** Where the files of images are kept. Keys are made by this service: letters, digits and dashes. */
export interface ImageStorage {
  put(key: string, bytes: Uint8Array, mimeType: string): Promise<void>;
  /** Undefined when there is no such file. */
  get(key: string): Promise<Uint8Array | undefined>;
  /** Deleting what is not there is no error. */
  delete(key: string): Promise<void>;
}
