// The text of `mangaassist.config.ts` that `init` writes: complete, with comments, and without secrets.
import type { Config } from '#config/config.ts'
import { commandLine, modelsGuide } from '#config/installation.ts'
import { IMPORT_LINE } from '#config/load-config.ts'
import type { Offer } from './offers.ts'

export interface Choices {
  readonly name: { readonly ja: string; readonly en: string }
  readonly port: number
  /** The origin at which shoppers reach the server; undefined for this machine only. */
  readonly address: string | undefined
  readonly offer: Offer
  /** Asked first where the other is not needed, by routing. */
  readonly economy: Offer | undefined
}

export function configText(choices: Choices): string {
  const { economy, name, offer } = choices
  return `// The configuration of this store, written by mangaassist init. Every setting is optional and has a default, and the
// environment overrides this file. Secrets never belong here. After a change: ${commandLine('doctor')}
${IMPORT_LINE}

export default defineConfig({
  server: {
${serverLines(choices).join('\n')}
  },
  store: {
    name: { ja: ${quoted(name.ja)}, en: ${quoted(name.en)} },
    // How a shopper reaches a person, shown when the assistant cannot help. Replace the placeholder by your own:
    // contact: { ja: 'help@shop.example', en: 'help@shop.example' },
    // Daily budgets start again at midnight of this time zone.
    timeZone: 'Asia/Tokyo',
  },
${modelLines(offer, economy).join('\n')}
})
`
}

function serverLines({ address, port }: Choices): string[] {
  const isPlainHttp = address?.startsWith('http:') === true
  const isOpen = isPlainHttp && !isLoopback(address)
  const host = isOpen ? '0.0.0.0' : '127.0.0.1'
  const listen = isOpen
    ? '    // Every address of this machine, without TLS: for a network that you trust.'
    : '    // This machine only; a proxy on another machine needs 0.0.0.0 here.'
  const proxied = [
    '    // A proxy in front ends TLS and sets X-Forwarded-For and X-Forwarded-Proto.',
    '    trustProxy: true,',
  ]
  return [
    listen,
    `    host: '${host}',`,
    `    port: ${port},`,
    '    // Origins of pages that may show the chat, such as https://www.shop.example. Our own is always allowed.',
    '    allowedOrigins: [],',
    ...(address === undefined || isPlainHttp ? [] : proxied),
  ]
}

function isLoopback(origin: string): boolean {
  const { hostname } = new URL(origin)
  return /^(?:localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}

function modelLines(offer: Offer, economy: Offer | undefined): string[] {
  if (offer.model.provider === 'embedded') {
    return [
      '  // The built-in responder answers from the catalogue and the FAQ; it is not a language model.',
      `  // How to configure others: ${modelsGuide()}`,
      "  models: { embedded: { provider: 'embedded' } },",
    ]
  }
  return [
    '  models: {',
    ...modelEntry('primary', offer),
    ...(economy === undefined ? [] : modelEntry('economy', economy)),
    '    // Answers from the catalogue and the FAQ when the model cannot.',
    "    last: { provider: 'embedded' },",
    '  },',
    ...(economy === undefined
      ? ["  ladder: ['primary', 'last'],"]
      : [
          "  ladder: ['primary', 'economy', 'last'],",
          '  // Each question is judged: simple and moderate ones ask the economy model first, complex ones the primary.',
          '  routing: { enabled: true },',
        ]),
  ]
}

function modelEntry(name: string, { model, price, source }: Offer): string[] {
  return [`    // Price: ${price}. Found: ${source}.`, `    ${name}: ${literal(model)},`]
}

function literal(model: Config['models'][string]): string {
  const fields = Object.entries(model).map(([name, value]) => {
    if (typeof value === 'string') return `${name}: ${quoted(value)}`
    return `${name}: ${Array.isArray(value) ? `[${value.join(', ')}]` : JSON.stringify(value)}`
  })
  return `{ ${fields.join(', ')} }`
}

function quoted(text: string): string {
  return /^[^'\\\n\r\u2028\u2029]*$/.test(text) ? `'${text}'` : JSON.stringify(text)
}
