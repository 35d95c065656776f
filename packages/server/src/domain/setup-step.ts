// One thing that a store needs before a server can use it, such as a table: whether it is there, and how to make it.

export interface SetupStep {
  /** What should be there, as a noun: `table mangaassist-sessions`. */
  readonly what: string
  /**
   * `unknown`: it could not be checked; `detail` says why. `not-offered`: this server, an emulator, cannot have it.
   */
  readonly state: 'present' | 'missing' | 'differs' | 'unknown' | 'not-offered'
  /** What will be made, what differs, or why nothing is known. */
  readonly detail?: string
  /** What an operator does about an unknown state, where the store knows it. */
  readonly fix?: string
  /** A server can serve without it, though it should be there. */
  readonly isOptional?: true
  /**
   * Makes it, or changes what differs; `not-offered`: this server cannot have it. Absent: it has to be done by hand, as `detail` says.
   */
  readonly apply?: () => Promise<void | 'not-offered'>
}

/** What one store needs, and the rights that a server needs there. */
export interface StoreSetup {
  /** Where it is, for the reader: `DynamoDB in ap-northeast-1`. */
  readonly store: string
  readonly steps: readonly SetupStep[]
  /** Policies in the language of the store's owner (IAM), each with what it is for. */
  readonly policies: readonly { readonly purpose: string; readonly policy: object }[]
}
