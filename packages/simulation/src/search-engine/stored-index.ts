// One index: its mapping, which refuses fields and values that do not fit, and its documents, which are found after a refresh.
import { analyzersOf } from './analysis.ts'
import type { Analyzer } from './analysis.ts'
import { asObject, badMapping, EngineRefusal, illegal } from './refusal.ts'
import type { Json } from './refusal.ts'
import { TextIndex } from './text-index.ts'

export interface IndexSettings {
  readonly settings: Json
  readonly mappings: Json
  readonly plugins: readonly string[]
}

export type FieldType = 'text' | 'keyword' | 'integer' | 'knn_vector'

interface Field {
  readonly type: FieldType
  readonly analyzer?: Analyzer
  readonly texts?: TextIndex
  readonly dimension?: number
}

export interface StoredDocument {
  readonly id: string
  readonly source: Json
}

const TYPES: ReadonlySet<string> = new Set(['text', 'keyword', 'integer', 'knn_vector'])
const ENGINES: ReadonlySet<string> = new Set(['faiss', 'lucene', 'nmslib'])
const SPACES: ReadonlySet<string> = new Set(['l2', 'innerproduct', 'cosinesimil', 'l1', 'linf'])
const DIMENSION_MAX = 16_000

export class StoredIndex {
  readonly settings: Json
  mappings: Json
  readonly documents: StoredDocument[] = []
  readonly #numbers = new Map<string, number>()
  readonly #fields = new Map<string, Field>()
  readonly #isKnn: boolean
  #pending: StoredDocument[] = []
  #nextId = 1

  constructor({ mappings, plugins, settings }: IndexSettings) {
    this.settings = settings
    this.mappings = mappings
    const index = asObject(settings['index'] ?? {}, 'settings.index')
    const analyzers = analyzersOf(asObject(index['analysis'] ?? {}, 'analysis'), plugins)
    this.#isKnn = index['knn'] === true || index['knn'] === 'true'
    if (this.#isKnn && !plugins.includes('opensearch-knn')) throw illegal('unknown setting [index.knn]')
    for (const [name, field] of Object.entries(asObject(mappings['properties'] ?? {}, 'properties')))
      this.#addField(name, asObject(field, name), analyzers)
  }

  #addField(name: string, given: Json, analyzers: ReadonlyMap<string, Analyzer>): void {
    const { analyzer = 'standard', dimension, fields = {}, method, type } = given
    if (!TYPES.has(String(type))) throw badMapping(`No handler for type [${String(type)}] declared on field [${name}]`)
    if (type === 'text') {
      const found = analyzers.get(String(analyzer))
      if (found === undefined) throw badMapping(`analyzer [${String(analyzer)}] has not been configured in mappings`)
      this.#fields.set(name, { type, analyzer: found, texts: new TextIndex() })
    } else if (type === 'knn_vector') {
      this.#checkVector(name, dimension, method)
      this.#fields.set(name, { type, dimension: Number(dimension) })
    } else this.#fields.set(name, { type: type as FieldType })
    for (const [below, field] of Object.entries(asObject(fields, 'fields')))
      this.#addField(`${name}.${below}`, asObject(field, below), analyzers)
  }

  #checkVector(name: string, dimension: unknown, method: unknown): void {
    if (!this.#isKnn) throw badMapping(`Cannot set modelId or method parameters when index.knn setting is false`)
    if (!Number.isInteger(dimension) || Number(dimension) < 1 || Number(dimension) > DIMENSION_MAX)
      throw badMapping(`Dimension value must be between 1 and ${DIMENSION_MAX} for vector: ${name}`)
    const { engine = 'faiss', name: algorithm, space_type: space = 'l2' } = asObject(method ?? {}, 'method')
    if (method !== undefined && algorithm !== 'hnsw') throw badMapping(`Invalid method name: ${String(algorithm)}`)
    if (!ENGINES.has(String(engine))) throw badMapping(`Invalid engine type: ${String(engine)}`)
    if (!SPACES.has(String(space))) throw badMapping(`Invalid space type: ${String(space)}`)
  }

  field(name: string): Field | undefined {
    return this.#fields.get(name)
  }

  /** Stores it for the next refresh. Refuses what the mapping does not allow. */
  write(id: string | undefined, source: Json): string {
    for (const [name, value] of Object.entries(source)) this.#check(name, value)
    const own = id ?? `auto-${this.#nextId}`
    this.#nextId += 1
    this.#pending.push({ id: own, source })
    return own
  }

  #check(name: string, value: unknown): void {
    const field = this.#fields.get(name)
    if (field === undefined) {
      if (this.mappings['dynamic'] !== 'strict') return
      const reason = `mapping set to strict, dynamic introduction of [${name}] within [_doc] is not allowed`
      throw new EngineRefusal(400, 'strict_dynamic_mapping_exception', reason)
    }
    const values = Array.isArray(value) ? value : [value]
    const fits: Readonly<Record<FieldType, (one: unknown) => boolean>> = {
      text: (one) => typeof one === 'string',
      keyword: (one) => typeof one === 'string',
      integer: (one) => Number.isInteger(one),
      knn_vector: (one) => typeof one === 'number' && Number.isFinite(one),
    }
    if (!values.every(fits[field.type])) throw badMapping(`failed to parse field [${name}] of type [${field.type}]`)
    if (field.type === 'knn_vector' && values.length !== field.dimension)
      throw badMapping(`Vector dimension mismatch. Expected: ${field.dimension}, Given: ${values.length}`)
  }

  refresh(): void {
    for (const document of this.#pending) {
      const number = this.#numbers.get(document.id) ?? this.documents.length
      this.#numbers.set(document.id, number)
      this.documents[number] = document
      for (const [name, { analyzer, texts }] of this.#fields) {
        if (texts === undefined || analyzer === undefined) continue
        // A field below another is made from the value of that one.
        const value = document.source[name.split('.')[0]!]
        const all = value === undefined ? [] : Array.isArray(value) ? value : [value]
        texts.add(
          number,
          all.flatMap((one) => analyzer(String(one))),
        )
      }
    }
    this.#pending = []
  }
}
