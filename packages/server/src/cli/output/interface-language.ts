// The language of the terminal, from the locale of the environment.
import type { Language } from '@mangaassist/protocol'
import type { Terminal } from '../command.ts'

/** Undefined where the locale names no language, such as C or none. */
export function localeLanguage(env: Terminal['env']): string | undefined {
  const locale = [env['LC_ALL'], env['LC_MESSAGES'], env['LANG']].find((value) => value !== undefined && value !== '')
  return /^[a-z]{2,3}(?=[_.@-]|$)/i.exec(locale ?? '')?.[0].toLowerCase()
}

/** Japanese where the locale is Japanese; English everywhere else. */
export const interfaceLanguage = (env: Terminal['env']): Language => (localeLanguage(env) === 'ja' ? 'ja' : 'en')
