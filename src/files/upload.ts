/** A file as a form sent it, not yet examined. */
export interface Upload {
  /** As the visitor's device names it: for messages only. */
  fileName: string
  bytes: Buffer
}
