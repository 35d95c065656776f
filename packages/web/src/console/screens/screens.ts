// The table of screens: address, key, name, and who sees it. A screen whose data this server does not have is left out, and so is
// one that the operator's role may not read.
import { html } from 'lit'
import type { TemplateResult } from 'lit'
import type { Language } from '@mangaassist/protocol'
import type { Role, SessionView } from '@mangaassist/protocol/admin'
import type { ConsoleAddress } from '../data/address.ts'
import type { Host } from '../shell/host.ts'
import './alarms-screen.ts'
import './audit-screen.ts'
import './conversations-screen.ts'
import './experiments-screen.ts'
import './feedback-screen.ts'
import './handovers-screen.ts'
import './knowledge-screen.ts'
import './models/models-screen.ts'
import './money-screen.ts'
import './nodes-screen.ts'
import './now-screen.ts'
import './people-screen.ts'
import './settings-screen.ts'
import './turns/turns-screen.ts'

interface ScreenProps {
  readonly host: Host
  readonly language: Language
  readonly address: ConsoleAddress
}

export interface ScreenEntry {
  readonly id: string
  /** Goes there after `g`. */
  readonly key: string
  readonly name: Readonly<Record<Language, string>>
  /** The least role that may read it; default: viewer. */
  readonly role?: Role
  readonly isThere?: (capabilities: SessionView['capabilities']) => boolean
  readonly view: (props: ScreenProps) => TemplateResult
}

const all: readonly ScreenEntry[] = [
  {
    id: 'now',
    key: 'n',
    name: { ja: '現在', en: 'Now' },
    view: ({ address, host, language }) =>
      html`<now-screen .host=${host} .language=${language} .address=${address}></now-screen>`,
  },
  {
    id: 'alarms',
    key: 'l',
    name: { ja: '警報', en: 'Alarms' },
    view: ({ address, host, language }) =>
      html`<alarms-screen .host=${host} .language=${language} .address=${address}></alarms-screen>`,
  },
  {
    id: 'turns',
    key: 't',
    name: { ja: 'ターン', en: 'Turns' },
    view: ({ address, host, language }) =>
      html`<turns-screen .host=${host} .language=${language} .address=${address}></turns-screen>`,
  },
  {
    id: 'conversations',
    key: 'c',
    name: { ja: '会話', en: 'Conversations' },
    view: ({ address, host, language }) =>
      html`<conversations-screen .host=${host} .language=${language} .address=${address}></conversations-screen>`,
  },
  {
    id: 'handovers',
    key: 'h',
    name: { ja: '引き継ぎ', en: 'Hand-overs' },
    role: 'operator',
    view: ({ address, host, language }) =>
      html`<handovers-screen .host=${host} .language=${language} .address=${address}></handovers-screen>`,
  },
  {
    id: 'models',
    key: 'm',
    name: { ja: 'モデル', en: 'Models' },
    view: ({ address, host, language }) =>
      html`<models-screen .host=${host} .language=${language} .address=${address}></models-screen>`,
  },
  {
    id: 'money',
    key: 'y',
    name: { ja: '費用', en: 'Money' },
    view: ({ address, host, language }) =>
      html`<money-screen .host=${host} .language=${language} .address=${address}></money-screen>`,
  },
  {
    id: 'people',
    key: 'p',
    name: { ja: 'ユーザー', en: 'People' },
    view: ({ address, host, language }) =>
      html`<people-screen .host=${host} .language=${language} .address=${address}></people-screen>`,
  },
  {
    id: 'feedback',
    key: 'f',
    name: { ja: '評価', en: 'Feedback' },
    view: ({ address, host, language }) =>
      html`<feedback-screen .host=${host} .language=${language} .address=${address}></feedback-screen>`,
  },
  {
    id: 'knowledge',
    key: 'k',
    name: { ja: 'カタログ', en: 'Knowledge' },
    view: ({ address, host, language }) =>
      html`<knowledge-screen .host=${host} .language=${language} .address=${address}></knowledge-screen>`,
  },
  {
    id: 'experiments',
    key: 'x',
    name: { ja: '実験', en: 'Experiments' },
    isThere: ({ experiments }) => experiments,
    view: ({ address, host, language }) =>
      html`<experiments-screen .host=${host} .language=${language} .address=${address}></experiments-screen>`,
  },
  {
    id: 'settings',
    key: 's',
    name: { ja: '設定', en: 'Settings' },
    view: ({ address, host, language }) =>
      html`<settings-screen .host=${host} .language=${language} .address=${address}></settings-screen>`,
  },
  {
    id: 'nodes',
    key: 'o',
    name: { ja: 'ノード', en: 'Nodes' },
    view: ({ address, host, language }) =>
      html`<nodes-screen .host=${host} .language=${language} .address=${address}></nodes-screen>`,
  },
  {
    id: 'audit',
    key: 'a',
    name: { ja: '監査', en: 'Audit' },
    view: ({ address, host, language }) =>
      html`<audit-screen .host=${host} .language=${language} .address=${address}></audit-screen>`,
  },
]

const ranks: Readonly<Record<Role, number>> = { viewer: 0, operator: 1, admin: 2 }

export function mayAs(own: Role, needed: Role): boolean {
  return ranks[own] >= ranks[needed]
}

export function screensFor({ capabilities, role }: Pick<SessionView, 'capabilities' | 'role'>): ScreenEntry[] {
  return all.filter(
    ({ isThere, role: needed = 'viewer' }) => mayAs(role, needed) && (isThere === undefined || isThere(capabilities)),
  )
}
