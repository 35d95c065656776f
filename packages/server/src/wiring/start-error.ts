// The program cannot start; the message says what the operator can do about it. The code marks the error as explained, so that
// it is printed without its stack.

export class StartError extends Error {
  readonly code = 'CANNOT_START'
}
