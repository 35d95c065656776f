// The name of a lane: one model in one region. Everything that is counted, limited or opened is kept under it, so no two
// models ever share a circuit.

export function laneId({ model, region }: { readonly model: string; readonly region: string }): string {
  return `${encodeURIComponent(model)}@${encodeURIComponent(region)}`
}
