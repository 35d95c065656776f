// Reports that no part has arrived for a while, so that the panel can say that the answer is still being made.

const stillWorkingAfterMs = 3000

export interface Silence {
  /** A part has arrived. */
  reset(): void
  end(): void
}

export function watchSilence(onSilence: () => void): Silence {
  let timer = setTimeout(onSilence, stillWorkingAfterMs)
  return {
    reset() {
      clearTimeout(timer)
      timer = setTimeout(onSilence, stillWorkingAfterMs)
    },
    end: () => clearTimeout(timer),
  }
}
