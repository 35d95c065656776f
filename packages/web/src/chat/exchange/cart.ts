// "Add to cart" on a card. The chat has no cart of its own: it asks the page with an event, and shows what the page answers.
// A page that has a cart calls `preventDefault` and then `done`; without an answer nothing is claimed.
interface CartResult {
  readonly ok: boolean
  /** Shown as it is, in the page's language; without it the chat shows its own text. */
  readonly message?: string
  /** The address of the cart; relative ones start from the page. It is linked when answers may link to its host. */
  readonly href?: string
}

/** The detail of `manga-assist-cart`. */
interface CartRequest {
  readonly productId: string
  /** The number of the volume, from 1. */
  readonly volume: number
  readonly quantity: number
  /** Reports whether it is in the cart. Only the first call counts. */
  readonly done: (result: CartResult) => void
}

export type CartState =
  | { readonly type: 'adding'; readonly volume: number }
  | { readonly type: 'added'; readonly volume: number; readonly message?: string; readonly href?: string }
  | { readonly type: 'failed'; readonly volume: number; readonly message?: string }

export interface Cart {
  stateOf(key: string): CartState | undefined
  add(key: string, line: Pick<CartRequest, 'productId' | 'volume'>): void
  close(): void
}

const cartEvent = 'manga-assist-cart'
/** A page that has not answered by then is not waited for. */
const answerWithinMs = 15_000
const messageCharactersMax = 200

export interface CartParts {
  readonly changed: () => void
  readonly dispatch: (event: CustomEvent<CartRequest>) => boolean
}

export function createCart({ changed, dispatch }: CartParts): Cart {
  const states = new Map<string, CartState>()
  const timers = new Set<ReturnType<typeof setTimeout>>()

  function become(key: string, state: CartState): void {
    states.set(key, state)
    changed()
  }

  return {
    stateOf: (key) => states.get(key),
    add(key, { productId, volume }) {
      if (states.get(key)?.type === 'adding') return
      become(key, { type: 'adding', volume })
      let isOpen = true
      const settle = (result: CartResult): void => {
        if (!isOpen) return
        isOpen = false
        clearTimeout(timer)
        timers.delete(timer)
        become(key, { type: result.ok ? 'added' : 'failed', volume, ...messageOf(result), ...hrefOf(result) })
      }
      const timer = setTimeout(() => settle({ ok: false }), answerWithinMs)
      timers.add(timer)
      const detail: CartRequest = { productId, volume, quantity: 1, done: settle }
      const isIgnored = dispatch(
        new CustomEvent(cartEvent, { detail, bubbles: true, composed: true, cancelable: true }),
      )
      if (isIgnored) settle({ ok: false })
    },
    close() {
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
    },
  }
}

/** The page is not trusted to send a string, here and below. */
function messageOf({ message }: CartResult): { readonly message?: string } {
  return typeof message === 'string' && message !== '' ? { message: message.slice(0, messageCharactersMax) } : {}
}

/** Absolute, since the chat resolves links against its server. In our frame the page has done it. */
function hrefOf({ href }: CartResult): { readonly href?: string } {
  const address = typeof href === 'string' && href !== '' ? URL.parse(href, document.baseURI) : null
  return address === null ? {} : { href: address.href }
}
