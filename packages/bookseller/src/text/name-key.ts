// The key of a name: width, case, spaces, punctuation and accents do not matter, so that two spellings have the same key.

export function nameKey(name: string): string {
  const folded = name.normalize('NFKC').toLowerCase().normalize('NFD')
  return folded.replaceAll(/[\p{Mn}--[\u3099\u309A]]|[\p{P}\p{S}\p{Z}\p{Cf}\s]/gv, '').normalize('NFC')
}
