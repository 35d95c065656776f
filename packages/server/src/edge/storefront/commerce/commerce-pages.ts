// The pages of cart, checkout, orders and sign-in, and the forms on them. Each belongs to one reader and is never stored by a cache. A form
// that is refused leads back to its page, whose address names the error.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DEMO_MEMBERS, demoMemberOf } from '#domain/identity/demo-members.ts'
import { Refusal } from '#domain/refusal.ts'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import type { From } from '#services/commerce/carts.ts'
import { formIn, ownPath } from '../../http/forms.ts'
import { invalid } from '../../http/problem.ts'
import type { HttpParts, Routes } from '../../http/route-parts.ts'
import type { Identity } from '../../identity/auth.ts'
import { NEVER_STORED } from '../../identity/guest-cookie.ts'
import { identifyRequest } from '../../identity/identify-request.ts'
import { hrefIn, LANGUAGES } from '../addresses.ts'
import { contextOf } from '../store-context.ts'
import type { StoreContext, StorePage } from '../store-page.ts'
import { cartPage, checkoutPage, unavailablePage } from './cart-page.ts'
import { orderPage, ordersPage } from './orders-page.ts'
import { errorWord } from './parts.ts'
import { signInPage } from './sign-in-page.ts'

export type CommercePagesParts = Pick<HttpParts, 'app' | 'config' | 'findNetwork' | 'identify' | 'random'>

interface ReaderRequest {
  readonly parts: CommercePagesParts
  readonly identity: Identity
  readonly network: string
  readonly context: StoreContext
  readonly params: Readonly<Record<string, string>>
  readonly search: URLSearchParams
}

/** Undefined when the page does not exist. */
type MakePage = (request: ReaderRequest) => Promise<StorePage | undefined>

const cart: MakePage = async ({ context, identity, parts, search }) =>
  cartPage(
    {
      cart: await parts.app.commerce.cart(identity.principal),
      error: search.get('error'),
      isDemo: parts.config.demo,
      member: demoMemberOf(identity.principal.id),
    },
    context,
  )

/** The Japanese path of each page; the English one has `/en` before it. */
const PAGES: Readonly<Record<string, MakePage>> = { '/cart': cart }

/** These exist in the demo only. */
const DEMO_PAGES: Readonly<Record<string, MakePage>> = {
  '/checkout': async (request) => {
    const { context, identity, parts, search } = request
    const view = await parts.app.commerce.cart(identity.principal)
    // What cannot be ordered is shown, with its reason, in the cart.
    if (!view.canOrder) return cart(request)
    return checkoutPage({ cart: view, error: search.get('error'), key: parts.random.id('checkout') }, context)
  },
  '/orders': async ({ context, identity, network, parts, search }) =>
    ordersPage(
      {
        orders: await parts.app.commerce.orders(identity.principal, { network }),
        error: search.get('error'),
        timeZone: parts.config.store.timeZone,
      },
      context,
    ),
  '/orders/:id': async ({ context, identity, params, parts, search }) => {
    const order = await orNone(parts.app.commerce.order(identity.principal, params['id'] ?? ''))
    const { timeZone } = parts.config.store
    return order === undefined ? undefined : orderPage({ order, isNew: search.has('new'), timeZone }, context)
  },
  '/sign-in': async ({ context, identity }) =>
    signInPage({ members: DEMO_MEMBERS, current: demoMemberOf(identity.principal.id) }, context),
}

export interface PageDoors {
  readonly send: (exchange: Exchange, page: StorePage) => Promise<FastifyReply>
  readonly sendMissing: (exchange: Exchange) => Promise<FastifyReply>
}

interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly identity: Identity
}

export function commercePages(http: Routes, parts: CommercePagesParts, { send, sendMissing }: PageDoors): void {
  const { config } = parts
  const pages = config.demo ? { ...PAGES, ...DEMO_PAGES } : PAGES
  for (const [path, make] of Object.entries(pages))
    for (const language of LANGUAGES)
      http.route({
        method: ['GET', 'HEAD'],
        url: hrefIn(language, path),
        handler: async (request, reply) => {
          const identity = await identifyRequest(parts, { request, reply })
          const context = contextOf(request, language, config)
          const { searchParams: search } = new URL(request.url, context.origin)
          const params = request.params as Record<string, string>
          const page = await make({
            parts,
            identity,
            network: parts.findNetwork(request.raw),
            context,
            params,
            search,
          }).catch((error: unknown) => {
            if (error instanceof StoreUnavailable) return unavailablePage(context)
            throw error
          })
          const exchange = { request, reply, identity }
          return page === undefined ? sendMissing(exchange) : send(exchange, page)
        },
      })
}

/** `forms` is a scope that parses forms. */
export function commerceForms(forms: Routes, parts: CommercePagesParts): void {
  const { commerce } = parts.app
  const submitted = async (request: FastifyRequest, reply: FastifyReply, act: Act) => {
    const { isNewGuest = false, principal } = await identifyRequest(parts, { request, reply })
    const form = formIn(request)
    const next = ownPath(form.get('next'))
    const from = { isNewGuest, network: parts.findNetwork(request.raw) }
    const to = await act({ form, from, principal, next }).catch((error: unknown) => {
      const refusal = error instanceof StoreUnavailable ? new Refusal('MAINTENANCE') : error
      if (!(refusal instanceof Refusal)) throw error
      // The page to go back to, where it is another one than the next.
      return `${ownPath(form.get('back') ?? next)}?error=${errorWord(refusal.code, refusal.details?.['reason'])}`
    })
    return reply.header('cache-control', NEVER_STORED).redirect(to, 303)
  }

  forms.post('/cart', (request, reply) =>
    submitted(request, reply, async ({ form, from, next, principal }) => {
      const volume = form.get('volume')
      const volumes = volume === 'all' ? 'all' : [wholeIn(form, 'volume')]
      await commerce.addToCart(principal, { productId: form.get('productId') ?? '', volumes }, from)
      return next
    }),
  )

  forms.post('/cart/set', (request, reply) =>
    submitted(request, reply, async ({ form, next, principal }) => {
      await commerce.setCartItem(principal, form.get('itemId') ?? '', { quantity: wholeIn(form, 'quantity') })
      return next
    }),
  )

  if (!parts.config.demo) return
  forms.post('/checkout', (request, reply) =>
    submitted(request, reply, async ({ form, from, next, principal }) => {
      const seen = { version: wholeIn(form, 'version'), totalYen: wholeIn(form, 'totalYen') }
      const { id } = await commerce.checkout(principal, { ...seen, idempotencyKey: keyIn(form) }, from)
      return `${next}/${id}?new=1`
    }),
  )
}

type Act = (submitted: {
  readonly form: URLSearchParams
  readonly from: From
  readonly principal: Identity['principal']
  readonly next: string
}) => Promise<string>

const WHOLE = /^\d{1,9}$/
const KEY_LENGTH_MAX = 128

function wholeIn(form: URLSearchParams, name: string): number {
  const given = form.get(name) ?? ''
  if (!WHOLE.test(given)) throw invalid(name, 'is not a whole number')
  return Number(given)
}

function keyIn(form: URLSearchParams): string {
  const key = form.get('key') ?? ''
  if (key === '' || key.length > KEY_LENGTH_MAX) throw invalid('key', 'is missing or too long')
  return key
}

async function orNone<Value>(found: Promise<Value>): Promise<Value | undefined> {
  try {
    return await found
  } catch (error) {
    if (error instanceof Refusal && error.code === 'NOT_FOUND') return undefined
    throw error
  }
}
