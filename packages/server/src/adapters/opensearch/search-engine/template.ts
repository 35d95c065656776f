// The index template and the search pipeline, as data: `setup` writes them, `doctor` compares them, and the indexes of all editions
// follow from them. Japanese is analysed by kuromoji, by words and by their readings; English by its stems. The terms of our own
// segmentation are stored as well: they are what the node's own index has, so both find the same.

/** Rises with every change of the fields or of how texts are cut. */
export const ENGINE_LAYOUT = 1

/** OpenSearch before 2.13 does not return the scores of named queries. */
export const VERSION_MIN = [2, 13] as const
export const PLUGINS_NEEDED = ['analysis-kuromoji', 'opensearch-knn', 'opensearch-neural-search'] as const

export interface EngineNames {
  /** The alias that is searched. */
  readonly alias: string
  readonly template: string
  readonly pipeline: string
  /** What the names of all indexes begin with. */
  readonly prefix: string
  indexOf(edition: string): string
  /** Undefined for an index of something else, or of another layout. */
  editionOf(index: string): string | undefined
}

export function engineNames(alias: string): EngineNames {
  const prefix = `${alias}-v${ENGINE_LAYOUT}-`
  return {
    alias,
    template: `${alias}-template`,
    pipeline: `${alias}-hybrid`,
    prefix,
    indexOf: (edition) => `${prefix}${edition}`,
    editionOf: (index) => (index.startsWith(prefix) ? index.slice(prefix.length) : undefined),
  }
}

export interface TemplateOptions {
  readonly dimensions: number
  /** Serverless places shards and replicas itself, and refuses settings for them. */
  readonly isServerless: boolean
}

export function indexTemplate(names: EngineNames, { dimensions, isServerless }: TemplateOptions) {
  // One shard: the weight of a word is counted per shard, and a catalogue fits into one.
  const placed = isServerless ? {} : { number_of_shards: 1, number_of_replicas: 1, refresh_interval: '30s' }
  return {
    index_patterns: [`${names.prefix}*`],
    priority: 200,
    version: ENGINE_LAYOUT,
    template: {
      settings: { index: { knn: true, ...placed, analysis: ANALYSIS } },
      mappings: { dynamic: 'strict', properties: propertiesOf(dimensions) },
    },
  }
}

const ANALYSIS = {
  filter: {
    katakana_reading: { type: 'kuromoji_readingform', use_romaji: false },
    english_stems: { type: 'stemmer', language: 'english' },
    english_stops: { type: 'stop', stopwords: '_english_' },
  },
  tokenizer: { japanese_words: { type: 'kuromoji_tokenizer', mode: 'search' } },
  analyzer: {
    terms: { type: 'custom', tokenizer: 'whitespace' },
    japanese: {
      type: 'custom',
      tokenizer: 'japanese_words',
      filter: ['kuromoji_baseform', 'kuromoji_part_of_speech', 'cjk_width', 'ja_stop', 'kuromoji_stemmer', 'lowercase'],
    },
    readings: {
      type: 'custom',
      tokenizer: 'japanese_words',
      filter: ['kuromoji_part_of_speech', 'cjk_width', 'katakana_reading', 'lowercase'],
    },
    english_text: {
      type: 'custom',
      tokenizer: 'standard',
      filter: ['cjk_width', 'lowercase', 'english_stops', 'english_stems'],
    },
  },
} as const

function propertiesOf(dimensions: number) {
  const english = { type: 'text', analyzer: 'english_text' }
  return {
    id: { type: 'keyword' },
    terms: { type: 'text', analyzer: 'terms' },
    names: {
      type: 'text',
      analyzer: 'japanese',
      fields: { readings: { type: 'text', analyzer: 'readings' }, english },
    },
    text: { type: 'text', analyzer: 'japanese', fields: { english } },
    keys: { type: 'keyword' },
    volumes: { type: 'integer' },
    first_year: { type: 'integer' },
    age: { type: 'integer' },
    fame: { type: 'integer' },
    direction: {
      type: 'knn_vector',
      dimension: dimensions,
      // Vectors have the length 1, so the nearest by l2 are the nearest by angle; every engine and version has l2.
      method: { name: 'hnsw', engine: 'faiss', space_type: 'l2', parameters: { m: 16, ef_construction: 128 } },
    },
  }
}

/** The clauses of a hybrid query have scores of different scales; each is brought to 0 … 1 before they are added. */
export const SEARCH_PIPELINE = {
  description: 'Combines full text, vectors and attributes of the catalogue',
  phase_results_processors: [
    {
      'normalization-processor': {
        normalization: { technique: 'min_max' },
        combination: { technique: 'arithmetic_mean' },
      },
    },
  ],
} as const
