// The kind of a breach: its sentence without time, ids and numbers. Shrinking a plan must preserve it.

export function breachKind(breach: string): string {
  const [, sentence = breach] = /^\d+ ms: (.*)$/s.exec(breach) ?? []
  const [kind = sentence] = sentence.split(': ', 1)
  const what = kind === 'not at rest' ? sentence : kind
  return what.replaceAll(/(turn|guest|session|sess)_[\w-]+/g, '$1').replaceAll(/\d+/g, '#')
}
