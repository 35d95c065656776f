// The reading of a message that says nothing.
import type { Reading } from './reading.ts'

export const NO_READING: Reading = {
  language: 'en',
  act: 'unclear',
  sureness: 0,
  otherwise: 'unclear',
  facts: [],
  measures: [],
  changes: [],
  grievances: [],
  isComplex: false,
  isPersonal: false,
  spans: [],
  series: [],
  by: [],
  notBy: [],
  publishedIn: [],
  notPublishedIn: [],
  want: [],
  avoid: [],
  allow: [],
  plot: '',
  limits: {},
  referents: [],
}
