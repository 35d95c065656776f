// The fields of a product that have a text, or a list of texts, in each language.

export const BILINGUAL = [
  'author',
  'writer',
  'artist',
  'original',
  'magazine',
  'publisher',
  'synopsis',
  'readingOrder',
  'setting',
  'protagonist',
  'art',
  'lovedBy',
  'pitch',
]
export const BILINGUAL_LISTS = ['themes', 'hooks']
