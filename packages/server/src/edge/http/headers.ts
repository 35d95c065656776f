// The headers of every response, and those that let a configured page of another origin read it. Our pages run our scripts
// only, and only the shop's own pages may frame them.
import type { Config } from '#config/config.ts'

const EXPOSED =
  'RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, RateLimit-Policy, Retry-After, X-Quota-Warning, X-Request-Id'

export function securityHeaders({ allowedOrigins }: Config['server']): Record<string, string> {
  const policy = [
    `default-src 'self'`,
    `object-src 'none'`,
    // No inline script, ever: text of a model or a catalogue stays text, whatever else fails.
    `script-src 'self'`,
    `style-src 'self'`,
    `img-src 'self' data:`,
    `connect-src 'self'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors ${["'self'", ...allowedOrigins].join(' ')}`,
  ]
  return {
    'content-security-policy': policy.join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    // The microphone is for voice input in the chat; the browser asks the shopper first.
    'permissions-policy': 'camera=(), geolocation=(), microphone=(self)',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-content-type-options': 'nosniff',
  }
}

/** Behind TLS: browsers then use only TLS for this name. Other names of the shop are not affected. */
export const TLS_HEADERS = { 'strict-transport-security': 'max-age=31536000' } as const

/** No headers for an origin that is not configured: the browser then hides the response from its page. */
export function corsHeaders(origin: string | undefined, { allowedOrigins }: Config['server']): Record<string, string> {
  if (allowedOrigins.length === 0) return {}
  if (origin === undefined || !allowedOrigins.includes(origin)) return { vary: 'Origin' }
  return {
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': EXPOSED,
  }
}

export const PREFLIGHT_HEADERS = {
  'access-control-allow-methods': 'GET, POST, PATCH, DELETE',
  'access-control-allow-headers':
    'Accept, Authorization, Content-Type, Idempotency-Attempt, Last-Event-ID, Traceparent, Tracestate',
  'access-control-max-age': '600',
} as const
