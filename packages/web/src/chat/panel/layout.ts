// How the panel lies on the page: what the reader chose, as far as the window has room for it. Pure.

const layouts = ['float', 'wide', 'dock', 'full'] as const
/** `float`: over a corner of the page; `wide`: the same, wider; `dock`: at the side, and the page makes room; `full`. */
export type Layout = (typeof layouts)[number]
/** On a phone the panel covers the page, whatever was chosen. */
export type ShownLayout = Layout | 'phone'

export interface Area {
  readonly width: number
  readonly height: number
}

/** Also the width at a zoom of 400 % on a desktop. */
const phoneWidthMax = 560
export const dockWidthPx = 420
/** The least width that a docked panel must leave to the page. */
const pageWidthMin = 560

export function shownLayout(chosen: Layout, { width }: Area): ShownLayout {
  if (width <= phoneWidthMax) return 'phone'
  return chosen === 'dock' && !hasRoomToDock(width) ? 'float' : chosen
}

function hasRoomToDock(width: number): boolean {
  return width - dockWidthPx >= pageWidthMin
}

/** The choices that make a difference in this window; none on a phone. */
export function offeredLayouts({ width }: Area): readonly Layout[] {
  if (width <= phoneWidthMax) return []
  return layouts.filter((layout) => layout !== 'dock' || hasRoomToDock(width))
}

export function isLayout(value: unknown): value is Layout {
  return layouts.some((layout) => layout === value)
}

export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** The corner of the floating panel, with its distance to the edges; the same numbers as in the styles. */
const edgePx = 20
const floatSize: Area = { width: 410, height: 680 }

export type Side = 'left' | 'right'

/**
 * Places a floating panel so that it does not cover the control that opened it: on the other side of the window, or
 * beside the page where there is room.
 */
export function besides(
  pressed: Box | undefined,
  side: Side,
  area: Area,
): { readonly side: Side; readonly docked: boolean } {
  const asIs = { side, docked: false }
  if (pressed === undefined || !overlap(pressed, floatBox(side, area))) return asIs
  if (hasRoomToDock(area.width)) return { side, docked: true }
  const other: Side = side === 'left' ? 'right' : 'left'
  return overlap(pressed, floatBox(other, area)) ? asIs : { side: other, docked: false }
}

function floatBox(side: Side, area: Area): Box {
  const width = Math.min(floatSize.width, area.width - 2 * edgePx)
  const height = Math.min(floatSize.height, area.height - 2 * edgePx)
  const left = side === 'left' ? edgePx : area.width - edgePx - width
  return { left, right: left + width, top: area.height - edgePx - height, bottom: area.height - edgePx }
}

function overlap(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom
}
