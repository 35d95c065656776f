// A moving sign between a question and its first word, on a terminal only. It occupies one line and leaves nothing on it.
import type { Clock } from '#ports/clock/port.ts'
import { cutTo } from '../output/display-width.ts'
import type { Screen } from '../output/screen.ts'

export interface WaitingSign extends Disposable {
  /** Shows the sign, or another text beside it. */
  show(text: string): void
  /** Removes it. */
  hide(): void
}

const FRAMES = [...'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏']
const FRAME_MS = 100
const ERASE_LINE = '\r\u001B[K'

export function waitingSign(screen: Screen, clock: Pick<Clock, 'after'>): WaitingSign {
  let timer: Disposable | undefined
  let frame = 0
  let beside = ''
  const draw = () => {
    const line = cutTo(`${FRAMES[frame % FRAMES.length]} ${beside}`, screen.columns() - 1)
    screen.write(`${ERASE_LINE}${screen.paint(line, ['dim'])}`)
    frame += 1
    timer = clock.after(FRAME_MS, draw)
  }
  const hide = () => {
    if (timer === undefined) return
    timer[Symbol.dispose]()
    timer = undefined
    screen.write(ERASE_LINE)
  }
  return {
    show(text) {
      if (!screen.isTerminal) return
      timer?.[Symbol.dispose]()
      beside = text
      draw()
    },
    hide,
    [Symbol.dispose]: hide,
  }
}
