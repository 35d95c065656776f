// The size at which a turn's log is trimmed. Separate from the trimming, because the types of the configuration, which a shop
// compiles with its own settings, must not need the types of Node.

export interface Bounds {
  readonly recordsMax: number
  readonly bytesMax: number
}

/** Bounds of the records after the start and the snapshot; those two are never trimmed. */
export const LOG_BOUNDS: Bounds = { recordsMax: 2048, bytesMax: 1024 * 1024 }
