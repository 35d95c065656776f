// Settings for a crowd on one machine: its shoppers are all guests behind one network address and ask faster than any shop's
// do, so the limits of the address and of the whole shop are out of the way.

const PLENTY = '1000000'
const buckets = ['GLOBAL', 'CHAT', 'CONNECTIONS', 'ADDRESS', 'REQUESTS'].flatMap((name) => [
  [`MANGA_RATES__${name}__PERSECOND`, PLENTY],
  [`MANGA_RATES__${name}__BURST`, PLENTY],
])
const caps = ['MESSAGESPERDAY', 'GUESTSPERDAY', 'CONNECTIONSMAX'].map((name) => [
  `MANGA_RATES__ADDRESS__${name}`,
  PLENTY,
])

export const crowd: Readonly<Record<string, string>> = Object.fromEntries([...buckets, ...caps])
