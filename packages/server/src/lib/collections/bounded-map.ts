// A map of at most so many entries: what was set last is at the back, and the one at the front gives way. For whatever is
// remembered to save work and may be forgotten.

export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #sizeMax: number

  constructor(sizeMax: number) {
    super()
    this.#sizeMax = sizeMax
  }

  override set(key: Key, value: Value): this {
    // Deleted first, so that an entry that is set again is the newest.
    this.delete(key)
    super.set(key, value)
    for (const oldest of this.size > this.#sizeMax ? this.keys().take(1) : []) this.delete(oldest)
    return this
  }
}
