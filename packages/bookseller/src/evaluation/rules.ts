// Rules that every series shown must meet, as the evaluation files write them.
import { totalYen } from '../catalogue/catalogue.ts'
import type { Product } from '../catalogue/catalogue.ts'
import { authorNames } from '../understanding/people.ts'

const COMPARED = /^(total|each|volumes|age|year)(<=|>=)(\d+)$/u
const EQUAL = /^(not-)?(status|author|magazine|genre|mood|content)=(.+)$/u

/** A rule that names an unknown condition is a mistake of the file, and throws. */
export function breaksRule(product: Product, rule: string): boolean {
  if (rule === 'inStock') return product.stock === 0
  const compared = COMPARED.exec(rule)
  if (compared !== null) {
    const value = valueOf(product, compared[1]!)
    const limit = Number(compared[3])
    // An unknown fact breaks no rule, except the age: what is unknown is not for children.
    if (value === undefined) return compared[1] === 'age'
    return compared[2] === '<=' ? value > limit : value < limit
  }
  const equal = EQUAL.exec(rule)
  if (equal === null) throw new Error(`unknown rule ${rule}`)
  const has = valuesOf(product, equal[2]!).some(
    (value) => value === equal[3] || (equal[2] === 'magazine' && value.includes(equal[3]!)),
  )
  return equal[1] === undefined ? !has && valuesOf(product, equal[2]!).length > 0 : has
}

function valueOf(product: Product, field: string): number | undefined {
  if (field === 'total') return totalYen(product)
  if (field === 'each') return product.pricePerVolumeYen
  if (field === 'volumes') return product.volumes
  return field === 'age' ? product.age : product.firstYear
}

function valuesOf(product: Product, field: string): readonly string[] {
  const { author, writer, artist, magazine, genres, moods, content = [], status } = product
  if (field === 'genre') return genres
  if (field === 'mood') return moods
  if (field === 'content') return content
  if (field === 'magazine') return magazine === undefined ? [] : [magazine.ja]
  // A series on hiatus has not ended.
  if (field === 'status') return status === undefined ? [] : status === 'hiatus' ? ['hiatus', 'running'] : [status]
  return [...authorNames(author).ja, ...authorNames(writer).ja, ...authorNames(artist).ja]
}
