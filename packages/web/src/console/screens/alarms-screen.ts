// Alarms: which fire and why, with the runbook; silencing one; which fired lately; how all are set; a test of the senders.
import { html, nothing } from 'lit'
import type { TemplateResult } from 'lit'
import type { AlarmsView } from '@mangaassist/protocol/admin'
import { badge, sectionView, severityTones } from '../parts/bits.ts'
import { tableView } from '../parts/table.ts'
import { ConsoleScreen } from '../shell/console-screen.ts'
import { speakFilled } from '../shell/say.ts'
import { alarmWords } from '../words/alarms.ts'

type Firing = AlarmsView['firing'][number]
type Setting = AlarmsView['alarms'][number]
type Series = Firing['series'][number]

const HOUR_MS = 3_600_000
/** Labels whose values are configured names. */
const NAMES: ReadonlySet<string> = new Set(['lane', 'model'])

class AlarmsScreen extends ConsoleScreen<AlarmsView> {
  get #say() {
    return speakFilled(alarmWords, this.language)
  }

  protected get heading(): string {
    return this.#say('alarms')
  }

  protected get refreshMs(): number {
    return 5000
  }

  protected fetchData(): Promise<AlarmsView> {
    return this.host.api.alarms()
  }

  protected view(data: AlarmsView): TemplateResult {
    const say = this.#say
    const note = (isShown: boolean, text: string) => (isShown ? html`<p class="note warning">${text}</p>` : nothing)
    return html`${note(data.isStandalone, say('alone'))}
    ${note(data.undelivered > 0, say('undelivered', { n: this.format.count(data.undelivered) }))}
    ${sectionView(say('firing'), this.#firing(data.firing))} ${sectionView(say('recent'), this.#recent(data))}
    ${sectionView(say('senders'), this.#senders(data.senders), this.#testButton(data.senders.length))}
    ${sectionView(say('all'), this.#settings(data.alarms))}`
  }

  #firing(rows: readonly Firing[]): TemplateResult {
    const say = this.#say
    return tableView({
      label: say('firing'),
      testId: 'firing',
      empty: say('calm'),
      rows,
      key: ({ id }) => id,
      columns: [
        { name: say('alarm'), cell: ({ title }) => title[this.language] },
        { name: say('severity'), cell: ({ severity }) => badge(severity, severityTones[severity]) },
        { name: say('since'), cell: ({ since }) => this.format.ago(since, this.host.now()) },
        { name: say('evidence'), cell: (alarm) => this.#evidence(alarm, alarm.unit) },
        { name: say('threshold'), cell: ({ above, unit }) => this.format.figure(above, unit) },
        { name: say('runbook'), cell: ({ runbook }) => runbookLink(runbook, say('runbook')) },
        { name: say('actions'), cell: (alarm) => this.#silence(alarm) },
      ],
    })
  }

  #evidence({ more, series }: Pick<Firing, 'more' | 'series'>, unit: string): TemplateResult {
    const say = this.#say
    const text = ({ hosts, labels, value }: Series): string => {
      // What is configured is known by its name.
      const of = Object.entries(labels).map(([name, label]) => (NAMES.has(name) ? label : `${name} ${label}`))
      const figure = this.format.figure(value, unit)
      const where = hosts.length === 0 ? '' : say('onNodes', { hosts: hosts.join(', ') })
      return [of.length === 0 ? figure : `${of.join(', ')}: ${figure}`, where].join(' ').trim()
    }
    return html`<ul>
      ${series.map((one) => html`<li>${text(one)}</li>`)}
      ${more === 0 ? nothing : html`<li>${say('more', { n: more })}</li>`}
    </ul>`
  }

  #silence({ id, silence, title }: Pick<Setting, 'id' | 'silence' | 'title'>): TemplateResult | typeof nothing {
    const say = this.#say
    const named = { title: title[this.language] }
    const state =
      silence === undefined
        ? nothing
        : badge(say('silenced', { until: this.format.time(silence.until), by: silence.by }), 'few')
    if (!this.host.may('operator')) return html`${state}`
    const act = (): void =>
      this.host.act(
        silence === undefined
          ? {
              title: `${say('silence')}: ${named.title}`,
              text: say('silenceText', named),
              fields: [{ kind: 'choice', name: 'forMs', label: say('silenceFor'), choices: this.#spans() }],
              run: async (reason, { forMs = '0' }) => ({
                line: await this.host.api.silenceAlarm(id, { forMs: Number(forMs), reason }),
              }),
            }
          : {
              title: `${say('unsilence')}: ${named.title}`,
              text: say('unsilenceText', named),
              run: async (reason) => ({ line: await this.host.api.silenceAlarm(id, { forMs: 0, reason }) }),
            },
      )
    const word = silence === undefined ? say('silence') : say('unsilence')
    return html`<span class="actions"
      >${state}<button
        type="button"
        data-testid=${`silence-${id}`}
        aria-label=${`${word}: ${named.title}`}
        @click=${act}
      >
        ${word}
      </button></span
    >`
  }

  #spans(): { value: string; label: string }[] {
    const say = this.#say
    return [
      { value: String(0.5 * HOUR_MS), label: say('minutes30') },
      { value: String(2 * HOUR_MS), label: say('hours2') },
      { value: String(8 * HOUR_MS), label: say('hours8') },
      { value: String(24 * HOUR_MS), label: say('day1') },
      { value: String(168 * HOUR_MS), label: say('week1') },
    ]
  }

  #recent({ alarms, recent }: AlarmsView): TemplateResult {
    const say = this.#say
    const settings = new Map(alarms.map((alarm) => [alarm.id, alarm]))
    return tableView({
      label: say('recent'),
      testId: 'past-alarms',
      empty: say('none'),
      rows: recent,
      key: ({ id, since }) => `${id} ${since}`,
      columns: [
        { name: say('alarm'), cell: ({ id }) => settings.get(id)?.title[this.language] ?? id },
        { name: say('since'), cell: ({ since }) => this.format.time(since) },
        {
          name: say('lasted'),
          cell: (row) => this.format.duration(Date.parse(row.resolvedAt) - Date.parse(row.since)),
        },
        { name: say('evidence'), cell: (row) => this.#evidence(row, settings.get(row.id)?.unit ?? 'count') },
        { name: say('notified'), cell: ({ wasNotified }) => say(wasNotified ? 'yes' : 'no') },
      ],
    })
  }

  #senders(senders: AlarmsView['senders']): TemplateResult {
    if (senders.length === 0) return html`<p class="note">${this.#say('noSenders')}</p>`
    return html`<span class="badges">${senders.map(({ kind, name }) => badge(`${name} (${kind})`))}</span>`
  }

  #testButton(senders: number): TemplateResult | typeof nothing {
    const say = this.#say
    if (senders === 0 || !this.host.may('operator')) return nothing
    const act = (): void =>
      this.host.act({
        title: say('test'),
        text: say('testText'),
        run: async (reason) => {
          const results = await this.host.api.testAlarms({ reason })
          const lines = results.map((one) => [one.name, one.outcome, one.reason ?? ''].join(' ').trim())
          return { note: lines.join('\n'), subject: 'service' }
        },
      })
    return html`<button type="button" data-testid="test-alarms" @click=${act}>${say('test')}</button>`
  }

  #settings(rows: readonly Setting[]): TemplateResult {
    const say = this.#say
    return tableView({
      label: say('all'),
      testId: 'alarm-settings',
      empty: say('none'),
      rows,
      key: ({ id }) => id,
      columns: [
        {
          name: say('alarm'),
          cell: ({ isEnabled, title }) => html`${title[this.language]} ${isEnabled ? nothing : badge(say('off'))}`,
        },
        { name: say('severity'), cell: ({ severity }) => badge(severity, severityTones[severity]) },
        {
          name: say('condition'),
          cell: ({ above, expression, unit }) =>
            html`<details>
              <summary>${say('aboveThreshold', { threshold: this.format.figure(above, unit) })}</summary>
              <code class="wrapped">${expression}</code>
            </details>`,
        },
        {
          name: say('lasting'),
          cell: ({ forMs }) => (forMs === 0 ? say('atOnce') : this.format.duration(forMs)),
          isFigure: true,
        },
        { name: say('actions'), cell: (alarm) => this.#silence(alarm) },
      ],
    })
  }
}

/** Only a web address becomes a link; a path of the repository stays text. */
function runbookLink(runbook: string, text: string): TemplateResult {
  return /^https?:\/\//.test(runbook)
    ? html`<a href=${runbook} target="_blank" rel="noopener noreferrer">${text}</a>`
    : html`<code>${runbook}</code>`
}

customElements.define('alarms-screen', AlarmsScreen)
