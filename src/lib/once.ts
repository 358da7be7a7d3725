/** Created on the first call and kept; a failure is not kept. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make().catch(error => {
      made = undefined
      throw error
    })
    return made
  }
}

/** Runs once at a time: all who ask before the answer is there get the same. */
export function shared<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined
  return () => {
    reading ??= read().finally(() => {
      reading = undefined
    })
    return reading
  }
}
