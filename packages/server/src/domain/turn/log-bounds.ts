// How long a turn's log may grow before it is trimmed. Apart from the trimming, because the configuration's types, which a
// shop compiles with its own settings, must need no types of Node.

export interface Bounds {
  readonly recordsMax: number
  readonly bytesMax: number
}

/** For the records that follow the start and the snapshot; those two are never trimmed. */
export const LOG_BOUNDS: Bounds = { recordsMax: 2048, bytesMax: 1024 * 1024 }
