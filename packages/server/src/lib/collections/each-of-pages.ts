// Yields every item of a paginated query and holds at most one page in memory.

export async function* eachOfPages<Item>(
  pageItems: number,
  page: (limit: number, after: Item | undefined) => Promise<readonly Item[]>,
): AsyncGenerator<Item> {
  let last: Item | undefined
  for (;;) {
    const items = await page(pageItems, last)
    yield* items
    last = items.at(-1)
    if (items.length < pageItems) return
  }
}
