// Finds the most similar name for "did you mean": by edit distance, ignoring case, and undefined when no name is close
// enough to be a typing mistake.

export function nearest(given: string, names: Iterable<string>): string | undefined {
  const distanceMax = Math.max(2, Math.floor(given.length / 3))
  let best: { name: string; distance: number } | undefined
  for (const name of names) {
    const distance = editDistance(given.toLowerCase(), name.toLowerCase())
    if (distance <= distanceMax && (best === undefined || distance < best.distance)) best = { name, distance }
  }
  return best?.name
}

function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [index, character] of from.split('').entries()) {
    let diagonal = index
    const next = [index + 1]
    for (const [column, wanted] of to.split('').entries()) {
      const above = row[column + 1] ?? 0
      const left = next[column] ?? 0
      next.push(Math.min(above + 1, left + 1, diagonal + (character === wanted ? 0 : 1)))
      diagonal = above
    }
    row = next
  }
  return row[to.length] ?? 0
}
