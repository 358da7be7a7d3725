/** A file from a form, not yet checked. */
export interface Upload {
  /** The name on the visitor's device: for messages only. */
  fileName: string
  bytes: Buffer
}
