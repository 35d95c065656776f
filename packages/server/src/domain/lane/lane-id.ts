// The id of a lane: one model in one region. Counts, limits and circuits are stored by it, so that two models never share a
// circuit.

export function laneId({ model, region }: { readonly model: string; readonly region: string }): string {
  return `${encodeURIComponent(model)}@${encodeURIComponent(region)}`
}
