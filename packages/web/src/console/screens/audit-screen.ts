// The audit: every change with who, when, from what to what, and why. Newest first; by subject.
import { html } from 'lit'
import type { TemplateResult } from 'lit'
import type { AdminPage } from '@mangaassist/client/admin'
import type { AuditLine } from '@mangaassist/protocol/admin'
import { valueText } from '../parts/bits.ts'
import { filterForm } from '../parts/filters.ts'
import { pagerView } from '../parts/pager.ts'
import { tableView } from '../parts/table.ts'
import { ConsoleScreen } from '../shell/console-screen.ts'
import { speakFilled } from '../shell/say.ts'
import { auditWords } from '../words/audit.ts'

const PAGE = 50

class AuditScreen extends ConsoleScreen<AdminPage<AuditLine[]>> {
  get #say() {
    return speakFilled(auditWords, this.language)
  }

  protected get heading(): string {
    return this.#say('audit')
  }

  protected get refreshMs(): number | null {
    return this.address.query['after'] === undefined ? 15_000 : null
  }

  protected fetchData(): Promise<AdminPage<AuditLine[]>> {
    const { action, after, by, subject } = this.address.query
    return this.host.api.audit({
      limit: PAGE,
      ...(subject === undefined ? {} : { subject }),
      ...(by === undefined ? {} : { by }),
      ...(action === undefined ? {} : { action }),
      ...(after === undefined ? {} : { after }),
    })
  }

  protected view({ data, next }: AdminPage<AuditLine[]>): TemplateResult {
    const say = this.#say
    return html`${filterForm({
      host: this.host,
      address: this.address,
      say,
      fields: [
        { kind: 'text', name: 'subject', label: say('subject'), hint: say('subjectHint') },
        { kind: 'text', name: 'by', label: say('by') },
        { kind: 'text', name: 'action', label: say('action') },
      ],
    })}
    ${tableView({
      label: say('audit'),
      testId: 'audit',
      empty: say('empty'),
      rows: data,
      key: ({ number }) => number,
      columns: [
        { name: '#', cell: ({ number }) => number, isFigure: true },
        { name: say('at'), cell: ({ at }) => this.format.time(at) },
        { name: say('by'), cell: ({ by }) => by },
        { name: say('action'), cell: ({ action }) => action },
        { name: say('subject'), cell: ({ subject }) => html`<code>${subject}</code>` },
        {
          name: say('change'),
          cell: ({ after, before }) => html`<code class="wrapped">${valueText(before)} → ${valueText(after)}</code>`,
        },
        { name: say('reason'), cell: ({ reason }) => reason },
      ],
    })}
    ${pagerView(this.address, next, say)}`
  }
}

customElements.define('audit-screen', AuditScreen)
