/** A reason not to start, in a sentence the person at the terminal can act on. Shown without a stack. */
export class StartupError extends Error {
  override name = 'StartupError'
}
