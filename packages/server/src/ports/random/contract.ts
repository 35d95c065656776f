// The contract of random numbers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Random } from './port.ts'

const DRAWS = 2000

export function randomContract(name: string, make: () => Random): void {
  test(`${name}: floats are in [0, 1) and fill it`, () => {
    const random = make()
    const drawn = Array.from({ length: DRAWS }, () => random.float())
    assert.ok(drawn.every((value) => value >= 0 && value < 1))
    const tenths = new Set(drawn.map((value) => Math.floor(value * 10)))
    assert.equal(tenths.size, 10)
  })

  test(`${name}: ids have their prefix, are short and plain, and do not repeat`, () => {
    const random = make()
    const ids = Array.from({ length: DRAWS }, () => random.id('turn'))
    for (const id of ids) assert.match(id, /^turn_[A-Za-z0-9]{16,59}$/)
    assert.equal(new Set(ids).size, DRAWS)
  })

  test(`${name}: every letter of the alphabet appears in ids`, () => {
    const random = make()
    const letters = new Set(Array.from({ length: DRAWS }, () => random.id('x').slice(2)).join(''))
    assert.equal(letters.size, 62)
  })

  test(`${name}: hexadecimal digits are as many as asked for, are all used, and do not repeat`, () => {
    const random = make()
    const drawn = Array.from({ length: DRAWS }, () => random.hex(24))
    for (const digits of drawn) assert.match(digits, /^[0-9a-f]{48}$/)
    assert.equal(new Set(drawn).size, DRAWS)
    assert.equal(new Set(drawn.join('')).size, 16)
    assert.equal(random.hex(0), '')
  })
}
