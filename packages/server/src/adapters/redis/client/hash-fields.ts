// The fields of a hash in the reply of HGETALL, which is a map or, by the older protocol, a list of names and values in turn.

export function hashFields(reply: unknown): ReadonlyMap<string, string> {
  if (!Array.isArray(reply)) return new Map(Object.entries(reply as Readonly<Record<string, string>>))
  const values = reply as readonly string[]
  return new Map(values.flatMap((value, place) => (place % 2 === 0 ? [[value, values[place + 1] ?? ''] as const] : [])))
}
