// Multiplies vectors of signed bytes, eight dimensions at a time: a WebAssembly function of a few dozen instructions, which are
// written here, so that no other tool is needed. Each helper below is one instruction or one statement.

/** The few parts of WebAssembly that are used: the types of Node do not declare it. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Memory: new (size: { readonly initial: number }) => { readonly buffer: ArrayBuffer }
  readonly Instance: new (module: object, imports: object) => { readonly exports: object }
}

type Code = readonly number[]

const I32 = 0x7f
const V128 = 0x7b
const NO_RESULT = 0x40
const END = 0x0b

const get = (local: number): Code => [0x20, local]
const set = (local: number, value: Code): Code => [...value, 0x21, local]
/** Less than 64: one byte. */
const constant = (value: number): Code => [0x41, value]
const plus = (x: Code, y: Code): Code => [...x, ...y, 0x6a]
const times = (x: Code, y: Code): Code => [...x, ...y, 0x6c]
const isLess = (x: Code, y: Code): Code => [...x, ...y, 0x48]
const load = (address: Code): Code => [...address, 0x28, 2, 0]
const store = (address: Code, value: Code): Code => [...address, ...value, 0x36, 2, 0]
const doWhile = (body: readonly Code[], condition: Code): Code =>
  [[0x03, NO_RESULT], ...body, condition, [0x0d, 0, END]].flat()
const ifElse = (condition: Code, then: Code, otherwise: Code): Code =>
  [condition, [0x04, NO_RESULT], then, [0x05], otherwise, [END]].flat()
const FOUR_ZEROS: Code = [0xfd, 0x0c, ...Array.from({ length: 16 }, () => 0)]
/** Eight bytes, as eight numbers of 16 bits. */
const loadEight = (address: Code): Code => [...address, 0xfd, 0x01, 0, 0]
/** Multiplies eight numbers with eight others, and adds neighbours: four sums of 32 bits. */
const multiplyEight = (x: Code, y: Code): Code => [...x, ...y, 0xfd, 0xba, 0x01]
const plusFour = (x: Code, y: Code): Code => [...x, ...y, 0xfd, 0xae, 0x01]
const lane = (four: Code, place: number): Code => [...four, 0xfd, 0x1b, place]

const PARAMETERS = 9
const [ROW, ROWS_END, OTHERS, OTHERS_END, OUT, STRIDE, LEADING, LEADING_MIN, DIMENSIONS] = [0, 1, 2, 3, 4, 5, 6, 7, 8]
const [OTHER, A, B, K, SUM, FOUR_SUMS] = [9, 10, 11, 12, 13, 14]

const next = (local: number, bytes: number): Code => set(local, plus(get(local), constant(bytes)))
const addUntil = (end: number): Code =>
  doWhile(
    [
      set(
        FOUR_SUMS,
        plusFour(get(FOUR_SUMS), multiplyEight(loadEight(plus(get(A), get(K))), loadEight(plus(get(B), get(K))))),
      ),
      next(K, 8),
    ],
    isLess(get(K), get(end)),
  )
const SUM_UP = set(
  SUM,
  [0, 1, 2, 3].map((place) => lane(get(FOUR_SUMS), place)).reduce((sum, value) => plus(sum, value)),
)

const BODY: Code = doWhile(
  [
    set(A, times(load(get(ROW)), get(STRIDE))),
    set(OTHER, get(OTHERS)),
    doWhile(
      [
        set(B, times(load(get(OTHER)), get(STRIDE))),
        set(FOUR_SUMS, FOUR_ZEROS),
        set(K, constant(0)),
        addUntil(LEADING),
        SUM_UP,
        ifElse(
          isLess(get(SUM), get(LEADING_MIN)),
          set(SUM, constant(0)),
          ifElse(isLess(get(K), get(DIMENSIONS)), [...addUntil(DIMENSIONS), ...SUM_UP], []),
        ),
        store(get(OUT), get(SUM)),
        next(OUT, 4),
        next(OTHER, 4),
      ],
      isLess(get(OTHER), get(OTHERS_END)),
    ),
    next(ROW, 4),
  ],
  isLess(get(ROW), get(ROWS_END)),
)

const sized = (bytes: Code): Code =>
  bytes.length < 128 ? [bytes.length, ...bytes] : [(bytes.length & 127) | 128, bytes.length >>> 7, ...bytes]
const section = (id: number, bytes: Code): Code => [id, ...sized(bytes)]
const LOCALS: Code = [2, FOUR_SUMS - PARAMETERS, I32, 1, V128]
const MAGIC_AND_VERSION: Code = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]
const NAME: Code = sized(['m'.charCodeAt(0)])

const module = new WebAssembly.Module(
  Uint8Array.from([
    ...MAGIC_AND_VERSION,
    ...section(1, [1, 0x60, ...sized(Array.from({ length: PARAMETERS }, () => I32)), 0]),
    // The memory is imported, and the function exported, by the same short name.
    ...section(2, [1, ...NAME, ...NAME, 2, 0, 0]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...NAME, 0, 0]),
    ...section(10, [1, ...sized([...LOCALS, ...BODY, END])]),
  ]),
)

/** Addresses and numbers of bytes in the memory. A list of rows has at least one, each a number of 32 bits. */
export interface Products {
  readonly rows: number
  readonly rowsEnd: number
  readonly others: number
  readonly othersEnd: number
  /** Where the products go: for each row, those with each of the others. */
  readonly out: number
  /** The length of a vector; it and the numbers of dimensions are multiples of eight. */
  readonly stride: number
  /** The product is 0 when that of the leading dimensions is less than `leadingMin`. */
  readonly leading: number
  readonly leadingMin: number
  readonly dimensions: number
}

export interface ProductMemory {
  readonly buffer: ArrayBuffer
  multiply(products: Products): void
}

const PAGE_BYTES = 65_536

export function productMemory(bytes: number): ProductMemory {
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE_BYTES) })
  const { m } = new WebAssembly.Instance(module, { m: { m: memory } }).exports as {
    readonly m: (...parameters: readonly number[]) => void
  }
  return {
    buffer: memory.buffer,
    multiply: ({ rows, rowsEnd, others, othersEnd, out, stride, leading, leadingMin, dimensions }) =>
      m(rows, rowsEnd, others, othersEnd, out, stride, leading, leadingMin, dimensions),
  }
}
