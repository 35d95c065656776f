// The schemas of a product and of an FAQ entry, as in the data files and in memory.
import Type from 'typebox'
import type { Static } from 'typebox'
import type { Language, ProductCard } from '@mangaassist/protocol'

const Text = Type.String({ minLength: 1 })
const Texts = Type.Array(Text)
const Bilingual = Type.Object({ ja: Text, en: Text })
const BilingualList = Type.Object({ ja: Texts, en: Texts })
const Year = Type.Integer({ minimum: 1900, maximum: 2100 })
const Yen = Type.Integer({ minimum: 1 })
const Copies = Type.Integer({ minimum: 0 })
const Volume = Type.Integer({ minimum: 1, maximum: 9999 })

/** What a reader, or a parent, may want to be warned of. */
export const CONTENT_KEYS = [
  'violence-mild',
  'violence-strong',
  'gore',
  'sexual-mild',
  'sexual-strong',
  'nudity',
  'frightening',
  'loss',
  'bullying',
  'suicide',
  'abuse',
  'drugs',
  'alcohol-tobacco',
  'war',
  'discrimination',
  'strong-language',
  'animal-death',
] as const

/** A series. A shop may know little of it: an absent fact is unknown, and no answer states it. docs/catalogue.md describes every field. */
export const Product = Type.Object({
  id: Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', maxLength: 128 }),
  title: Type.Object({ ja: Text, en: Text, romaji: Text, kana: Type.Optional(Text) }),
  /** Every other name: abbreviations, characters, misspellings. */
  aliases: Texts,
  /** As shown on a card: both people when writer and artist differ, separated by " / ". */
  author: Type.Optional(Bilingual),
  writer: Type.Optional(Bilingual),
  artist: Type.Optional(Bilingual),
  /** What the manga was made from. */
  original: Type.Optional(Type.Object({ ja: Text, en: Text, kind: Type.Enum(['novel', 'game', 'anime', 'web']) })),
  /** Other manga of the writer or the artist. */
  otherWorks: Type.Optional(Type.Array(Bilingual)),
  magazine: Type.Optional(Bilingual),
  publisher: Type.Optional(Bilingual),
  demographic: Type.Optional(Type.Enum(['shounen', 'shoujo', 'seinen', 'josei', 'kodomo'])),
  genres: Texts,
  moods: Texts,
  firstYear: Type.Optional(Year),
  lastYear: Type.Optional(Year),
  /** Volumes that the shop sells: 1 to this number. */
  volumes: Volume,
  status: Type.Optional(Type.Enum(['completed', 'running', 'hiatus'])),
  synopsis: Type.Optional(Bilingual),
  pricePerVolumeYen: Yen,
  stock: Copies,
  /** Price and stock of single volumes where they differ from those of the series. */
  volumeOffers: Type.Optional(
    Type.Array(Type.Object({ volume: Volume, priceYen: Type.Optional(Yen), stock: Type.Optional(Copies) })),
  ),
  /** The days on which volumes come out. */
  releases: Type.Optional(
    Type.Array(
      Type.Object({
        volume: Volume,
        date: Type.String({ pattern: '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$' }),
      }),
    ),
  ),
  /** The age from which it is suitable. */
  age: Type.Optional(Type.Enum([0, 6, 8, 10, 12, 15, 18])),
  /** Empty: nothing to warn of. Absent: unknown. */
  content: Type.Optional(Type.Array(Type.Enum([...CONTENT_KEYS]))),
  adaptations: Type.Optional(
    Type.Array(Type.Object({ kind: Type.Enum(['tv', 'film', 'ova', 'live-action', 'stage']), year: Year })),
  ),
  related: Type.Optional(
    Type.Array(
      Type.Object({
        kind: Type.Enum(['sequel', 'prequel', 'spin-off', 'same-world', 'remake']),
        title: Bilingual,
      }),
    ),
  ),
  readingOrder: Type.Optional(Bilingual),
  themes: Type.Optional(BilingualList),
  setting: Type.Optional(Bilingual),
  protagonist: Type.Optional(Bilingual),
  art: Type.Optional(Bilingual),
  /** What it is, as a bookseller says it: a noun phrase, so that it can stand after the title or in a sentence of its own. */
  pitch: Type.Optional(Bilingual),
  /** Who loves it, and why. */
  lovedBy: Type.Optional(Bilingual),
  pace: Type.Optional(Type.Enum(['slow', 'steady', 'fast'])),
  /** Plots and scenes as people half remember them. For search only, never shown: some of them spoil. */
  hooks: Type.Optional(BilingualList),
  /** With `id` when the shop sells it. */
  similar: Type.Optional(Type.Array(Type.Object({ id: Type.Optional(Text), title: Bilingual, reason: Bilingual }))),
})
export type Product = Static<typeof Product>

