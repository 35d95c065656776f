// Blocks of callers and networks: the list of them, and blocking and unblocking one, with an optional end.
import { html } from 'lit'
import type { TemplateResult } from 'lit'
import type { Language } from '@mangaassist/protocol'
import type { BlockView } from '@mangaassist/protocol/admin'
import { consoleHref } from '../data/address.ts'
import type { Format } from '../data/format.ts'
import type { Host } from '../shell/host.ts'
import { speakFilled } from '../shell/say.ts'
import { blockWords } from '../words/blocks.ts'
import { tableView } from './table.ts'

interface BlockParts {
  readonly host: Host
  readonly language: Language
}

/** With a target that is known, or a field for it. */
export function blockButton({ host, language }: BlockParts, target?: string): TemplateResult {
  const say = speakFilled(blockWords, language)
  const act = (): void =>
    host.act({
      title: target === undefined ? say('block') : `${say('block')}: ${target}`,
      text: say('blockText'),
      isDangerous: true,
      fields: [
        ...(target === undefined
          ? [{ kind: 'text', name: 'target', label: say('target'), hint: say('targetHint'), isRequired: true } as const]
          : []),
        { kind: 'time', name: 'until', label: say('untilField') },
        {
          kind: 'choice',
          name: 'force',
          label: say('force'),
          choices: [
            { value: '', label: say('no') },
            { value: 'true', label: say('yes') },
          ],
        },
      ],
      run: async (reason, values) => {
        const { force, until = '' } = values
        const line = await host.api.block({
          target: target ?? values['target'] ?? '',
          reason,
          ...(until === '' ? {} : { until: new Date(until).toISOString() }),
          ...(force === 'true' ? { force: true } : {}),
        })
        return { line }
      },
    })
  return html`<button type="button" class="danger" data-testid="block" @click=${act}>${say('block')}</button>`
}

export function unblockButton({ host, language }: BlockParts, target: string): TemplateResult {
  const say = speakFilled(blockWords, language)
  const act = (): void =>
    host.act({
      title: `${say('unblock')}: ${target}`,
      text: say('unblockText', { target }),
      run: async (reason) => ({ line: await host.api.unblock({ target, reason }) }),
    })
  return html`<button type="button" data-testid="unblock" aria-label=${`${say('unblock')}: ${target}`} @click=${act}>
    ${say('unblock')}
  </button>`
}

export function blocksTable(blocks: readonly BlockView[], parts: BlockParts, format: Format): TemplateResult {
  const say = speakFilled(blockWords, parts.language)
  return tableView({
    label: say('blocks'),
    testId: 'blocks',
    empty: say('noBlocks'),
    rows: blocks,
    key: ({ target }) => target,
    href: ({ kind, target }) =>
      kind === 'address' || kind === 'network' ? undefined : consoleHref({ screen: 'people', rest: [target] }),
    columns: [
      { name: say('target'), cell: ({ target }) => target },
      { name: say('kind'), cell: ({ kind }) => kind },
      { name: say('until'), cell: ({ until }) => (until === undefined ? say('forever') : format.time(until)) },
      { name: say('at'), cell: ({ at }) => format.time(at) },
      { name: say('by'), cell: ({ by }) => by },
      { name: say('reason'), cell: ({ reason }) => reason },
      ...(parts.host.may('operator')
        ? [{ name: say('actions'), cell: ({ target }: BlockView) => unblockButton(parts, target) }]
        : []),
    ],
  })
}
