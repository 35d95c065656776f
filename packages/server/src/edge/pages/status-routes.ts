// The status page for shoppers and the shop, and the same for programs. It needs no script, sets no cookie, and caches may share it.
import type { Language, Localized } from '@mangaassist/protocol'
import type { FastifyReply } from 'fastify'
import { isoTime } from '#lib/time/iso-time.ts'
import { preferredLanguage } from '../http/accept-language.ts'
import type { HttpParts, Routes } from '../http/route-parts.ts'
import { StatusWatch } from './status-watch.ts'
import type { ServiceStatus, StatusPart } from './status-watch.ts'

const CACHED = 'public, max-age=10'

const STATES: Readonly<Record<ServiceStatus['status'], Localized>> = {
  up: { ja: '正常に動いています', en: 'Everything works' },
  degraded: { ja: '一部がいつもどおりではありません', en: 'Some parts do not work as usual' },
  down: { ja: 'ただいまご利用いただけません', en: 'Not available at the moment' },
}

const PARTS: Readonly<Record<StatusPart, Localized>> = {
  questions: {
    ja: '新しいご質問の受付を休止しています。',
    en: 'New questions are not being taken.',
  },
  answers: {
    ja: 'お答えがいつもより簡単な内容になることがあります。',
    en: 'Answers may be simpler than usual.',
  },
  search: {
    ja: '商品の検索がうまくいかないことがあります。',
    en: 'Searching for products may not work well.',
  },
  history: {
    ja: 'これまでの会話が表示されないことがあります。',
    en: 'Earlier conversations may not be shown.',
  },
}

const WORDS = {
  title: { ja: 'サービスの状況', en: 'Service status' },
  since: { ja: 'この状態になった時刻', en: 'Since' },
  checked: { ja: '確認した時刻', en: 'Checked at' },
} satisfies Record<string, Localized>

type StatusParts = Pick<HttpParts, 'clock' | 'config' | 'readiness'>

export function statusRoutes(http: Routes, { clock, config, readiness }: StatusParts): void {
  const watch = new StatusWatch({ clock, report: () => readiness.report() })
  http.addHook('onListen', async () => watch.start())
  http.addHook('onClose', async () => watch[Symbol.dispose]())

  const page = async (reply: FastifyReply, language: Language) =>
    reply
      .header('cache-control', CACHED)
      .type('text/html; charset=utf-8')
      .send(documentOf(await watch.current(), language, timeText(config.store.timeZone, language)))

  http.route({
    method: ['GET', 'HEAD'],
    url: '/status',
    handler: async (request, reply) => {
      const varies = [reply.getHeader('vary') ?? [], 'Accept-Language'].flat().join(', ')
      return page(reply.header('vary', varies), preferredLanguage(request.headers['accept-language']))
    },
  })
  for (const language of ['ja', 'en'] as const)
    http.route({
      method: ['GET', 'HEAD'],
      url: `/status/${language}`,
      handler: (_request, reply) => page(reply, language),
    })
  http.route({
    method: ['GET', 'HEAD'],
    url: '/status.json',
    handler: async (_request, reply) => {
      const { checkedAt, parts, since, status } = await watch.current()
      return reply.header('cache-control', CACHED).send({
        status,
        parts: parts.map((part) => ({ part, message: PARTS[part] })),
        since: isoTime(since),
        checkedAt: isoTime(checkedAt),
      })
    },
  })
}

/** Times of the store's zone, which they name: a shared cache does not know the reader's. */
function timeText(timeZone: string, language: Language): (at: number) => string {
  const format = new Intl.DateTimeFormat(language === 'ja' ? 'ja-JP' : 'en-GB', {
    timeZone,
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  })
  return (at) => format.format(at)
}

/** Every text is ours: nothing is escaped because nothing comes from outside. */
function documentOf(
  { checkedAt, parts, since, status }: ServiceStatus,
  language: Language,
  written: (at: number) => string,
): string {
  const time = (at: number) => `<time datetime="${isoTime(at)}">${written(at)}</time>`
  const other = language === 'ja' ? 'en' : 'ja'
  const listed = parts.map((part) => `<li>${PARTS[part][language]}</li>`).join('')
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${WORDS.title[language]}</title>
</head>
<body>
<main>
<h1>${WORDS.title[language]}</h1>
<p><strong>${STATES[status][language]}</strong></p>
${listed === '' ? '' : `<ul>${listed}</ul>\n`}<p>${WORDS.since[language]}: ${time(since)}</p>
<p>${WORDS.checked[language]}: ${time(checkedAt)}</p>
<p><a href="/status/${other}" hreflang="${other}" lang="${other}">${other === 'ja' ? '日本語' : 'English'}</a></p>
</main>
</body>
</html>
`
}
