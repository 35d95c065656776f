// Pictures of the series: covers in SVG for our pages, and pictures in PNG that other sites show beside a link. Caches may share them, and
// none creates a guest. An address with the version of its content never changes; without, as in the chat, it may.
import { Refusal } from '#domain/refusal.ts'
import type { CoverFacts } from '#services/products.ts'
import type { HttpParts, Routes } from '../http/route-parts.ts'
import { coverVersion } from './covers/cover-address.ts'
import { coverPicture } from './covers/cover.ts'
import { sharePicture } from './pictures/share-picture.ts'
import { sendText } from './rendering/send-text.ts'

const FOR_EVER = 'public, max-age=31536000, immutable'
const FOR_MINUTES = 'public, max-age=600'
/** Drawn pictures in memory: drawing one takes some milliseconds, and sites ask again for what is being shared. */
const DRAWN_MAX = 100

export function pictureRoutes(http: Routes, { app }: Pick<HttpParts, 'app'>): void {
  const drawn = new Map<string, Buffer>()

  function shared(subject: CoverFacts): Buffer {
    const key = `${subject.id} ${coverVersion(subject)}`
    const known = drawn.get(key)
    if (known !== undefined) return known
    const picture = sharePicture(subject)
    drawn.set(key, picture)
    const oldest = drawn.keys().next()
    if (drawn.size > DRAWN_MAX && !oldest.done) drawn.delete(oldest.value)
    return picture
  }

  http.route({
    method: ['GET', 'HEAD'],
    url: '/covers/:name',
    handler: async (request, reply) => {
      const { name } = request.params as { name: string }
      const { v } = request.query as { v?: string }
      const [, id = '', format] = /^(.+)\.(svg|png)$/.exec(name) ?? []
      const subject = await app.coverFacts(id)
      if (subject === undefined) throw new Refusal('NOT_FOUND')
      reply
        .header('cache-control', v === coverVersion(subject) ? FOR_EVER : FOR_MINUTES)
        .header('cross-origin-resource-policy', 'cross-origin')
      if (format === 'png') return reply.type('image/png').send(shared(subject))
      return sendText(request, reply.type('image/svg+xml; charset=utf-8'), coverPicture(subject).text)
    },
  })
}
