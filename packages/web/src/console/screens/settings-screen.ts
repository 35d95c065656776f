// What an operator can switch at run time: maintenance, the prewarm of a release day, and a backup of the node that answers.
import { html, nothing } from 'lit'
import type { TemplateResult } from 'lit'
import type { Maintenance } from '@mangaassist/protocol/admin'
import { badge, factsView, sectionView } from '../parts/bits.ts'
import { ConsoleScreen } from '../shell/console-screen.ts'
import { speakFilled } from '../shell/say.ts'
import { settingWords } from '../words/settings.ts'

class SettingsScreen extends ConsoleScreen<{ readonly maintenance: Maintenance }> {
  get #say() {
    return speakFilled(settingWords, this.language)
  }

  protected get heading(): string {
    return this.#say('settings')
  }

  protected get refreshMs(): number {
    return 10_000
  }

  protected async fetchData() {
    return { maintenance: await this.host.api.maintenance() }
  }

  protected view({ maintenance }: { readonly maintenance: Maintenance }): TemplateResult {
    const say = this.#say
    return html`${sectionView(
      say('maintenance'),
      html`${factsView([
        [say('state'), maintenance === null ? badge(say('open'), 'good') : badge(say('closed'), 'few')],
        maintenance === null ? undefined : [say('by'), maintenance.by],
        maintenance === null ? undefined : [say('since'), this.format.time(maintenance.at)],
      ])}
      ${this.host.may('operator') ? this.#switch(maintenance === null) : nothing}`,
    )}
    ${this.host.may('operator') && this.host.session.capabilities.prewarm ? this.#prewarm() : nothing}
    ${this.host.may('admin') ? this.#backup() : nothing}`
  }

  #switch(on: boolean): TemplateResult {
    const say = this.#say
    const word = on ? 'switchOn' : 'switchOff'
    return html`<button
      type="button"
      class=${on ? 'danger' : 'primary'}
      data-testid="maintenance"
      @click=${() =>
        this.host.act({
          title: say(word),
          text: say(`${word}Text`),
          isDangerous: on,
          run: async (reason) => ({ line: await this.host.api.setMaintenance({ on, reason }) }),
        })}
    >
      ${say(word)}
    </button>`
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
        <button type="button" data-testid="prewarm" @click=${act}>${say('prewarmAsk')}</button>`,
    )
  }

  #backup(): TemplateResult {
    const say = this.#say
    const act = (): void =>
      this.host.act({
        title: say('backupMake'),
        text: say('backupHint'),
        fields: [{ kind: 'text', name: 'folder', label: say('folder'), isRequired: true, lengthMax: 4096 }],
        run: async (reason, { folder = '' }) => {
          const { bytes } = await this.host.api.backUp({ folder, reason })
          return { subject: 'service', note: say('backupDone', { bytes: this.format.count(bytes) }) }
        },
      })
    return sectionView(
      say('backup'),
      html`<p>${say('backupHint')}</p>
        <button type="button" data-testid="backup" @click=${act}>${say('backupMake')}</button>`,
    )
  }
}

customElements.define('settings-screen', SettingsScreen)
