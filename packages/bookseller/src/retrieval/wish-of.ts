// The wish of a search from what was read or stands: qualities by their words and by the keys that they mean, and the limits
// as filters.
import type { Filters, Wish } from './wish.ts'
import type { Aspect, Reading } from '../understanding/reading.ts'

export type Stated = Pick<Reading, 'want' | 'avoid' | 'by' | 'notBy' | 'publishedIn' | 'notPublishedIn' | 'limits'>

export function wishOf(stated: Stated): Wish {
  const { want, avoid, notBy } = stated
  const keys = (of: 'genres' | 'moods' | 'content', aspects: readonly Aspect[]) => [
    ...new Set(aspects.flatMap((aspect) => aspect[of])),
  ]
  const texts = (aspects: readonly Aspect[]) => aspects.filter((aspect) => !isKeyed(aspect)).map(({ text }) => text)
  const avoidTexts = texts(avoid)
  return {
    want: want.map(({ text, genres, moods }) => ({ text, genres, moods })),
    avoid: [...keys('genres', avoid), ...keys('moods', avoid), ...keys('content', avoid)],
    ...(avoidTexts.length === 0 ? {} : { avoidTexts }),
    ...(notBy.length === 0 ? {} : { avoidAuthors: notBy }),
    filters: filtersOf(stated),
  }
}

const isKeyed = ({ genres, moods, content }: Aspect): boolean => genres.length + moods.length + content.length > 0

const PUBLISHER = /(?:社|館|書店|書院|出版|エニックス|KADOKAWA)$/u

function filtersOf({ by, publishedIn, notPublishedIn, limits }: Stated): Filters {
  const { volumeYenMax, volumeYenMin, age, ...same } = limits
  const [author] = by
  const split = (names: readonly string[]) => ({
    magazines: names.filter((name) => !PUBLISHER.test(name)),
    publishers: names.filter((name) => PUBLISHER.test(name)),
  })
  const [wanted, unwanted] = [split(publishedIn), split(notPublishedIn)]
  // A magazine or a publisher: both lists at once would want both.
  const place = wanted.magazines.length > 0 ? { magazines: wanted.magazines } : { publishers: wanted.publishers }
  return {
    ...same,
    ...(volumeYenMax === undefined ? {} : { priceYenMax: volumeYenMax }),
    ...(volumeYenMin === undefined ? {} : { priceYenMin: volumeYenMin }),
    ...(age === undefined ? {} : { readerAge: age }),
    ...(author === undefined ? {} : { author }),
    ...(publishedIn.length === 0 ? {} : place),
    ...(unwanted.magazines.length === 0 ? {} : { notMagazines: unwanted.magazines }),
    ...(unwanted.publishers.length === 0 ? {} : { notPublishers: unwanted.publishers }),
  }
}
