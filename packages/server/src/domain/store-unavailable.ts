// What every adapter of a remote store throws when the store fails, is late or cannot be reached, and the one way to continue
// without it. Where no caller does, the edge answers MAINTENANCE: nothing is wrong with the request, and a retry will be served.

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

/** The answer, or why the store gave none; any other error is thrown. */
export async function orUnavailable<Answer>(ask: () => Promise<Answer>): Promise<Answer | StoreUnavailable> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof StoreUnavailable) return error
    throw error
  }
}
