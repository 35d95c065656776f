// The error that every adapter of a remote store throws when the store fails, is late or cannot be reached, and the one helper for
// callers that continue without the store. If no caller handles it, the edge answers MAINTENANCE, so that the client retries.

export interface StoreUnavailableOptions extends ErrorOptions {
  /** Default: true, the safe assumption. */
  readonly mayHaveHappened?: boolean
}

export class StoreUnavailable extends Error {
  /** Whether the store may have executed the call although no answer came. False: the call was never sent. */
  readonly mayHaveHappened: boolean

  constructor(message: string, options: StoreUnavailableOptions = {}) {
    super(message, options)
    this.name = 'StoreUnavailable'
    this.mayHaveHappened = options.mayHaveHappened ?? true
  }
}

/** Returns the answer, or the `StoreUnavailable` error as a value; any other error is thrown. */
export async function orUnavailable<Answer>(ask: () => Promise<Answer>): Promise<Answer | StoreUnavailable> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof StoreUnavailable) return error
    throw error
  }
}
