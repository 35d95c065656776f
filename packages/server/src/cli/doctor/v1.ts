// What `doctor` reports about `/v1`: who may use the models directly. A shop that adds a vendor's key should know it.
import type { Config } from '#config/config.ts'
import { v1TakesGuests } from '#domain/identity/v1-guests.ts'
import type { Finding } from './checks.ts'

export function describeV1(config: Config): Finding {
  const check = '/v1'
  if (!v1TakesGuests(config)) return { check, ok: true, detail: 'keys and signed-in users only' }
  const isPaid = Object.values(config.models).some(({ provider }) => provider !== 'embedded')
  const detail = 'open to guests, with prompts of their own'
  if (!isPaid) return { check, ok: true, detail: `${detail}; closes by itself when a vendor's model is configured` }
  const fix = 'Remove auth.v1Guests, unless guests should use your models at your cost.'
  return { check, ok: true, isWarning: true, detail: `${detail}, for every model of the ladder`, fix }
}
