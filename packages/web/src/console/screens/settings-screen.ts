// What an operator can switch at run time: the mode of the service, the log level and the switches, with an optional end; the
// prewarm of a release day; a backup of the node that answers.
import { html, nothing } from 'lit'
import type { TemplateResult } from 'lit'
import type { ServiceMode, SettingRequest, SettingView } from '@mangaassist/protocol/admin'
import { badge, factsView, sectionView } from '../parts/bits.ts'
import { tableView } from '../parts/table.ts'
import { ConsoleScreen } from '../shell/console-screen.ts'
import type { ActionField } from '../shell/host.ts'
import { speakFilled } from '../shell/say.ts'
import { settingWords } from '../words/settings.ts'

const MODES = ['normal', 'reduced', 'read-only', 'maintenance'] as const satisfies readonly ServiceMode[]
const LEVELS = ['debug', 'info', 'warn', 'error'] as const
/** The value of the choice that removes a change. */
const CONFIGURED = 'configured'

class SettingsScreen extends ConsoleScreen<readonly SettingView[]> {
  get #say() {
    return speakFilled(settingWords, this.language)
  }

  protected get heading(): string {
    return this.#say('settings')
  }

  protected get refreshMs(): number {
    return 10_000
  }

  protected fetchData(): Promise<readonly SettingView[]> {
    return this.host.api.settings()
  }

  protected view(settings: readonly SettingView[]): TemplateResult {
    const say = this.#say
    const mode = settings.find(({ name }) => name === 'mode')
    const [isOperator, isAdmin] = [this.host.may('operator'), this.host.may('admin')]
    return html`${mode === undefined ? nothing : sectionView(say('mode'), this.#mode(mode))}
    ${sectionView(say('switches'), this.#switches(settings.filter(({ name }) => name !== 'mode')))}
    ${isOperator && this.host.session.capabilities.prewarm ? this.#prewarm() : nothing}
    ${isAdmin ? this.#backup() : nothing}`
  }

  #mode(setting: SettingView): TemplateResult {
    const say = this.#say
    const current = MODES.find((mode) => mode === setting.value) ?? 'normal'
    return html`${factsView(
      [
        [say('modeNow'), badge(say(current), current === 'normal' ? 'good' : 'few')],
        setting.changed === null ? undefined : [say('changed'), this.#mark(setting)],
      ],
      'wide',
    )}
    ${
      this.host.may('operator')
        ? html`<div class="actions">
            ${MODES.filter((mode) => mode !== current).map((mode) => this.#modeButton(mode))}
          </div>`
        : nothing
    }`
  }

  #modeButton(mode: ServiceMode): TemplateResult {
    const say = this.#say
    const title = say('switchTo', { mode: say(mode) })
    return html`<button
      type="button"
      class=${mode === 'normal' ? 'primary' : 'danger'}
      data-testid=${`mode-${mode}`}
      @click=${() =>
        this.host.act({
          title,
          text: `${say(`${mode}Text`)} ${say('reach')}`,
          isDangerous: mode !== 'normal',
          fields: mode === 'normal' ? [] : [{ kind: 'time', name: 'until', label: say('until') }],
          run: (reason, { until = '' }) =>
            this.#set({ name: 'mode', value: mode === 'normal' ? null : mode, reason }, until),
        })}
    >
      ${title}
    </button>`
  }

  async #set(change: SettingRequest, until: string) {
    const ends = until === '' ? {} : { until: new Date(until).toISOString() }
    return { line: await this.host.api.setSetting({ ...change, ...ends }) }
  }

  #mark({ changed }: SettingView): string {
    if (changed === null) return '–'
    const { at, by, reason, until } = changed
    const mark = this.#say('mark', { by, age: this.format.ago(at, this.host.now()), reason })
    return until === undefined ? mark : `${mark} (${this.#say('markUntil', { until: this.format.time(until) })})`
  }

  #written(value: string | boolean): string {
    return typeof value === 'string' ? value : this.#say(value ? 'on' : 'off')
  }

  #switches(rows: readonly SettingView[]): TemplateResult {
    const say = this.#say
    return tableView({
      label: say('switches'),
      testId: 'settings',
      empty: say('none'),
      rows,
      key: ({ name }) => name,
      columns: [
        { name: say('setting'), cell: ({ name }) => html`<code>${name}</code>` },
        {
          name: say('value'),
          cell: ({ changed, value }) => badge(this.#written(value), changed === null ? 'plain' : 'few'),
        },
        { name: say('configured'), cell: ({ configured }) => this.#written(configured) },
        { name: say('changed'), cell: (setting) => this.#mark(setting) },
        ...(this.host.may('operator')
          ? [{ name: say('actions'), cell: (setting: SettingView) => this.#changeButton(setting) }]
          : []),
      ],
    })
  }

  #changeButton(setting: SettingView): TemplateResult {
    const say = this.#say
    const { name, value } = setting
    const title = say('changeIt', { name })
    return html`<button
      type="button"
      data-testid=${`set-${name}`}
      aria-label=${title}
      @click=${() =>
        this.host.act({
          title,
          text: say('reach'),
          fields: [this.#choices(setting), { kind: 'time', name: 'until', label: say('until') }],
          run: (reason, { until = '', value: chosen = CONFIGURED }) =>
            this.#set(
              { name, value: valueOf(chosen, typeof value === 'boolean'), reason },
              chosen === CONFIGURED ? '' : until,
            ),
        })}
    >
      ${say('change')}
    </button>`
  }

  #choices({ configured, value }: SettingView): ActionField {
    const say = this.#say
    const choices =
      typeof value === 'boolean'
        ? [
            { value: 'true', label: say('on') },
            { value: 'false', label: say('off') },
          ]
        : LEVELS.map((level) => ({ value: level, label: level }))
    const back = { value: CONFIGURED, label: say('asConfigured', { value: this.#written(configured) }) }
    return { kind: 'choice', name: 'value', label: say('value'), value: String(value), choices: [...choices, back] }
  }

  #prewarm(): TemplateResult {
    const say = this.#say
    const act = (): void =>
      this.host.act({
        title: say('prewarmAsk'),
        text: say('prewarmHint'),
        fields: [{ kind: 'day', name: 'day', label: say('prewarmDay') }],
        run: async (reason, { day = '' }) => {
          const asked = await this.host.api.prewarm({ reason, ...(day === '' ? {} : { day }) })
          return { subject: 'service', note: say('prewarmAsked', { day: asked.day }) }
        },
      })
    return sectionView(
      say('prewarm'),
      html`<p>${say('prewarmHint')}</p>
        <p><button type="button" data-testid="prewarm" @click=${act}>${say('prewarmAsk')}</button></p>`,
    )
  }

  #backup(): TemplateResult {
    const say = this.#say
    const act = (): void =>
      this.host.act({
        title: say('backupMake'),
        text: say('backupHint'),
        fields: [{ kind: 'text', name: 'folder', label: say('folder'), isRequired: true, lengthMax: 128 }],
        run: async (reason, { folder: name = '' }) => {
          const { bytes, folder } = await this.host.api.backUp({ folder: name, reason })
          return { subject: 'service', note: say('backupDone', { folder, bytes: this.format.count(bytes) }) }
        },
      })
    return sectionView(
      say('backup'),
      html`<p>${say('backupHint')}</p>
        <p><button type="button" data-testid="backup" @click=${act}>${say('backupMake')}</button></p>`,
    )
  }
}

function valueOf(chosen: string, isSwitch: boolean): string | boolean | null {
  if (chosen === CONFIGURED) return null
  return isSwitch ? chosen === 'true' : chosen
}

customElements.define('settings-screen', SettingsScreen)
