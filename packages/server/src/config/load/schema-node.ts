// The part of JSON Schema that the configuration is written in, as data to walk: the loader converts, checks and
// explains values by it, so that a new setting needs no line here.

export interface SchemaNode {
  readonly type?: string
  readonly properties?: Readonly<Record<string, SchemaNode>>
  /** Undefined where every part may be left out. */
  readonly required?: readonly string[] | undefined
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>
  readonly items?: SchemaNode
  readonly minItems?: number
  readonly anyOf?: readonly SchemaNode[]
  readonly enum?: readonly unknown[]
  readonly pattern?: string
  /** What a pattern means, in words: a regular expression explains nothing to the reader of a problem. */
  readonly description?: string
  readonly minLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
}

/** A map from names of the owner's choosing to values of one shape. */
export function recordOf(
  node: SchemaNode,
): { readonly namePattern: string; readonly nameInWords: string; readonly value: SchemaNode } | undefined {
  const [entry] = Object.entries(node.patternProperties ?? {})
  return entry && { namePattern: entry[0], nameInWords: node.description ?? 'a name', value: entry[1] }
}

/** What a value of this shape may be, in words. */
export function describeAllowed(node: SchemaNode): string {
  if (node.enum) return `${node.enum.length === 1 ? '' : 'one of '}${node.enum.map(quote).join(', ')}`
  if (node.anyOf) return node.anyOf.map(describeAllowed).join(', or ')
  const record = recordOf(node)
  if (record) return `an object, each name ${record.nameInWords}`
  switch (node.type) {
    case 'integer':
      return `a whole number${describeRange(node)}`
    case 'number':
      return `a number${describeRange(node)}`
    case 'boolean':
      return 'true or false'
    case 'string':
      return node.description ?? 'a text that is not empty'
    case 'array':
      return node.items
        ? `a list${node.minItems === undefined ? '' : ` of ${node.minItems}`}, each item ${describeAllowed(node.items)}`
        : 'a list'
    case 'object':
      return `an object with ${Object.keys(node.properties ?? {}).join(', ')}`
    default:
      return JSON.stringify(node)
  }
}

function describeRange({ minimum, maximum, exclusiveMinimum }: SchemaNode): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`
  if (minimum !== undefined) return ` of at least ${minimum}`
  if (exclusiveMinimum !== undefined) return ` greater than ${exclusiveMinimum}`
  return maximum === undefined ? '' : ` of at most ${maximum}`
}

function quote(value: unknown): string {
  return JSON.stringify(value)
}
