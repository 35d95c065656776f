// Settings for a crowd on one machine: all shoppers are guests behind one network address and ask faster than real
// ones, so the limits per address and of the whole shop are lifted.

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
