// Why a search engine gave no answer. A message never contains the question, a credential or the body of a response.
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import type { StoreUnavailableOptions } from '#domain/store-unavailable.ts'

/** `overload`: it is to be asked less. `refused`: it answered that we must not, or that it does not understand us. */
export type EngineFailureKind = 'overload' | 'refused' | 'unreachable' | 'late'

export class EngineFailure extends StoreUnavailable {
  readonly kind: EngineFailureKind
  readonly status: number | undefined

  constructor(
    kind: EngineFailureKind,
    message: string,
    { status, ...options }: StoreUnavailableOptions & { readonly status?: number } = {},
  ) {
    super(message, options)
    this.kind = kind
    this.status = status
  }
}
