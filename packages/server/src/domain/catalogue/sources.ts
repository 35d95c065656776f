// Where an edition of the catalogue came from, as its `source` says.

/** Begins the source of the catalogue that comes with the program; a digest of the file follows. */
const BUNDLED = 'bundled:'

export const bundledSource = (digest: string): string => `${BUNDLED}${digest}`

export const isBundled = (source: string): boolean => source.startsWith(BUNDLED)
