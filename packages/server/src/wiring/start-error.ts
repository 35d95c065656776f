// The program cannot start as things are, and its message tells the person who started it what to do about it.
// The code marks it as explained: whoever prints it leaves the stack out.

export class StartError extends Error {
  readonly code = 'CANNOT_START'
}
