// The fault of a failed call, as it is stored and logged: what the adapter saw, the address of the model, and nothing of the prompt.
import { messageText } from './model-message.ts'
import type { ModelMessage } from './model-message.ts'
import type { ModelErrorClass } from './model-part.ts'
import { withoutEcho } from './vendor-fault.ts'
import type { VendorFault } from './vendor-fault.ts'

interface FailedCall {
  readonly class: ModelErrorClass
  readonly fault?: VendorFault | undefined
}

/** Returns no fault for a call that we ended ourselves. */
export function faultOf(
  { class: errorClass, fault }: FailedCall,
  { host, messages }: { readonly host: string | undefined; readonly messages: readonly ModelMessage[] },
): { readonly fault?: VendorFault } {
  if (errorClass === 'cancelled' || (fault === undefined && host === undefined)) return {}
  const prompt = messages.map(messageText).join('\n')
  return { fault: withoutEcho({ ...(host === undefined ? {} : { host }), ...fault }, prompt) }
}
