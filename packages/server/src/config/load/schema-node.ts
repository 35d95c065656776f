// The subset of JSON Schema that the configuration uses, as data: the loader converts, checks and explains values with
// it, so that a new setting needs no code here.

export interface SchemaNode {
  readonly type?: string
  readonly properties?: Readonly<Record<string, SchemaNode>>
  /** Undefined when every property is optional. */
  readonly required?: readonly string[] | undefined
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>
  readonly items?: SchemaNode
  readonly minItems?: number
  readonly anyOf?: readonly SchemaNode[]
  readonly enum?: readonly unknown[]
  readonly pattern?: string
  /** The meaning of a pattern in words: a regular expression explains nothing to an operator. */
  readonly description?: string
  readonly minLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
}

/** A map from names that the operator chooses to values of one type. */
export function recordOf(
  node: SchemaNode,
): { readonly namePattern: string; readonly nameInWords: string; readonly value: SchemaNode } | undefined {
  const [entry] = Object.entries(node.patternProperties ?? {})
  return entry && { namePattern: entry[0], nameInWords: node.description ?? 'a name', value: entry[1] }
}

/** The allowed values in words. */
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
