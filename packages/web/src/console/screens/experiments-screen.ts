// Experiments: which are configured and run, starting and stopping one, and its report with intervals that may be read at any time.
import { html, nothing } from 'lit'
import type { TemplateResult } from 'lit'
import type { ExperimentReportView, ExperimentView } from '@mangaassist/protocol/admin'
import { consoleHref } from '../data/address.ts'
import { screenFailureOf } from '../data/failure.ts'
import { badge, factsView, sectionView } from '../parts/bits.ts'
import type { Tone } from '../parts/bits.ts'
import { tableView } from '../parts/table.ts'
import { ConsoleScreen } from '../shell/console-screen.ts'
import { speakFilled } from '../shell/say.ts'
import { experimentWords } from '../words/experiments.ts'

interface ExperimentData {
  readonly experiments: readonly ExperimentView[]
  /** The report of the experiment that is shown, or why there is none. */
  readonly report?: ExperimentReportView | string
}

const tones: Readonly<Record<ExperimentView['state'], Tone>> = {
  configured: 'plain',
  running: 'good',
  changed: 'few',
  stopped: 'plain',
}

class ExperimentsScreen extends ConsoleScreen<ExperimentData> {
  get #say() {
    return speakFilled(experimentWords, this.language)
  }

  get #name(): string | undefined {
    return this.address.rest[0]
  }

  protected get heading(): string {
    return this.#name ?? this.#say('experiments')
  }

  protected get refreshMs(): number {
    return 30_000
  }

  protected async fetchData(): Promise<ExperimentData> {
    const { api } = this.host
    const experiments = await api.experiments()
    const one = experiments.find(({ name }) => name === this.#name)
    if (one === undefined || one.state === 'configured') return { experiments }
    // A failed report must not hide the experiment and its stop button.
    const report = await api.experimentReport(one.name).catch((error: unknown) => screenFailureOf(error).message)
    return { experiments, report }
  }

  protected view({ experiments, report }: ExperimentData): TemplateResult {
    const say = this.#say
    const name = this.#name
    const one = experiments.find((experiment) => experiment.name === name)
    if (name !== undefined)
      return one === undefined ? html`<p class="note">${this.shellSay('notThere')}</p>` : this.#one(one, report)
    return tableView({
      label: say('experiments'),
      testId: 'experiments',
      empty: say('none'),
      rows: experiments,
      key: (row) => row.name,
      href: (row) => consoleHref({ screen: 'experiments', rest: [row.name] }),
      columns: [
        { name: say('experiment'), cell: (row) => row.name },
        { name: say('state'), cell: ({ state }) => badge(state, tones[state]) },
        { name: say('arms'), cell: ({ arms }) => arms.map(({ arm }) => arm).join(', ') },
        { name: say('outcome'), cell: ({ outcome }) => outcome },
        { name: say('started'), cell: ({ started }) => this.format.time(started?.at) },
        { name: say('stopped'), cell: ({ stopped }) => this.format.time(stopped?.at) },
      ],
    })
  }

  #marked(mark: ExperimentView['started']): string {
    if (mark === null) return '–'
    return this.#say('mark', { at: this.format.time(mark.at), by: mark.by, reason: mark.reason })
  }

  #one(experiment: ExperimentView, report: ExperimentData['report']): TemplateResult {
    const say = this.#say
    const { arms, from, layer, outcome, started, state, stopped, to } = experiment
    return html`<p><a href=${consoleHref({ screen: 'experiments' })}>← ${say('back')}</a></p>
      ${factsView([
        [say('state'), badge(state, tones[state])],
        [say('outcome'), outcome],
        [say('layer'), layer],
        [say('slice'), `${this.format.share(from)} – ${this.format.share(to)}`],
        [say('started'), this.#marked(started)],
        [say('stopped'), this.#marked(stopped)],
      ])}
      ${this.host.may('operator') ? this.#actions(experiment) : nothing}
      ${sectionView(
        say('arms'),
        tableView({
          label: say('arms'),
          empty: say('none'),
          rows: arms,
          key: ({ arm }) => arm,
          columns: [
            { name: say('arm'), cell: ({ arm }) => arm },
            { name: say('weight'), cell: ({ weight }) => this.format.count(weight), isFigure: true },
            { name: say('changes'), cell: ({ changes }) => changes.join(', ') || '–' },
            { name: say('stopped'), cell: (row) => this.#marked(row.stopped) },
          ],
        }),
      )}
      ${report === undefined ? nothing : this.#reportView(report)}`
  }

  #actions({ name, state }: ExperimentView): TemplateResult {
    const say = this.#say
    const { api } = this.host
    const offer = (what: 'start' | 'stop') =>
      html`<button
        type="button"
        class=${what === 'stop' ? 'danger' : ''}
        data-testid=${`experiment-${what}`}
        @click=${() =>
          this.host.act({
            title: `${say(what)}: ${name}`,
            text: say(`${what}Text`, { name }),
            isDangerous: what === 'stop',
            run: async (reason) => ({
              line: await (what === 'start'
                ? api.startExperiment(name, { reason })
                : api.stopExperiment(name, { reason })),
            }),
          })}
      >
        ${say(what)}
      </button>`
    return html`<div class="actions">
      ${state === 'configured' ? offer('start') : nothing}
      ${state === 'running' || state === 'changed' ? offer('stop') : nothing}
    </div>`
  }

  #reportView(report: ExperimentReportView | string): TemplateResult {
    const say = this.#say
    if (typeof report === 'string')
      return sectionView(say('report'), html`<p class="note">${say('noReport', { message: report })}</p>`)
    return sectionView(
      say('report'),
      html`${
        report.split.isMismatch
          ? html`<p class="note warning">${say('mismatch', { p: report.split.p.toPrecision(2) })}</p>`
          : nothing
      }
      ${factsView([
        [say('turns'), this.format.count(report.turns)],
        [say('units'), this.format.count(report.units)],
        [say('confidence'), this.format.share(report.confidence)],
        report.sampledShare < 1 ? [say('sampled'), this.format.share(report.sampledShare)] : undefined,
      ])}
      ${report.arms.map((arm) => this.#armView(arm))}`,
    )
  }

  #armView({ arm, outcomes, turns, units }: ExperimentReportView['arms'][number]): TemplateResult {
    const say = this.#say
    type Outcome = (typeof outcomes)[number]
    const write = ({ kind }: Outcome, value: number): string =>
      ({ share: this.format.share, count: this.format.count, microUsd: this.format.money, ms: this.format.duration })[
        kind
      ](value)
    const signed = (of: Outcome, value: number): string => `${value < 0 ? '−' : '+'}${write(of, Math.abs(value))}`
    const counts = `${say('turns')} ${this.format.count(turns)} · ${say('units')} ${this.format.count(units)}`
    return html`<h3>${arm} <small>${counts}</small></h3>
      ${
        outcomes.length === 0
          ? nothing
          : tableView({
              label: arm,
              empty: say('noTurns'),
              rows: outcomes,
              key: ({ outcome }) => outcome,
              columns: [
                { name: say('measure'), cell: ({ outcome }) => outcome },
                { name: say('control'), cell: (of) => write(of, of.control), isFigure: true },
                { name: say('mean'), cell: (of) => write(of, of.mean), isFigure: true },
                { name: say('difference'), cell: (of) => signed(of, of.difference), isFigure: true },
                {
                  name: say('interval'),
                  cell: (of) =>
                    of.interval === null ? '–' : `${signed(of, of.interval.low)} … ${signed(of, of.interval.high)}`,
                  isFigure: true,
                },
                {
                  name: say('verdict'),
                  cell: ({ better, verdict }) => badge(verdict, verdictTone(better, verdict)),
                },
              ],
            })
      }`
  }
}

function verdictTone(better: 'higher' | 'lower' | 'either', verdict: string): Tone {
  if ((verdict !== 'higher' && verdict !== 'lower') || better === 'either') return 'plain'
  return verdict === better ? 'good' : 'bad'
}

customElements.define('experiments-screen', ExperimentsScreen)
