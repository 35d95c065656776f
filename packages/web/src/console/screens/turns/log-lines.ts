// The log lines of one turn, as its record stores them, with a word about those that are only in the log of a node.
import { html, nothing } from 'lit'
import type { TemplateResult } from 'lit'
import type { TurnLogLine, TurnStoryView } from '@mangaassist/protocol/admin'
import type { Format } from '../../data/format.ts'
import { badge, sectionView } from '../../parts/bits.ts'
import type { Tone } from '../../parts/bits.ts'
import { tableView } from '../../parts/table.ts'
import type { SayFilled } from '../../shell/say.ts'
import type { storyWords } from '../../words/turn-story.ts'

interface Shown {
  readonly say: SayFilled<typeof storyWords>
  readonly format: Format
}

const tones: Readonly<Record<string, Tone>> = { error: 'bad', warn: 'few' }

export function turnLogView(log: TurnStoryView['log'], { format, say }: Shown): TemplateResult {
  if (log === null) return sectionView(say('log'), html`<p class="hint" data-testid="log">${say('noLog')}</p>`)
  const { isOfLastOwner, leftOut, lines } = log
  return sectionView(
    say('log'),
    html`<div data-testid="log">
      ${tableView({
        label: say('log'),
        empty: say('noLines'),
        rows: lines.map((line, index) => ({ ...line, index })),
        key: ({ index }) => index,
        columns: [
          { name: say('time'), cell: ({ at }) => format.time(at) },
          { name: say('level'), cell: ({ level }) => badge(level, tones[level] ?? 'plain') },
          { name: say('event'), cell: ({ event }) => html`<code>${event}</code>` },
          { name: say('details'), cell: detailsOf },
        ],
      })}
      ${leftOut === 0 ? nothing : html`<p class="hint">${say('linesLeftOut', { count: format.count(leftOut) })}</p>`}
      ${isOfLastOwner ? html`<p class="hint">${say('otherOwner')}</p>` : nothing}
    </div>`,
  )
}

function detailsOf({ error, fields = {} }: TurnLogLine): TemplateResult | string {
  const said = Object.entries(fields).map(([name, value]) => `${name}=${String(value)}`)
  const words = [...said, ...(error === undefined ? [] : [error])].join(' ')
  return words === '' ? '–' : html`<span class="preserved">${words}</span>`
}
