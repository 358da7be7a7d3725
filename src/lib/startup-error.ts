/** A reason not to start, told in a sentence that the person at the terminal can act on. Shown without a stack. */
export class StartupError extends Error {
  override name = 'StartupError'
}
