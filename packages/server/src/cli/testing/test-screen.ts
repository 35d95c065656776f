// A screen for tests: records what is written; its styles are marks that a test can read.
import type { Screen } from '../output/screen.ts'

export interface TestScreen extends Screen {
  readonly written: () => string
}

export function testScreen({
  columns = Number.POSITIVE_INFINITY,
  isTerminal = columns !== Number.POSITIVE_INFINITY,
  isStyled = false,
}: { columns?: number; isTerminal?: boolean; isStyled?: boolean } = {}): TestScreen {
  let written = ''
  return {
    isTerminal,
    columns: () => columns,
    paint: (text, styles) => (isStyled && styles.length > 0 ? `{${styles.join('+')}:${text}}` : text),
    write: (text) => void (written += text),
    written: () => written,
  }
}
