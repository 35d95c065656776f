// The panel lies as the reader chose, where the window has room for it, and not on what was pressed.
import assert from 'node:assert/strict'
import test from 'node:test'
import { besides, offeredLayouts, shownLayout } from './layout.ts'

const desktop = { width: 1280, height: 800 }
const tablet = { width: 800, height: 1000 }
const phone = { width: 360, height: 740 }

test('a phone, and a desktop at 400 % zoom, have one layout', () => {
  assert.equal(shownLayout('dock', phone), 'phone')
  assert.equal(shownLayout('float', { width: 320, height: 256 }), 'phone')
  assert.deepEqual(offeredLayouts(phone), [])
})

test('a panel that has no room beside the page floats', () => {
  assert.equal(shownLayout('dock', desktop), 'dock')
  assert.equal(shownLayout('dock', tablet), 'float')
  assert.deepEqual(offeredLayouts(tablet), ['float', 'wide', 'full'])
})

test('what was pressed under the panel moves it beside the page, or to the other side', () => {
  const pressed = { left: 620, right: 760, top: 500, bottom: 546 }
  const far = { left: 900, right: 1000, top: 500, bottom: 546 }
  assert.deepEqual(besides(far, 'right', desktop), { side: 'right', docked: true })
  assert.deepEqual(besides(pressed, 'right', desktop), { side: 'right', docked: false })
  assert.deepEqual(besides(pressed, 'right', tablet), { side: 'left', docked: false })
  assert.deepEqual(besides({ ...pressed, left: 300 }, 'right', tablet), { side: 'right', docked: false })
  assert.deepEqual(besides(undefined, 'right', tablet), { side: 'right', docked: false })
})
