// The cart in the browser: "Add to cart" of a series page and of the chat's cards stays on the page, says what happened, and counts in
// the head. Without this script the forms do the same by loading pages.
import type { AddedToCart } from '@mangaassist/protocol'
import type { Navigation } from './navigation.ts'

interface CartRequested {
  readonly productId: string
  readonly volume: number
  readonly quantity: number
  readonly done: (result: { readonly ok: boolean; readonly message?: string; readonly href?: string }) => void
}

type Outcome = { readonly ok: true; readonly added: AddedToCart } | { readonly ok: false; readonly message?: string }

const answerWithinMs = 12_000
const noteMs = 8000

export function startCart({ go }: Pick<Navigation, 'go'>): void {
  const status = document.createElement('div')
  status.className = 'cart-status'
  status.setAttribute('role', 'status')
  document.body.append(status)
  let hiding: ReturnType<typeof setTimeout> | undefined

  function note(text: string, link?: { readonly text: string; readonly href: string }): void {
    clearTimeout(hiding)
    const anchor = document.createElement('a')
    if (link !== undefined) Object.assign(anchor, { href: link.href, textContent: link.text })
    status.replaceChildren(text, ...(link === undefined ? [] : [anchor]))
    status.toggleAttribute('data-shown', true)
    hiding = setTimeout(() => status.removeAttribute('data-shown'), noteMs)
  }

  async function addFrom(form: HTMLFormElement): Promise<void> {
    const fields = fieldsOf(form)
    const volume = fields.get('volume')
    const words = form.dataset
    const button = form.querySelector('button')
    button?.toggleAttribute('disabled', true)
    const outcome = await add({
      productId: fields.get('productId') ?? '',
      volumes: volume === 'all' ? 'all' : [Number(volume)],
    })
    button?.toggleAttribute('disabled', false)
    button?.focus()
    if (!outcome.ok) return note(outcome.message ?? words['failed'] ?? '')
    const { length } = outcome.added.added
    const text = length === 0 ? words['nothing'] : words['added']?.replace('{n}', String(length))
    note(text ?? '', { text: words['view'] ?? '', href: fields.get('next') ?? '/cart' })
  }

  document.addEventListener('submit', (event) => {
    const form = event.target
    if (!(form instanceof HTMLFormElement)) return
    if (form.hasAttribute('data-cart')) {
      event.preventDefault()
      void addFrom(form)
    } else if (form.hasAttribute('data-post')) {
      event.preventDefault()
      void post(form, go)
    }
  })
  document.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLSelectElement && target.form?.hasAttribute('data-post') === true)
      target.form.requestSubmit()
  })
  document.addEventListener('manga-assist-cart', (event) => {
    const { done, productId, quantity, volume } = (event as CustomEvent<CartRequested>).detail
    const report = (outcome: Outcome): void => done(outcome.ok ? { ok: true, href: cartAddress() } : outcome)
    event.preventDefault()
    void add({ productId, volumes: [volume], quantity }).then(report)
  })
}

/** A repeat of the same request, by the browser or on the way, adds nothing twice. */
async function add(request: object): Promise<Outcome> {
  try {
    const response = await fetch('/api/cart/items', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-language': document.documentElement.lang },
      body: JSON.stringify({ ...request, idempotencyKey: newKey() }),
      signal: AbortSignal.timeout(answerWithinMs),
    })
    const body = (await response.json()) as { data?: AddedToCart; error?: { message: string } }
    if (body.data === undefined)
      return { ok: false, ...(body.error === undefined ? {} : { message: body.error.message }) }
    showCount(body.data.cart.count)
    return { ok: true, added: body.data }
  } catch {
    return { ok: false }
  }
}

/** Not `randomUUID`, which is missing on pages over plain http. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** In the language of the page. */
function cartAddress(): string {
  return document.querySelector<HTMLAnchorElement>('[data-testid="cart-link"]')?.href ?? '/cart'
}

function showCount(count: number): void {
  const link = document.querySelector<HTMLElement>('[data-testid="cart-link"]')
  if (link === null) return
  const { label = '', labelWith = '' } = link.dataset
  link.dataset['count'] = String(count)
  const name = link.querySelector('[data-cart-name]')
  if (name !== null) name.textContent = count === 0 ? label : labelWith.replace('{n}', String(count))
  link.querySelector('.badge')?.remove()
  if (count === 0) return
  const badge = document.createElement('span')
  badge.className = 'badge'
  badge.setAttribute('aria-hidden', 'true')
  badge.textContent = String(count)
  link.append(badge)
}

function fieldsOf(form: HTMLFormElement): URLSearchParams {
  const fields = new URLSearchParams()
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') fields.set(name, value)
  return fields
}

/** Sends a form as the browser would, and shows the page that it leads to in place; on a failure the browser does it. */
async function post(form: HTMLFormElement, go: Navigation['go']): Promise<void> {
  const body = fieldsOf(form)
  try {
    const response = await fetch(form.action, { method: 'POST', body, signal: AbortSignal.timeout(answerWithinMs) })
    await go(response.url)
  } catch {
    form.removeAttribute('data-post')
    form.submit()
  }
}
