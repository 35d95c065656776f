// Which language a visitor of `/` gets. The address decides the language of every page; only a visitor who comes to `/` from outside
// and reads English, or chose it before, is sent to `/en/`. A link inside the shop is a choice, which a cookie remembers. A crawler,
// which names no language, gets the page that it asked for.
import type { IncomingHttpHeaders } from 'node:http'
import type { Language } from '@mangaassist/protocol'
import { preferredLanguage } from '../http/accept-language.ts'

export const LANGUAGE_COOKIE = 'ma_lang'
const YEAR_SECONDS = 31_536_000

export interface LanguageVisit {
  /** The language of the requested address. */
  readonly language: Language
  readonly isHome: boolean
  readonly headers: IncomingHttpHeaders
  readonly chosen: string | undefined
  /** By which name and scheme the shop was requested. */
  readonly host: string
  readonly secure: boolean
}

export interface LanguageDecision {
  readonly redirect: boolean
  /** The cookie to set. */
  readonly cookie?: string
}

export function decideLanguage(visit: LanguageVisit): LanguageDecision {
  const { chosen, headers, isHome, language } = visit
  const preferred = chosen === 'ja' || chosen === 'en' ? chosen : preferredLanguage(headers['accept-language'])
  if (language === preferred) return { redirect: false }
  // The other language than expected: by a link inside the shop it is a choice.
  if (isFromInside(visit)) return { redirect: false, cookie: cookieFor(language, visit.secure) }
  return { redirect: isHome && language === 'ja' }
}

/** Older browsers do not send `Sec-Fetch-Site`. */
function isFromInside({ headers, host }: LanguageVisit): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  return headers.referer !== undefined && URL.parse(headers.referer)?.host === host
}

function cookieFor(language: Language, secure: boolean): string {
  return `${LANGUAGE_COOKIE}=${language}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax; HttpOnly${secure ? '; Secure' : ''}`
}
