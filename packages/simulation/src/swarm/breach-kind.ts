// What sort of breach a sentence tells: the same for everybody it may concern and whenever it happened. Shrinking keeps it.

export function breachKind(breach: string): string {
  const [, told = breach] = /^\d+ ms: (.*)$/s.exec(breach) ?? []
  const [kind = told] = told.split(': ', 1)
  const what = kind === 'not at rest' ? told : kind
  return what.replaceAll(/(turn|guest|session|sess)_[\w-]+/g, '$1').replaceAll(/\d+/g, '#')
}
