// A map with a maximum size: past it, the entry that was set longest ago is deleted. For caches, whose entries may be lost
// at any time.

export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #sizeMax: number

  constructor(sizeMax: number) {
    super()
    this.#sizeMax = sizeMax
  }

  override set(key: Key, value: Value): this {
    // Deleted first, so that an entry that is set again becomes the newest.
    this.delete(key)
    super.set(key, value)
    for (const oldest of this.size > this.#sizeMax ? this.keys().take(1) : []) this.delete(oldest)
    return this
  }
}
