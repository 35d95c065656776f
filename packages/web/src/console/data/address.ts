// The console's addresses: `/console/<screen>/<rest…>?<query>`, both ways. Everything that a screen shows is in its address, so that a
// view can be linked, saved and restored. Pure; the shell navigates.

const CONSOLE_PATH = '/console'

export interface ConsoleAddress {
  /** The id of the screen; empty for the first one. */
  readonly screen: string
  /** What follows it, decoded: the id of a turn, a user, a lane. */
  readonly rest: readonly string[]
  readonly query: Readonly<Record<string, string>>
}

export interface AddressParts {
  readonly screen: string
  readonly rest?: readonly string[]
  /** Empty and undefined values are left out. */
  readonly query?: Readonly<Record<string, string | number | undefined>>
}

/** Undefined for an address outside the console, or one with a broken escape. */
export function addressOf({ pathname, search }: Pick<URL, 'pathname' | 'search'>): ConsoleAddress | undefined {
  const path = pathname.replace(/\/+$/, '')
  if (path !== CONSOLE_PATH && !path.startsWith(`${CONSOLE_PATH}/`)) return undefined
  try {
    const [screen = '', ...rest] = path
      .slice(CONSOLE_PATH.length + 1)
      .split('/')
      .map(decodeURIComponent)
    return { screen, rest, query: Object.fromEntries(new URLSearchParams(search)) }
  } catch {
    return undefined
  }
}

export function consoleHref({ query = {}, rest = [], screen }: AddressParts): string {
  const path = [CONSOLE_PATH, screen, ...rest.map(encodeURIComponent)].filter((part) => part !== '').join('/')
  const asked = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') asked.set(name, String(value))
  return asked.size === 0 ? path : `${path}?${asked.toString()}`
}
