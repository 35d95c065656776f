// Progress of a run on standard error: one line that is overwritten on a terminal, a line per minute in a log. Never on
// standard output, which must be the same each time.
import type { Writable } from 'node:stream'

const LOGGED_EVERY_S = 60
const OVER_LINE = '\r\u001b[K'

export function progressOf(stderr: Writable & { readonly isTTY?: boolean }, what: string, totalS: number) {
  return (doneS: number): void => {
    const line = `${what}: ${doneS} of ${totalS} virtual seconds`
    if (stderr.isTTY === true) stderr.write(doneS < totalS ? `${OVER_LINE}${line}` : OVER_LINE)
    else if (doneS % LOGGED_EVERY_S === 0 || doneS === totalS) stderr.write(`${line}\n`)
  }
}
