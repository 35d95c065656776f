// The context of a request for a page: language, words, the shop's name and address.
import type { FastifyRequest } from 'fastify'
import type { Language } from '@mangaassist/protocol'
import type { Config } from '#config/config.ts'
import { addressed } from '../http/origin.ts'
import { hrefIn } from './addresses.ts'
import type { StoreContext } from './store-page.ts'
import { speak } from './words.ts'

/** Under the public name, when there is one: a page has one address, by whichever name it was requested. */
export function contextOf(request: FastifyRequest, language: Language, { server, store }: Config): StoreContext {
  const { host, secure } = addressed(request.raw, server)
  const origin =
    server.publicUrl === undefined ? `${secure ? 'https' : 'http'}://${host}` : new URL(server.publicUrl).origin
  return {
    language,
    say: speak(language),
    shopName: store.name[language],
    origin,
    href: (path) => hrefIn(language, path),
  }
}

/** The language that an address has. */
export function languageOfPath(url: string): Language {
  return /^\/en(?:[/?]|$)/.test(url) ? 'en' : 'ja'
}