/** The price of one volume; undefined for a volume that the shop does not sell. */
export function priceOfVolume(
  { volumes, volumeOffers, pricePerVolumeYen }: Product,
  volume: number,
): number | undefined {
  if (!isSold(volumes, volume)) return undefined
  return volumeOffers?.find((offer) => offer.volume === volume)?.priceYen ?? pricePerVolumeYen
}

/** The stock of one volume: its own where known, else that of the series; 0 for a volume that the shop does not sell. */
export function stockOfVolume({ volumes, volumeOffers, stock }: Product, volume: number): number {
  return isSold(volumes, volume) ? (volumeOffers?.find((offer) => offer.volume === volume)?.stock ?? stock) : 0
}

/** The price of all volumes together. */
export function totalYen({
  volumes,
  volumeOffers = [],
  pricePerVolumeYen,
}: Pick<Product, 'volumes' | 'volumeOffers' | 'pricePerVolumeYen'>): number {
  const differences = volumeOffers
    .filter(({ volume }) => isSold(volumes, volume))
    .map(({ priceYen = pricePerVolumeYen }) => priceYen - pricePerVolumeYen)
  return differences.reduce((sum, difference) => sum + difference, volumes * pricePerVolumeYen)
}

const isSold = (volumes: number, volume: number): boolean =>
  Number.isInteger(volume) && volume >= 1 && volume <= volumes

export const FaqEntry = Type.Object({
  id: Text,
  topic: Text,
  questions: Type.Object({ ja: Type.Array(Text, { minItems: 1 }), en: Type.Array(Text, { minItems: 1 }) }),
  keywords: Type.Object({ ja: Type.Array(Text), en: Type.Array(Text) }),
  answer: Bilingual,
  /** A short answer to the usual question, in a sentence or two. If absent, the whole answer is given. */
  brief: Type.Optional(Bilingual),
  /** Answers to questions about one detail, found by words of the message. */
  details: Type.Optional(Type.Array(Type.Object({ words: Type.Array(Text, { minItems: 1 }), ja: Text, en: Text }))),
})
export type FaqEntry = Static<typeof FaqEntry>

/** The page of a series in the store. */
export const productUrl = (id: string): string => `/series/${id}`

/** What a card shows of a product. */
export type CardFacts = Pick<
  Product,
  'id' | 'title' | 'author' | 'volumes' | 'status' | 'pricePerVolumeYen' | 'volumeOffers' | 'stock' | 'genres'
>

export function toCard(product: CardFacts, language: Language, why?: string): ProductCard {
  return {
    id: product.id,
    title: { ja: product.title.ja, en: product.title.en },
    ...(product.author === undefined
      ? {}
      : { author: product.author[language], authors: { ja: product.author.ja, en: product.author.en } }),
    volumes: product.volumes,
    ...(product.status === undefined ? {} : { status: product.status }),
    pricePerVolumeYen: product.pricePerVolumeYen,
    totalYen: totalYen(product),
    stock: product.stock,
    url: productUrl(product.id),
    genres: product.genres,
    ...(why === undefined ? {} : { why }),
  }
}
